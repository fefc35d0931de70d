// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/digest.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <new>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/state_archive.h"

// Compiled in rather than linked: cross builds need no library of the target, and the hash is the
// same whatever version is installed where the program runs.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tactus {
namespace {

XXH3_state_t* as_state(std::byte* bytes) {
  return std::launder(reinterpret_cast<XXH3_state_t*>(bytes));
}

const XXH3_state_t* as_state(const std::byte* bytes) {
  return std::launder(reinterpret_cast<const XXH3_state_t*>(bytes));
}

void append_hex(std::string& text, std::uint64_t value) {
  for (int shift = 60; shift >= 0; shift -= 4) {
    text.push_back("0123456789abcdef"[(value >> shift) & 15u]);
  }
}

}  // namespace

Digest::Digest() {
  static_assert(sizeof(XXH3_state_t) == kStateSize && alignof(XXH3_state_t) <= 64);
  static_assert(std::is_trivially_copyable_v<Digest>);
  XXH3_128bits_reset(new (state_) XXH3_state_t{});
}

void Digest::add_bytes(std::span<const std::byte> bytes) {
  XXH3_128bits_update(as_state(state_), bytes.data(), bytes.size());
}

void Digest::add_little_endian(std::uint64_t bits, std::size_t size) {
  std::byte bytes[8];
  TACTUS_ASSERT(size >= 1 && size <= sizeof bytes, "a number of one to eight bytes");
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(bits >> (8 * i));
  add_bytes({bytes, size});
}

void Digest::add(std::span<const double> values) {
  std::uint64_t bits[Packer::kSize / sizeof(double)];
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), std::size(bits));
    for (std::size_t i = 0; i < count; ++i) bits[i] = canonical_bits(values[i]);
    add_bytes(std::as_bytes(std::span(bits, count)));
    values = values.subspan(count);
  }
}

void Digest::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  add_bytes(std::as_bytes(std::span(text)));
}

Digest128 Digest::result() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(as_state(state_));
  return {hash.high64, hash.low64};
}

void Digest::save(StateWriter& to) const {
  const XXH3_state_t& state = *as_state(state_);
  to.begin("digest", XXH_VERSION_NUMBER);
  for (const XXH64_hash_t sum : state.acc) to.add(sum);
  to.add_bytes(std::as_bytes(std::span(state.buffer)));
  to.add(state.bufferedSize);
  to.add(std::uint64_t{state.nbStripesSoFar});
  to.add(state.totalLen);
}

void Digest::load(StateReader& from) {
  XXH3_state_t& state = *as_state(state_);
  XXH3_128bits_reset(&state);  // which also sets what points into this process
  from.begin("digest", XXH_VERSION_NUMBER);
  for (XXH64_hash_t& sum : state.acc) sum = from.get<XXH64_hash_t>();
  from.get_bytes(std::as_writable_bytes(std::span(state.buffer)));
  state.bufferedSize = from.get<XXH32_hash_t>();
  state.nbStripesSoFar = from.get<std::uint64_t>();
  state.totalLen = from.get<XXH64_hash_t>();
  const bool fits =
      state.bufferedSize <= sizeof state.buffer && state.nbStripesSoFar <= state.nbStripesPerBlock;
  if (!fits) from.refuse("holds a digest that is none");
}

std::string to_hex(Digest128 digest) {
  std::string text;
  append_hex(text, digest.high);
  append_hex(text, digest.low);
  return text;
}

Digest128 digest_from_hex(std::string_view text) {
  const auto parse = [](std::string_view part, std::uint64_t& value) {
    const char* const end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data(), end, value, 16);
    return error == std::errc() && stop == end;
  };
  Digest128 digest;
  if (text.size() != 32 || !parse(text.substr(0, 16), digest.high) ||
      !parse(text.substr(16), digest.low)) {
    throw Error(ExitCode::kBadInput,
                "\"" + std::string(text) + "\" is not a digest: 32 hexadecimal digits are needed.");
  }
  return digest;
}

}  // namespace tactus
