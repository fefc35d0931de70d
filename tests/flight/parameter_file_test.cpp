// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Files of parameters have a line per parameter, in the form of each autopilot.

#include "tactus/flight/external/parameter_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tactus/files/disk_files.h"
#include "tactus/spec/reader/load_spec.h"

namespace tactus {
namespace {

TEST(ParameterFile, HasALinePerParameter) {
  const Spec spec = load_spec(find_spec("default")).spec;
  for (const ParameterFamily family : {ParameterFamily::kPx4, ParameterFamily::kArdupilot}) {
    const std::vector<EmittedParameter> list = parameters_for(spec, family);
    ASSERT_FALSE(list.empty());
    const std::string file = parameter_file(list, family, "default");
    EXPECT_EQ(file.rfind("# default: parameters for ", 0), 0U);
    const auto heads = family == ParameterFamily::kPx4 ? 2 : 1;
    EXPECT_EQ(std::count(file.begin(), file.end(), '\n'), std::ssize(list) + heads);
    const char separator = family == ParameterFamily::kPx4 ? '\t' : ' ';
    for (const EmittedParameter& parameter : list) {
      EXPECT_NE(file.find(parameter.name + separator + parameter_text(parameter)),
                std::string::npos)
          << parameter.name;
    }
  }
}

TEST(ParameterFile, HoldsWhatTheSpecGivesWhereItFliesThatAutopilot) {
  const Spec spec =
      load_spec(find_spec("default"),
                std::vector<Override>{{"autopilot.kind", "\"px4-sitl\""},
                                      {"autopilot.outside.parameters", "\"MPC_XY_CRUISE=3.25\""}})
          .spec;
  const auto given = [&](ParameterFamily family) {
    const std::vector<EmittedParameter> list = parameters_for(spec, family);
    return std::any_of(list.begin(), list.end(),
                       [](const EmittedParameter& one) { return one.name == "MPC_XY_CRUISE"; });
  };
  EXPECT_TRUE(given(ParameterFamily::kPx4));
  EXPECT_FALSE(given(ParameterFamily::kArdupilot));
}

}  // namespace
}  // namespace tactus
