// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The verb `verify`: runs check cases and prints what they measured. The cases are in
// tactus/verify/.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/common/print.h"
#include "cli/common/status_line.h"
#include "cli/extra/sundials.h"
#include "cli/verbs.h"
#include "cli/verify/report.h"
#include "tactus/core/error.h"
#include "tactus/core/fp_environment.h"
#include "tactus/core/text.h"
#include "tactus/verify/check.h"
#include "tactus/verify/checks_json.h"

namespace tactus::cli {
namespace {

using verify::Check;
using verify::Outcome;

struct VerifyOptions {
  bool json = false;
  bool list = false;
  std::vector<std::string> names;
};

[[noreturn]] void refuse_name(const std::vector<Check>& checks, const std::string& name) {
  std::vector<std::string> names;
  for (const Check& check : checks) names.push_back(check.name);
  const std::vector<std::string> near = near_texts(name, names);
  const std::string hint = near.empty() ? std::string("`tactus verify --list` names them")
                                        : fmt::format("did you mean {}?", fmt::join(near, " or "));
  throw Error(ExitCode::kBadInput, fmt::format("verify: there is no case \"{}\"; {}", name, hint));
}

/// The cases that were asked for, in the order of the table. One that this program cannot run is
/// not asked for by its name.
std::vector<Check> select(const VerifyOptions& options) {
  std::vector<Check> all = verify::all_checks({sundials_lacking(), sundials_comparison});
  const std::vector<std::string>& names = options.names;
  if (names.empty()) return all;
  for (const std::string& name : names) {
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const Check& check) { return check.name == name; });
    if (it == all.end()) refuse_name(all, name);
    if (!it->lacks.empty() && !options.list) {
      throw Error(ExitCode::kEnvironment,
                  fmt::format("verify: the case \"{}\" cannot run: {}", name, it->lacks));
    }
  }
  std::vector<Check> chosen;
  for (const Check& check : all) {
    if (std::find(names.begin(), names.end(), check.name) != names.end()) chosen.push_back(check);
  }
  return chosen;
}

void print_list(const std::vector<Check>& checks) {
  std::string theme;
  for (const Check& check : checks) {
    if (check.theme != theme) print_format("{}\n", check.theme);
    theme = check.theme;
    print_format("  {:<{}}{}\n", check.name, verify::kNameWidth, check.about);
    if (!check.lacks.empty()) {
      print_format("  {:<{}}skipped: {}\n", "", verify::kNameWidth, check.lacks);
    }
  }
}

void run_checks(const VerifyOptions& options, const std::vector<Check>& checks, int& exit_code) {
  const verify::Style style = isatty(STDOUT_FILENO) == 1 ? verify::kColour : verify::Style{};
  StatusLine line;
  std::vector<Outcome> outcomes;
  if (!options.json) print_own(verify::table_head(style));
  for (const Check& check : checks) {
    line.show(fmt::format("[{}/{}] {}", outcomes.size() + 1, checks.size(), check.name));
    outcomes.push_back(verify::run(check));
    line.wipe();
    if (options.json) continue;
    const bool new_theme =
        outcomes.size() == 1 || outcomes[outcomes.size() - 2].theme != check.theme;
    print_own(verify::table_rows(outcomes.back(), new_theme, style));
    std::fflush(stdout);
  }
  const verify::Summary summary(outcomes);
  print_own(options.json ? verify::outcomes_json(outcomes) + "\n"
                         : verify::table_summary(summary, style));
  exit_code = static_cast<int>(summary.passed() ? ExitCode::kOk : ExitCode::kCheckFailed);
}

void verify_verb(const VerifyOptions& options, int& exit_code) {
  require_same_bits();
  const std::vector<Check> checks = select(options);
  if (options.list) {
    if (options.json) {
      print_own(verify::checks_json(checks) + "\n");
    } else {
      print_list(checks);
    }
    exit_code = static_cast<int>(ExitCode::kOk);
  } else {
    run_checks(options, checks, exit_code);
  }
}

}  // namespace

void add_verify_verb(Verb& app, int& exit_code) {
  const auto options = std::make_shared<VerifyOptions>();
  Verb* verb = app.add_subcommand("verify", "compare the models with independent truth");
  verb->add_flag("--json", options->json, "print the results, or the list, as JSON");
  verb->add_flag("--list", options->list, "print the names of the cases and stop");
  verb->add_option("--case", options->names, "run only this case; may be given several times")
      ->type_name("NAME");
  verb->callback([options, &exit_code] { verify_verb(*options, exit_code); });
}

}  // namespace tactus::cli
