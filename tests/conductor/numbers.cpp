// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Functions of which the C library has several variants, one for each kind of processor: a digest
// of their results, one line per function. Compiled without the compiler's own versions of them.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cwchar>

namespace {

class Digest {
 public:
  template <class T>
  void add(T value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) digest_ = (digest_ ^ byte) * kPrime;
  }
  void print(const char* name) const {
    std::printf("%-10s %016llx\n", name, static_cast<unsigned long long>(digest_));
  }

 private:
  static constexpr std::uint64_t kPrime = 1099511628211U;
  std::uint64_t digest_ = 14695981039346656037U;
};

/// Numbers of many sizes, the same on every machine.
class Numbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    const double mantissa = static_cast<double>(state_ >> 11U) * 0x1p-53;
    return std::ldexp(mantissa - 0.5, static_cast<int>(state_ % 24U) - 12);
  }

 private:
  std::uint64_t state_ = 1;
};

constexpr int kCount = 20'000;

template <class T, class Function>
void one(const char* name, Function function) {
  Numbers numbers;
  Digest digest;
  for (int i = 0; i < kCount; ++i) {
    const T result = function(static_cast<T>(numbers.next()));
    digest.add(std::isnan(result) ? T(0) : result);  // NaN has many bit patterns
  }
  digest.print(name);
}

template <class T, class Function>
void two(const char* name, Function function) {
  Numbers numbers;
  Digest digest;
  for (int i = 0; i < kCount; ++i) {
    const auto first = static_cast<T>(numbers.next());
    const T result = function(std::fabs(first), static_cast<T>(numbers.next()));
    digest.add(std::isnan(result) ? T(0) : result);
  }
  digest.print(name);
}

void mathematics() {
  one<double>("sin", [](double x) { return sin(x); });
  one<double>("cos", [](double x) { return cos(x); });
  one<double>("tan", [](double x) { return tan(x); });
  one<double>("atan", [](double x) { return atan(x); });
  one<double>("asin", [](double x) { return asin(x); });
  one<double>("exp", [](double x) { return exp(x); });
  one<double>("log", [](double x) { return log(fabs(x)); });
  one<double>("exp2", [](double x) { return exp2(x); });
  one<double>("log2", [](double x) { return log2(fabs(x)); });
  one<double>("sinh", [](double x) { return sinh(x / 64); });
  one<double>("tanh", [](double x) { return tanh(x); });
  one<double>("cbrt", [](double x) { return cbrt(x); });
  one<double>("round", [](double x) { return rint(x) + floor(x) + ceil(x) + trunc(x) + round(x); });
  two<double>("atan2", [](double x, double y) { return atan2(y, x); });
  two<double>("pow", [](double x, double y) { return pow(x, y / 64); });
  two<double>("hypot", [](double x, double y) { return hypot(x, y); });
  two<double>("fmod", [](double x, double y) { return fmod(x, y); });
  two<double>("fma", [](double x, double y) { return fma(x, y, 1.0 / 3); });
  one<float>("sinf", [](float x) { return sinf(x); });
  one<float>("cosf", [](float x) { return cosf(x); });
  one<float>("tanf", [](float x) { return tanf(x); });
  one<float>("expf", [](float x) { return expf(x); });
  one<float>("logf", [](float x) { return logf(fabsf(x)); });
  two<float>("atan2f", [](float x, float y) { return atan2f(y, x); });
  two<float>("powf", [](float x, float y) { return powf(x, y / 64); });
}

/// Every length and distance from a boundary, so that all paths of a variant are taken.
void texts() {
  constexpr int kMost = 300;
  char from[2 * kMost];
  char to[2 * kMost];
  Digest digest;
  for (int length = 0; length < kMost; ++length) {
    for (int shift = 0; shift < 64; shift += 7) {
      for (int i = 0; i < 2 * kMost; ++i) from[i] = static_cast<char>(1 + (i * 7 + length) % 255);
      memset(to, length % 127, sizeof to);
      memcpy(to + shift, from, static_cast<std::size_t>(length));
      memmove(to + 3, to, static_cast<std::size_t>(length));
      from[length] = 0;
      digest.add(strlen(from));
      const int order = memcmp(from, to, static_cast<std::size_t>(length) + 1);
      digest.add(order > 0 ? 1 : order < 0 ? -1 : 0);
      const void* const found = memchr(from, 'x', static_cast<std::size_t>(length));
      digest.add(found ? static_cast<const char*>(found) - from : -1);
      const char* const last = strrchr(from, 'y');
      digest.add(last ? last - from : -1);
      strncpy(to + length, from, static_cast<std::size_t>(shift));
      for (const char byte : to) digest.add(byte);
    }
  }
  digest.print("texts");
}

}  // namespace

int main() {
  mathematics();
  texts();
}
