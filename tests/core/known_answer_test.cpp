// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include "tactus/core/fp_environment.h"

namespace tactus {
namespace {

// If this fails after a deliberate change of an elementary function, of Philox, of the rotations or
// of the digest, put the printed value into fp_environment.cpp. If nothing was changed on purpose,
// this compiler, these flags or this processor compute other bits: do not touch the constant.
TEST(KnownAnswer, IsTheCommittedOne) {
  const Digest128 answer = known_answer();
  EXPECT_EQ(answer, kKnownAnswer) << "measured: {0x" << to_hex(answer).substr(0, 16) << "u, 0x"
                                  << to_hex(answer).substr(16) << "u}";
}

TEST(KnownAnswer, IsRepeatable) { EXPECT_EQ(known_answer(), known_answer()); }

TEST(KnownAnswer, AFlightMayStartHere) { EXPECT_NO_THROW(require_same_bits()); }

}  // namespace
}  // namespace tactus
