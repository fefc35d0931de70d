// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `spec`: check, show, start, document and import specs; list signals.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/common/overrides.h"
#include "cli/common/print.h"
#include "cli/verbs.h"
#include "tactus/core/text.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/external/external_autopilots.h"
#include "tactus/flight/spec_check.h"
#include "tactus/scenario/assembly.h"
#include "tactus/spec/import/import_spec.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tactus/spec/reader/spec_starter.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tactus/spec/vehicle/hover_figures.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus::cli {
namespace {

struct SpecOptions {
  std::vector<std::string> specs;
  std::string spec;
  std::vector<std::string> set;
  std::string kind = "multirotor";
  std::string file;
  std::string prefix;  ///< of keys and signals; empty: all
  bool strict = false;
};

LoadedSpec load(const std::string& name, const std::vector<std::string>& set) {
  return load_spec(find_spec(name), overrides_of(set));
}

/// "  hovers at 55.1 % command, thrust-to-weight 2.35, at most 21.4 min on 5.10 Ah (14.3 A)"
std::string hover_line(const Spec& spec) {
  const std::optional<HoverFigures> able = vehicle_type(spec).hover(spec);
  if (!able || !able->hover) return "";
  const HoverFigures& figures = *able;
  const double minutes = figures.endurance_s() / 60.0;
  const std::string lasts = minutes < 600.0 ? fmt::format("{:.1f} min", minutes)
                                            : fmt::format("{:.0f} h", minutes / 60.0);
  return fmt::format("  hovers at {:.1f} % command, thrust-to-weight {:.2f}{}\n",
                     100.0 * figures.hover->command, figures.thrust_to_weight(),
                     minutes > 0.0 ? fmt::format(", at most {} on {:.2f} Ah ({:.1f} A)", lasts,
                                                 figures.charge_ah, figures.current_a)
                                   : "");
}

void print_check(const std::string& name, const SpecCheck& check) {
  if (check.loaded) {
    const Spec& spec = check.loaded->spec;
    print_format("{}: ok ({}, {}, {}, digest {}){}\n", name, vehicle_type(spec).name(),
                 counted(spec.events.size(), "event"),
                 counted(spec.expectations.size(), "expectation"), to_hex(spec.digest),
                 check.warnings.empty() ? "" : ", " + counted(check.warnings.size(), "warning"));
    print_format("{}", hover_line(spec));
  }
  std::fflush(stdout);
  for (const Error& mistake : check.mistakes) print_error(mistake.what());
  for (const std::string& warning : check.warnings) print_error(warning);
}

/// The exit code: a mistake in a spec counts more than a file that cannot be read, and that more
/// than a warning, which counts with --strict only.
ExitCode check(const SpecOptions& options) {
  const std::vector<Override> overrides = overrides_of(options.set);
  std::vector<Error> all;
  bool warned = false;
  for (const std::string& name : options.specs) {
    const SpecCheck check = check_spec(name, overrides);
    print_check(name, check);
    all.insert(all.end(), check.mistakes.begin(), check.mistakes.end());
    warned = warned || !check.warnings.empty();
  }
  if (all.empty()) return warned && options.strict ? ExitCode::kCheckFailed : ExitCode::kOk;
  return std::min_element(all.begin(), all.end(),
                          [](const Error& a, const Error& b) { return a.code() < b.code(); })
      ->code();
}

void list_signals(const SpecOptions& options) {
  const Assembly flight =
      assemble(load(options.spec, options.set), {.external = external_autopilots()});
  const std::vector<BusLeaf> leaves = bus_leaves(flight.run.counts());
  const auto asked_for = [&](const BusLeaf& leaf) { return leaf.name.starts_with(options.prefix); };
  if (std::none_of(leaves.begin(), leaves.end(), asked_for)) {
    std::vector<std::string> names;
    for (const BusLeaf& leaf : leaves) names.push_back(leaf.name);
    throw Error(ExitCode::kBadInput,
                did_you_mean(fmt::format("no signal begins with \"{}\"", options.prefix),
                             options.prefix, names));
  }
  print_format(
      "# Signals of {}, for `when`, `signal` and logs. *: a crossing is found inside an\n"
      "# interval, to the microsecond; the others are evaluated at boundaries.\n",
      options.spec);
  for (const BusLeaf& leaf : leaves) {
    if (!asked_for(leaf)) continue;
    const bool found = flight.run.plant().watch_for(leaf).has_value();
    print_format("{} {:<40} {:<8} {}\n", found ? '*' : ' ', leaf.name, leaf.unit, leaf.meaning);
  }
}

void add_set_option(Verb& verb, std::vector<std::string>& set) {
  verb.add_option("--set", set, "another value for a key; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace

void add_spec_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<SpecOptions>();
  Verb* verb = app.add_subcommand("spec", "check, show and write specs of flights");
  verb->require_subcommand(1);

  Verb* check_verb = verb->add_subcommand("check", "say whether specs can be flown");
  check_verb->add_option("SPEC", options->specs, "files, or names in scenarios/ and aircraft/")
      ->required();
  add_set_option(*check_verb, options->set);
  check_verb->add_flag("--strict", options->strict, "warnings fail the check: exit code 1");
  check_verb->callback([options, &exit_code] { exit_code = static_cast<int>(check(*options)); });

  Verb* show = verb->add_subcommand("show", "print all values and where each comes from, as TOML");
  show->add_option("SPEC", options->spec, "a file, or a name in scenarios/ or aircraft/")
      ->required();
  add_set_option(*show, options->set);
  show->callback([options] { print_format("{}", load(options->spec, options->set).resolved); });

  Verb* start = verb->add_subcommand("new", "print a commented spec to start from");
  start->add_option("--kind", options->kind, "kind of vehicle")
      ->check(CLI::IsMember(
          std::vector<std::string>(vehicle_type_names().begin(), vehicle_type_names().end())))
      ->capture_default_str();
  start->callback([options] { print_format("{}", starter_spec(options->kind)); });

  Verb* keys = verb->add_subcommand("keys", "print every key: type, unit, size, default, meaning");
  keys->add_option("PREFIX", options->prefix, "only keys that begin with it: body, rotor.ID.motor");
  keys->callback([options] { print_format("{}", keys_text(options->prefix)); });

  Verb* signals = verb->add_subcommand("signals", "print every signal of the bus: unit, meaning");
  signals->add_option("SPEC", options->spec, "its vehicle decides; a file or a name")
      ->default_val("default");
  signals->add_option("PREFIX", options->prefix, "only signals that begin with it: truth.");
  add_set_option(*signals, options->set);
  signals->callback([options] { list_signals(*options); });

  Verb* convert = verb->add_subcommand("import", "print a file of PX4Lockstep.jl as a spec");
  convert->add_option("FILE", options->file, "its TOML file")->required();
  convert->callback([options] { print_format("{}", import_spec(options->file)); });
}

}  // namespace tactus::cli
