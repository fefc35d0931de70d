// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tests/doubles/ardupilot_client/options.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

namespace ardupilot_double {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "ardupilot double: %s\n", what.c_str());
  std::exit(2);
}

std::map<std::string, std::string> read_orders() {
  std::map<std::string, std::string> orders;
  const char* given = std::getenv("TACTUS_ARDUPILOT_DOUBLE");
  std::string rest = given == nullptr ? "" : given;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string order = rest.substr(0, comma);
    const std::size_t equals = order.find('=');
    if (equals == std::string::npos) refuse("not key=value: " + order);
    orders[order.substr(0, equals)] = order.substr(equals + 1);
    rest.erase(0, std::min(comma + 1, rest.size()));
  }
  return orders;
}

template <class Number>
void take(std::map<std::string, std::string>& orders, const char* key, Number& to) {
  const auto found = orders.find(key);
  if (found == orders.end()) return;
  to = static_cast<Number>(std::strtod(found->second.c_str(), nullptr));
  orders.erase(found);
}

void take_orders(Options& o) {
  std::map<std::string, std::string> orders = read_orders();
  take(orders, "channels", o.channels);
  take(orders, "resend_ms", o.resend_ms);
  take(orders, "boot_frames", o.boot_frames);
  take(orders, "duplicate_percent", o.duplicate_percent);
  take(orders, "lose_questions", o.lose_questions);
  take(orders, "lose_answers", o.lose_answers);
  take(orders, "lose_until", o.lose_until);
  take(orders, "garbage_every", o.garbage_every);
  take(orders, "die_at", o.die_at);
  take(orders, "exit_status", o.exit_status);
  take(orders, "stop_at", o.stop_at);
  take(orders, "silent_at", o.silent_at);
  take(orders, "restart_at", o.restart_at);
  take(orders, "wild_at", o.wild_at);
  take(orders, "pattern", o.pattern);
  take(orders, "arm_s", o.arm_s);
  take(orders, "land_s", o.land_s);
  take(orders, "height_m", o.height_m);
  if (orders.contains("trace")) o.trace = orders.extract("trace").mapped();
  if (!orders.empty()) refuse("unknown order " + orders.begin()->first);
}

}  // namespace

Options read_options(int count, char** arguments) {
  static const std::set<std::string> kWithValue{
      "--model",   "--speedup", "--home",    "--defaults",    "--serial0", "--serial1",
      "--serial2", "--serial5", "--serial6", "--serial7",     "--serial8", "--start-time",
      "-I",        "--sysid",   "--rate",    "--sim-port-out"};
  Options options;
  bool model = false;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--wipe") continue;
    if (!kWithValue.contains(name) || i + 1 >= count) refuse("what is " + name + "?");
    const std::string value = arguments[++i];
    if (name == "--model") model = value == "JSON:127.0.0.1";
    if (name == "-I") options.port = 9002 + 10 * std::atoi(value.c_str());
    if (name == "--sim-port-out") options.port = std::atoi(value.c_str());
    if (name == "--defaults" && std::fopen(value.c_str(), "r") == nullptr) {
      refuse("no parameter file " + value);
    }
  }
  if (!model) refuse("--model JSON:127.0.0.1 is missing");
  take_orders(options);
  return options;
}

}  // namespace ardupilot_double
