// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Whole flights with PX4's library; the real one, libpx4_lockstep.so, if TACTUS_PX4_LOCKSTEP_LIB
// names it. needs: doubles

#include <gtest/gtest.h>

#include <string>

#include "tactus/core/error.h"
#include "tactus/files/disk_files.h"
#include "tactus/flight/flight.h"
#include "tests/support/px4_library_bench.h"

namespace tactus {
namespace {

LoadedSpec with_library(const std::string& library, const char* aircraft, const char* end_s) {
  return load_spec(find_spec(aircraft), std::vector<Override>{
                                            {"autopilot.kind", "\"px4-lib\""},
                                            {"autopilot.px4.library", "\"" + library + "\""},
                                            {"time.end_s", end_s},
                                        });
}

/// Its motors turn fast while it stands: in commands that lies above the limit of a landed vehicle,
/// in thrusts below.
TEST(Px4LibraryReal, HeavyIsDisarmedSoonAfterItHasLanded) {
  const std::string library = testing::real_px4_library();
  if (library.empty()) {
    GTEST_SKIP() << "TACTUS_PX4_LOCKSTEP_LIB is not set: heavy was not flown with PX4's library";
  }
  const Flight flight = fly(with_library(library, "heavy", "90"));
  ASSERT_EQ(flight.verdict, Verdict::kPassed) << flight.sentence;
  ASSERT_FALSE(flight.facts.armed.empty());
  const auto& last = flight.facts.armed.back();
  EXPECT_FALSE(last.value);
  ASSERT_TRUE(flight.facts.mission_finished);
  EXPECT_LE(last.time - *flight.facts.mission_finished, DurationUs(10'000'000));
}

void expect_not_validated(const std::string& library) {
  FlightOptions options;
  options.validate = true;
  try {
    fly(with_library(library, "iris", "5"), std::move(options));
    FAIL() << "PX4's state cannot be copied";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    const std::string text = error.what();
    EXPECT_NE(text.find("\"px4-lib\" cannot be copied in flight, so this run cannot be"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("branch"), std::string::npos) << "which works: " << text;
  }
}

TEST(Px4LibraryReal, ValidationSaysWhyNot) {
  const std::string library = testing::real_px4_library();
  if (library.empty()) {
    GTEST_SKIP()
        << "TACTUS_PX4_LOCKSTEP_LIB is not set: --validate was not tried with the real one";
  }
  expect_not_validated(library);
}

TEST(Px4Library, ValidationOfItsStandInSaysWhyNot) { expect_not_validated(testing::px4_double()); }

}  // namespace
}  // namespace tactus
