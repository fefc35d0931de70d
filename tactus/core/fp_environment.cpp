// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/fp_environment.h"

#include <cfenv>
#include <string>

#include "tactus/core/error.h"
#include "tactus/core/fp_contract.h"
#include "tactus/core/math.h"
#include "tactus/core/quat.h"
#include "tactus/core/random.h"

namespace tactus {

// Changes only together with the arithmetic itself; tests/core/known_answer_test.cpp prints the
// value to put here.
const Digest128 kKnownAnswer{0xc421a17291dea0b7u, 0x23675a9363accb82u};

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ExitCode::kEnvironment,
              message + " The flight would not have the same bits as elsewhere.");
}

/// Keeps the compiler from computing at compile time, where rounding is always to nearest.
double opaque(double value) {
  volatile double copy = value;
  return copy;
}

/// Ties and just-above-ties on both sides of zero: together they exclude the other three modes.
bool rounds_to_nearest() {
  const double one = opaque(1.0);
  const double tie = opaque(0x1p-53);
  const double above_tie = opaque(0x1.8p-53);
  return std::fegetround() == FE_TONEAREST && one + tie == 1.0 && one + above_tie > 1.0 &&
         -one - tie == -1.0 && -one - above_tie < -1.0;
}

/// DBL_MIN / 2 is exact as a subnormal.
bool keeps_subnormal_results() { return opaque(0x1p-1022) * opaque(0.5) == 0x1p-1023; }

/// The smallest subnormal times 2^100 is a normal number.
bool keeps_subnormal_operands() { return opaque(0x1p-1074) * opaque(0x1p100) == 0x1p-974; }

const char* describe(detail::FpDefect defect) {
  switch (defect) {
    case detail::FpDefect::kNone: return "no defect";
    case detail::FpDefect::kContraction: return "a*b+c contracted to a fused multiply-add";
    case detail::FpDefect::kFusedNeighbours:
      return "a*b-c and d*e+f fused by the vectoriser of g++ (add -fno-tree-vectorize)";
    case detail::FpDefect::kReassociation: return "sums reassociated";
    case detail::FpDefect::kReciprocal: return "division replaced by a reciprocal";
    case detail::FpDefect::kSignedZero: return "the sign of zero ignored";
  }
  return "";
}

void check_translation_units() {
  const char* source = nullptr;
  auto found = detail::FpDefect::kNone;
  detail::FpProbe::run_all([&](detail::FpDefect defect, const char* file) {
    found = defect;
    source = file;
  });
  if (found == detail::FpDefect::kNone) return;
  refuse(std::string(source) +
         " was compiled with other floating-point rules than Tactus: " + describe(found) +
         ". Compile it with -ffp-contract=off and without -ffast-math or its parts; a CMake target "
         "that links tactus::tactus gets the flags by itself.");
}

/// A number of either sign whose magnitude is spread evenly over the binary exponents low … high.
double spread(const RandomStream& random, std::uint64_t tick, std::uint32_t channel, int low,
              int high) {
  const PhiloxBlock bits = random.bits(tick, channel);
  const auto exponent =
      static_cast<std::uint64_t>(1023 + low) + bits.word[2] % static_cast<unsigned>(high - low + 1);
  const std::uint64_t mantissa = (std::uint64_t{bits.word[0]} << 20) ^ bits.word[1];
  const std::uint64_t sign = bits.word[3] >> 31;
  return math::from_bits((sign << 63) | (exponent << 52) | (mantissa & 0xfffffffffffffu));
}

void add_elementary_functions(Digest& digest, const RandomStream& random, std::uint64_t tick) {
  const double any = spread(random, tick, 0, -1022, 1023);
  const double moderate = spread(random, tick, 1, -30, 9);
  const double other = spread(random, tick, 2, -30, 9);
  const double unit = 2.0 * random.uniform(tick, 3) - 1.0;
  const double angle = 100.0 * unit;
  const double positive = math::abs(any);
  double sine = 0.0;
  double cosine = 0.0;
  math::sincos(angle, &sine, &cosine);
  const double values[] = {sine,
                           cosine,
                           math::sin(any),
                           math::cos(any),
                           math::tan(angle),
                           math::tan(any),
                           math::asin(unit),
                           math::acos(unit),
                           math::atan(moderate),
                           math::atan2(moderate, other),
                           math::atan2(any, other),
                           math::exp(moderate),
                           math::expm1(moderate),
                           math::expm1(unit),
                           math::log(positive),
                           math::log(1.0 + 0.1 * unit),
                           math::log1p(unit),
                           math::log1p(positive),
                           math::pow(math::abs(moderate), other),
                           math::pow(positive, unit),
                           math::cbrt(any),
                           math::hypot(moderate, other),
                           math::hypot(any, moderate),
                           math::sqrt(positive),
                           math::floor(angle),
                           math::ceil(angle),
                           math::trunc(angle),
                           math::round(angle),
                           math::rint(angle),
                           math::wrap_pi(angle)};
  digest.add(std::span<const double>(values));
}

void add_rotations(Digest& digest, const RandomStream& random, std::uint64_t tick) {
  const Vec3 v = random.normal3(tick);
  const Quat q = exp_rotation(random.normal3(tick, 1));
  const Vec3 rotated = rotate(q, cross(v, rotate_inverse(q, v)));
  const Vec3 logarithm = log_rotation(q);
  const Vec3 solved = inverse(Mat3::diagonal({1.0, 2.0, 3.0}) + outer(v, v)) * rotated;
  const double values[] = {
      v.x,       v.y,      v.z,         rotated.x,   rotated.y,
      rotated.z, q.w,      logarithm.x, logarithm.y, logarithm.z,
      solved.x,  solved.y, solved.z,    norm(v),     attitude_distance(q, Quat{})};
  digest.add(std::span<const double>(values));
}

}  // namespace

void check_floating_point() {
  if (!rounds_to_nearest()) {
    refuse(
        "The rounding mode of this thread is not to nearest: call std::fesetround(FE_TONEAREST) "
        "or find the library that changed it.");
  }
  if (!keeps_subnormal_results() || !keeps_subnormal_operands()) {
    refuse(
        "This thread flushes subnormal numbers to zero: a library built with -ffast-math was "
        "loaded, or this program was linked with -ffast-math or -Ofast (both set FTZ and DAZ at "
        "start). Build and link without, or clear the bits.");
  }
  check_translation_units();
}

Digest128 known_answer() {
  constexpr std::uint64_t kSamples = 500;
  constexpr RandomStream random(0, "known answer");
  Digest digest;
  for (std::uint64_t tick = 0; tick < kSamples; ++tick) {
    add_elementary_functions(digest, random, tick);
    add_rotations(digest, random, tick);
  }
  return digest.result();
}

void run_known_answer_probe() {
  static const Digest128 answer = known_answer();
  if (answer == kKnownAnswer) return;
  refuse("The known-answer probe gives " + to_hex(answer) + " instead of " + to_hex(kKnownAnswer) +
         ": this build or processor computes differently. Rebuild with the flags of "
         "tactus::floating_point; if it persists, report compiler and processor.");
}

void require_same_bits() {
  check_floating_point();
  run_known_answer_probe();
}

}  // namespace tactus
