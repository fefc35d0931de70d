// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/state_archive.h"

#include <fmt/format.h>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

/// Names of parts, sources and events; anything longer is not ours.
constexpr std::uint32_t kLongestText = 4096;

}  // namespace

void StateWriter::append(std::uint64_t bits, std::size_t size) {
  TACTUS_ASSERT(size >= 1 && size <= sizeof bits, "a number of one to eight bytes");
  for (std::size_t i = 0; i < size; ++i) {
    bytes_.push_back(static_cast<std::byte>(bits >> (8 * i)));
  }
}

void StateWriter::begin(std::string_view part, std::uint64_t layout) {
  TACTUS_ASSERT(!part.empty(), "a part that has a name");
  add_text(part);
  add(layout);
}

void StateWriter::add_text(std::string_view text) {
  TACTUS_ASSERT(text.size() <= kLongestText, "a text of this length cannot be read back");
  add(static_cast<std::uint32_t>(text.size()));
  add_bytes(std::as_bytes(std::span(text)));
}

void StateWriter::add_bytes(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void StateWriter::add_numbers(std::string_view part, std::span<const double> numbers) {
  begin(part, numbers.size());
  for (const double number : numbers) add(number);
}

std::uint64_t StateReader::take(std::size_t size) {
  TACTUS_ASSERT(position_ <= bytes_.size(), "a place in the bytes");
  TACTUS_ASSERT(size >= 1 && size <= sizeof(std::uint64_t), "a number of one to eight bytes");
  if (bytes_.size() - position_ < size) refuse("ends too early");
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    bits |= std::to_integer<std::uint64_t>(bytes_[position_ + i]) << (8 * i);
  }
  position_ += size;
  return bits;
}

void StateReader::begin(std::string_view part, std::uint64_t layout) {
  const std::string found = get_text();
  if (found != part) refuse(fmt::format("holds \"{}\" where \"{}\" is expected", found, part));
  if (get<std::uint64_t>() != layout) {
    refuse(fmt::format("has other fields in \"{}\" than this program", part));
  }
}

std::string StateReader::get_text() {
  const auto size = get<std::uint32_t>();
  if (size > kLongestText) refuse("holds numbers where a name is expected");
  std::string text(size, '\0');
  get_bytes(std::as_writable_bytes(std::span(text)));
  return text;
}

void StateReader::get_bytes(std::span<std::byte> bytes) {
  if (bytes_.size() - position_ < bytes.size()) refuse("ends too early");
  if (!bytes.empty()) std::memcpy(bytes.data(), bytes_.data() + position_, bytes.size());
  position_ += bytes.size();
}

int StateReader::get_count(int most) {
  TACTUS_ASSERT(most >= 0, "a limit that can be kept");
  const int count = get<int>();
  if (count < 0 || count > most) refuse(fmt::format("counts {} of at most {}", count, most));
  return count;
}

void StateReader::get_numbers(std::string_view part, std::span<double> numbers) {
  begin(part, numbers.size());
  for (double& number : numbers) number = get<double>();
}

void StateReader::require_same_text(std::string_view what, std::string_view here) {
  const std::string saved = get_text();
  if (saved != here) refuse_shape(what, saved, here);
}

void StateReader::refuse(std::string_view reason) const {
  throw Error(ExitCode::kBadInput,
              fmt::format("the saved state {} (byte {} of {}); it was written by another version "
                          "of the program, or altered",
                          reason, position_, bytes_.size()));
}

void StateReader::refuse_shape(std::string_view what, std::string_view saved,
                               std::string_view here) {
  throw Error(ExitCode::kBadInput,
              fmt::format("a flight cannot go on with another shape of its state: {} was {}, and "
                          "is {} here",
                          what, saved, here));
}

}  // namespace tactus
