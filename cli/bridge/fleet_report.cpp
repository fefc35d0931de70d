// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/bridge/fleet_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "tactus/core/printable.h"
#include "tactus/flight/names.h"
#include "tactus/sweep/seeds/seed_groups.h"

namespace tactus::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{200};

double in_ms(std::uint64_t ns) { return static_cast<double>(ns) * 1e-6; }

/// "0.012 / 0.025 / 0.041, longest 0.2 ms"
std::string percentiles_text(const Histogram& times) {
  return fmt::format("p50 {:.3f}, p99 {:.3f}, p99.9 {:.3f}, longest {:.3f} ms",
                     in_ms(times.percentile_ns(0.5)), in_ms(times.percentile_ns(0.99)),
                     in_ms(times.percentile_ns(0.999)), in_ms(times.largest_ns()));
}

std::string mode_text(const TimeMode& mode) {
  std::string text = to_text(mode.kind);
  if (mode.kind == TimeMode::Kind::kScaled) text += fmt::format(" {}x", mode.factor);
  return text;
}

std::size_t passed_count(const std::vector<FleetMember>& members) {
  return static_cast<std::size_t>(
      std::count_if(members.begin(), members.end(),
                    [](const FleetMember& one) { return one.verdict == Verdict::kPassed; }));
}

std::string vehicle_line(const Vehicle& vehicle) {
  const SensorFrame& frame = vehicle.frame();
  const AutopilotStatus& status = vehicle.command().status;
  const Vec3 at = frame.truth.position_W_m;
  return fmt::format("  {:>3} {:<14.14} {:<8} {:<9} {:8.2f} {:8.2f} {:8.2f} {:6.2f} V {:4.0f} %",
                     vehicle.id(), vehicle.name(), status.armed ? "armed" : "disarmed",
                     to_text(status.mode), at.x, at.y, -at.z, frame.battery[0].voltage_v,
                     100.0 * frame.battery[0].remaining);
}

std::string adapter_line(const AdapterReport& report) {
  return fmt::format(
      "  {:<18} {:<8} {:<12} step p50 {:.3f} ms, longest {:.3f} ms, waited {:.1f} s, {} missed",
      report.name, report.kind, to_text(report.state), in_ms(report.step.percentile_ns(0.5)),
      in_ms(report.step.largest_ns()), in_ms(report.wait.sum_ns()) * 1e-3, report.misses);
}

/// Equal ones are printed once, with the vehicles that they concern.
std::vector<std::pair<std::string, std::vector<std::uint64_t>>> warnings_of(
    const std::vector<FleetMember>& members) {
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> all;
  for (const FleetMember& member : members) {
    for (const std::string& warning : member.warnings) {
      auto known = std::find_if(all.begin(), all.end(),
                                [&](const auto& one) { return one.first == warning; });
      if (known == all.end()) known = all.insert(all.end(), {warning, {}});
      known->second.push_back(member.id);
    }
  }
  return all;
}

}  // namespace

std::string fleet_text(const FleetPlan& plan, FleetFlight& fleet, double wall_s) {
  const std::vector<FleetMember> members = fleet.members();
  Bridge& bridge = fleet.bridge();
  std::string text = fmt::format("{}: {} of {} vehicles passed\n", plan.name, passed_count(members),
                                 members.size());
  for (const FleetMember& member : members) {
    text += fmt::format("  {:>3} on {}: {}{}\n", member.id, member.simulator, member.sentence,
                        member.digest ? ", digest " + to_hex(*member.digest) : "");
    for (const std::string& failure : member.failures) text += fmt::format("      {}\n", failure);
  }
  text += fmt::format("  time         {}, {}, steps of {}\n", seconds_text(bridge.now()),
                      mode_text(bridge.time_mode()), to_text(bridge.step_size()));
  text += fmt::format("  latency      {}\n", percentiles_text(bridge.latency()));
  text += fmt::format("  step         {}\n", percentiles_text(bridge.step_time()));
  for (const AdapterReport& report : bridge.reports()) {
    text += fmt::format("  simulator    {} ({}): {}, {} missed, {} recovered; {}\n", report.name,
                        report.kind, to_text(report.state), report.misses, report.recoveries,
                        percentiles_text(report.step));
    if (report.wait.count() == 0) continue;  // in process: nothing waits for it
    text += fmt::format("  waits        for {}: {}\n", report.name, percentiles_text(report.wait));
  }
  constexpr std::size_t kMostEvents = 50;
  const std::vector<BridgeEvent>& events = bridge.events();
  for (std::size_t i = 0; i < events.size() && i < kMostEvents; ++i) {
    text += fmt::format("  event        {} {}: {}\n", seconds_text(events[i].time), events[i].who,
                        events[i].what);
  }
  if (events.size() > kMostEvents) {
    text += fmt::format("  event        and {} more; --json and --record have them all\n",
                        events.size() - kMostEvents);
  }
  for (const std::string& warning : bridge.warnings()) {
    text += fmt::format("  warning      {}\n", warning);
  }
  constexpr std::size_t kMostRanges = 8;
  for (const auto& [warning, ids] : warnings_of(members)) {
    text += fmt::format("  warning      vehicle{} {}: {}\n", ids.size() == 1 ? "" : "s",
                        ranges_text(ids, kMostRanges), warning);
  }
  for (const std::string& file : fleet.files()) text += fmt::format("  file         {}\n", file);
  const double factor = wall_s > 0.0 ? to_seconds(bridge.now()) / wall_s : 0.0;
  text += fmt::format("  speed        {:.0f} x real time ({:.3f} s)\n", factor, wall_s);
  return text;
}

LiveTable::LiveTable(const FleetPlan& plan, bool quiet)
    : plan_(&plan), shown_(!quiet && isatty(STDERR_FILENO) == 1) {}

LiveTable::~LiveTable() { end(); }

void LiveTable::end() {
  if (lines_ > 0) std::fprintf(stderr, "\x1b[%zuA\x1b[J", lines_);
  lines_ = 0;
}

void LiveTable::show(Bridge& bridge) {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now < next_) return;
  next_ = now + kRedraw;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}  {}  {}{}", plan_->name, seconds_text(bridge.now()),
                              mode_text(bridge.time_mode()), bridge.paused() ? "  paused" : ""));
  lines.emplace_back("   id vehicle        state    mode         north     east   height  battery");
  for (const VehicleId id : bridge.vehicles()) lines.push_back(vehicle_line(bridge.vehicle(id)));
  for (const AdapterReport& report : bridge.reports()) lines.push_back(adapter_line(report));
  end();
  for (const std::string& line : lines) std::fprintf(stderr, "%s\n", printable(line).c_str());
  lines_ = lines.size();
}

}  // namespace tactus::cli
