// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The floating-point contract (C4) as seen by one translation unit. Flight code is header code, so
// a program that includes it with other flags than the library would compute other bits, silently.
// Two nets: what the compiler admits to by macro does not compile; what it hides (contraction,
// reassociation) is measured by a probe that is compiled into every translation unit with the flags
// of that unit. `check_floating_point()` (fp_environment.h) runs the probes before a flight.

#pragma once

#include <cfloat>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ == 1)
#error "Tactus: compile without -ffast-math and -ffinite-math-only (determinism contract C4)"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "Tactus: compile without -funsafe-math-optimizations and its parts (determinism contract C4)"
#endif
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "Tactus: double arithmetic must round to double (x86: -mfpmath=sse; contract C4)"
#endif

#if !defined(__CUDA_ARCH__)

// tidy: allow simulation, the probe of a translation unit runs once in whatever thread
#include <atomic>

namespace tactus::detail {

/// What a translation unit does to arithmetic.
enum class FpDefect {
  kNone,
  kContraction,
  kFusedNeighbours,
  kReassociation,
  kReciprocal,
  kSignedZero
};

/// One entry per translation unit in a list that needs no allocation; it leaves with its library.
class FpProbe {
 public:
  using Function = FpDefect (*)();

  FpProbe(Function function, const char* source) : function_(function), source_(source) {
    lock();
    next_ = first_;
    first_ = this;
    unlock();
  }
  ~FpProbe() {
    lock();
    FpProbe** link = &first_;
    while (*link != this) link = &(*link)->next_;
    *link = next_;
    unlock();
  }
  FpProbe(const FpProbe&) = delete;
  FpProbe& operator=(const FpProbe&) = delete;

  /// Calls report(defect, source file) for every unit with a defect; report must not throw.
  template <class Report>
  static void run_all(Report&& report) {
    lock();
    for (const FpProbe* probe = first_; probe != nullptr; probe = probe->next_) {
      const FpDefect defect = probe->function_();
      if (defect != FpDefect::kNone) report(defect, probe->source_);
    }
    unlock();
  }

 private:
  static void lock() {
    while (busy_.test_and_set(std::memory_order_acquire)) {
    }
  }
  static void unlock() { busy_.clear(std::memory_order_release); }

  inline static FpProbe* first_ = nullptr;
  inline static std::atomic_flag busy_;

  Function function_;
  const char* source_;
  FpProbe* next_ = nullptr;
};

/// The vectoriser of g++ 12.2 turns neighbouring a*b-c and d*e+f into fused instructions (vfmaddsub
/// on x86-64 with FMA, fcmla on ARMv8.3) even with -ffp-contract=off, in straight-line code and in
/// loops; cross and quaternion products have that form. Only -fno-tree-vectorize prevents both.
/// The patterns need plain memory, so empty asm statements hide the values instead of volatile.
static bool fuses_neighbours() {
  constexpr int kPairs = 8;
  double x[2 * kPairs];
  double y[2 * kPairs];
  double rounded_square[2] = {1.0 + 0x1p-26, -(1.0 + 0x1p-26)};
  double pair[2];
  double product[2 * kPairs];
  int pairs = kPairs;
  for (int i = 0; i < 2 * kPairs; ++i) x[i] = y[i] = 1.0 + 0x1p-27;
  asm volatile("" : "+m"(x), "+m"(y), "+m"(rounded_square), "+r"(pairs));
  pair[0] = x[0] * y[0] - rounded_square[0];
  pair[1] = x[1] * y[1] + rounded_square[1];
  for (int i = 0; i < pairs; ++i) {  // complex products
    product[2 * i] = x[2 * i] * y[2 * i] - x[2 * i + 1] * y[2 * i + 1];
    product[2 * i + 1] = x[2 * i] * y[2 * i + 1] + x[2 * i + 1] * y[2 * i];
  }
  asm volatile("" : "+m"(pair), "+m"(product));
  bool fused = pair[0] != 0.0 || pair[1] != 0.0;
  for (int i = 0; i < kPairs; ++i) fused = fused || product[2 * i] != 0.0;
  return fused;
}

/// `static`, not inline: each translation unit must get its own copy, compiled with its own flags.
/// The operands are volatile, so that nothing is computed at compile time.
static FpDefect probe_this_translation_unit() {
  volatile double operand[] = {1.0 + 0x1p-27, -(1.0 + 0x1p-26), 0x1p53, 1.0, 3.0, -0.0, 0.0, 5.0};
  const double a = operand[0];
  const double b = operand[1];
  // The product needs one bit more than a double has: rounded, the sum is 0; fused, it is 2^-54.
  if (a * a + b != 0.0) return FpDefect::kContraction;
  if (fuses_neighbours()) return FpDefect::kFusedNeighbours;
  const double big = operand[2];
  const double one = operand[3];
  if ((big + one) - big != 0.0) return FpDefect::kReassociation;
  // 5 / 3 and 5 * (1 / 3) differ in the last bit. Two quotients invite the common reciprocal.
  const double three = operand[4];
  const double five = operand[7];
  if (five / three + one / three != 0x1.aaaaaaaaaaaabp+0 + 0x1.5555555555555p-2) {
    return FpDefect::kReciprocal;
  }
  const double sum = operand[5] + 0.0;
  if (one / sum < operand[6]) return FpDefect::kSignedZero;
  return FpDefect::kNone;
}

[[maybe_unused]] static const FpProbe kFpProbeOfThisTranslationUnit(probe_this_translation_unit,
                                                                    __BASE_FILE__);

}  // namespace tactus::detail

#endif
