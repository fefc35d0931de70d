// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/fp_environment.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <string>
#include <thread>

#include "tactus/core/error.h"
#include "tactus/core/fp_contract.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tactus {
namespace {

/// The complaint of check_floating_point under a changed environment, which `undo` restores before
/// anything else is computed.
template <class Change, class Undo>
std::string complaint(Change&& change, Undo&& undo) {
  std::string message = "(none)";
  change();
  try {
    check_floating_point();
  } catch (const Error& error) {
    message = error.what();
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
  }
  undo();
  return message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(FloatingPoint, TheTestEnvironmentIsFine) { EXPECT_NO_THROW(check_floating_point()); }

TEST(FloatingPoint, RoundingModeIsNoticed) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const std::string message =
        complaint([&] { std::fesetround(mode); }, [] { std::fesetround(FE_TONEAREST); });
    EXPECT_TRUE(contains(message, "rounding mode")) << message;
    EXPECT_TRUE(contains(message, "fesetround(FE_TONEAREST)")) << message;
  }
  EXPECT_NO_THROW(check_floating_point());
}

// The environment belongs to a thread: a clean main thread says nothing about a worker.
TEST(FloatingPoint, EachThreadIsCheckedOnItsOwn) {
  std::string message;
  std::thread worker([&] { message = complaint([] { std::fesetround(FE_UPWARD); }, [] {}); });
  worker.join();
  EXPECT_TRUE(contains(message, "rounding mode")) << message;
  EXPECT_NO_THROW(check_floating_point());
}

#if defined(__x86_64__)
TEST(FloatingPoint, FlushToZeroAndDenormalsAreZeroAreNoticed) {
  constexpr unsigned kFlushToZero = 0x8000;
  constexpr unsigned kDenormalsAreZero = 0x0040;
  const unsigned clean = _mm_getcsr();
  for (const unsigned bits : {kFlushToZero, kDenormalsAreZero, kFlushToZero | kDenormalsAreZero}) {
    const std::string message =
        complaint([&] { _mm_setcsr(clean | bits); }, [&] { _mm_setcsr(clean); });
    EXPECT_TRUE(contains(message, "flushes subnormal numbers")) << bits << message;
  }
  EXPECT_NO_THROW(check_floating_point());
}
#endif

// A translation unit built with other flags registers a probe that reports a defect; here one is
// registered by hand. Real mutations are compiled by tests/consumer_mutations.
TEST(FloatingPoint, ABadTranslationUnitIsNamedUntilItIsUnloaded) {
  {
    const detail::FpProbe bad([] { return detail::FpDefect::kContraction; }, "fast_plugin.cpp");
    const std::string message = complaint([] {}, [] {});
    EXPECT_TRUE(contains(message, "fast_plugin.cpp")) << message;
    EXPECT_TRUE(contains(message, "fused")) << message;
    EXPECT_TRUE(contains(message, "-ffp-contract=off")) << message;
  }
  EXPECT_NO_THROW(check_floating_point());
}

TEST(FloatingPoint, ThisTranslationUnitIsRegistered) {
  EXPECT_EQ(detail::probe_this_translation_unit(), detail::FpDefect::kNone);
  int defects = 0;
  detail::FpProbe::run_all([&](detail::FpDefect, const char*) { ++defects; });
  EXPECT_EQ(defects, 0);
}

}  // namespace
}  // namespace tactus
