// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `spec`: check, show, start, document and import specs; list signals.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/print.h"
#include "cli/verbs.h"
#include "tactus/scenario/assembly.h"
#include "tactus/scenario/import_spec.h"
#include "tactus/scenario/load_spec.h"
#include "tactus/scenario/schema_enums.h"
#include "tactus/scenario/spec_keys.h"
#include "tactus/scenario/spec_starter.h"

namespace tactus::cli {
namespace {

struct SpecOptions {
  std::vector<std::string> specs;
  std::string spec;
  std::vector<std::string> set;
  std::string kind = "multirotor";
  std::string file;
};

std::vector<Override> overrides_of(const std::vector<std::string>& set) {
  std::vector<Override> overrides;
  overrides.reserve(set.size());
  for (const std::string& text : set) overrides.push_back(parse_override(text));
  return overrides;
}

LoadedSpec load(const std::string& name, const std::vector<std::string>& set) {
  return load_spec(find_spec(name), overrides_of(set));
}

/// Everything wrong with one spec. It is right if it could be flown now.
std::vector<Error> mistakes_of(const std::string& name, const std::vector<Override>& overrides) {
  try {
    const std::string path = find_spec(name);
    std::vector<Error> mistakes = spec_mistakes(path, overrides);
    if (!mistakes.empty()) return mistakes;
    const Spec spec = load_spec(path, overrides).spec;
    assemble(spec);
    say("{}: ok ({}, {} events, {} expectations, digest {})\n", name, name_of(spec.vehicle),
        spec.events.size(), spec.expectations.size(), to_hex(spec.digest));
    return {};
  } catch (const Error& error) {
    return {error};
  }
}

/// The exit code: a mistake in a spec counts more than a file that cannot be read.
ExitCode check(const SpecOptions& options) {
  const std::vector<Override> overrides = overrides_of(options.set);
  std::vector<Error> all;
  for (const std::string& name : options.specs) {
    for (const Error& mistake : mistakes_of(name, overrides)) {
      complain(mistake.what());
      all.push_back(mistake);
    }
  }
  if (all.empty()) return ExitCode::kOk;
  return std::min_element(all.begin(), all.end(),
                          [](const Error& a, const Error& b) { return a.code() < b.code(); })
      ->code();
}

void list_signals(const SpecOptions& options) {
  const Assembly flight = assemble(load(options.spec, options.set).spec);
  say("# Signals of {}, for `when`, `signal` and logs. *: a crossing is found inside an\n"
      "# interval, to the microsecond; the others are looked at at boundaries.\n",
      options.spec);
  for (const BusLeaf& leaf : bus_leaves(flight.run.counts())) {
    const bool found = flight.run.plant().watch_for(leaf).has_value();
    say("{} {:<40} {:<8} {}\n", found ? '*' : ' ', leaf.name, leaf.unit, leaf.meaning);
  }
}

void add_set_option(CLI::App& verb, std::vector<std::string>& set) {
  verb.add_option("--set", set, "another value for a key; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace

void add_spec_verb(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<SpecOptions>();
  CLI::App* verb = app.add_subcommand("spec", "check, show and write specs of flights");
  verb->require_subcommand(1);

  CLI::App* check_verb = verb->add_subcommand("check", "say whether specs can be flown");
  check_verb->add_option("SPEC", options->specs, "files, or names in scenarios/ and aircraft/")
      ->required();
  add_set_option(*check_verb, options->set);
  check_verb->callback([options, &exit_code] { exit_code = static_cast<int>(check(*options)); });

  CLI::App* show =
      verb->add_subcommand("show", "print all values and where each comes from, as TOML");
  show->add_option("SPEC", options->spec, "a file, or a name in scenarios/ or aircraft/")
      ->required();
  add_set_option(*show, options->set);
  show->callback([options] { say("{}", load(options->spec, options->set).resolved); });

  CLI::App* start = verb->add_subcommand("new", "print a commented spec to start from");
  start->add_option("--kind", options->kind, "kind of vehicle")
      ->check(CLI::IsMember(
          std::vector<std::string>(kNames<VehicleKind>.begin(), kNames<VehicleKind>.end())))
      ->capture_default_str();
  start->callback([options] {
    const bool rover = options->kind == name_of(VehicleKind::kRover);
    say("{}", starter_spec(rover ? VehicleKind::kRover : VehicleKind::kMultirotor));
  });

  CLI::App* keys = verb->add_subcommand("keys", "print every key: type, unit, default, meaning");
  keys->callback([] { say("{}", keys_text()); });

  CLI::App* signals =
      verb->add_subcommand("signals", "print every signal of the bus: unit, meaning");
  signals->add_option("SPEC", options->spec, "its vehicle decides; a file or a name")
      ->default_val("default");
  add_set_option(*signals, options->set);
  signals->callback([options] { list_signals(*options); });

  CLI::App* convert = verb->add_subcommand("import", "print a file of PX4Lockstep.jl as a spec");
  convert->add_option("FILE", options->file, "its TOML file")->required();
  convert->callback([options] { say("{}", import_spec(options->file)); });
}

}  // namespace tactus::cli
