// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/net/kept_bytes.h"

#include <fmt/format.h>

#include <utility>

namespace tactus {
namespace {

constexpr std::uint64_t kSecond_us = 1'000'000;

}  // namespace

void KeptBytes::add(std::span<const std::byte> piece, TimeUs now) {
  if (piece.empty()) return;
  const std::uint64_t second = now.us / kSecond_us;
  if (std::exchange(second_, second) != second) kept_in_second_ = 0;
  if (piece.size() > kMostPerSecond - kept_in_second_) {
    if (pieces_left_out_++ == 0) first_left_out_ = now;
    bytes_left_out_ += piece.size();
    return;
  }
  kept_in_second_ += piece.size();
  bytes_.insert(bytes_.end(), piece.begin(), piece.end());
}

std::vector<std::byte> KeptBytes::take() { return std::exchange(bytes_, {}); }

std::string KeptBytes::left_out_text(std::string_view peer) const {
  if (pieces_left_out_ == 0) return {};
  return fmt::format(
      "{}: {} pieces with {} bytes are left out of recordings, the first at t = {}: it sends more "
      "than {} bytes in a second of the flight",
      peer, pieces_left_out_, bytes_left_out_, to_text(first_left_out_), kMostPerSecond);
}

}  // namespace tactus
