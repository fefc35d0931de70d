// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace tactus::testing {

/// Whether everything is to be tested in full (`./test --all`).
inline bool test_all() {
  const char* all = std::getenv("TACTUS_TEST_ALL");
  return all != nullptr && std::strcmp(all, "1") == 0;
}

/// Long counts run in full with TACTUS_TEST_ALL=1 and at a twentieth otherwise.
inline long scaled(long full) { return test_all() ? full : std::max(1L, full / 20); }

/// Sanitizers check every access, so long statistics would take very long.
constexpr bool sanitized() {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

/// Whether a few of many equal cases do: by default, under sanitizers, which see the same code in
/// each of them. The build without sanitizers goes through all.
inline bool few_cases() { return sanitized() && !test_all(); }

/// Rounds of a fuzz test: `for (FuzzRounds rounds(3000); rounds.next();) use(rounds.index());`
/// So many by default, and with TACTUS_TEST_ALL=1 at least so many and as long as ten minutes last:
/// two loaders in three builds make an hour.
class FuzzRounds {
 public:
  explicit FuzzRounds(long least) : least_(least) {}
  bool next() {
    ++index_;
    if (index_ < least_) return true;
    return test_all() && std::chrono::steady_clock::now() - start_ < std::chrono::minutes(10);
  }
  /// From 0.
  [[nodiscard]] long index() const { return index_; }

 private:
  long least_;
  long index_ = -1;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tactus::testing
