// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What an external program sent, for the recording. An autopilot sends some ten kilobytes in a
// second of simulated time; one that sends without end must fill neither the memory nor the disk.
// So kMostPerSecond bytes of each second are kept; what is beyond is left out by whole pieces,
// counted and reported. The flight itself still uses it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/time.h"

namespace tactus {

/// For notes of an autopilot of which something was left out.
inline constexpr const char* kLeftOut = "sends more than recordings keep";

class KeptBytes {
 public:
  static constexpr std::size_t kMostPerSecond = std::size_t{1} << 20U;

  /// Time never goes back.
  void add(std::span<const std::byte> piece, TimeUs now);
  /// All that was kept since the last call.
  std::vector<std::byte> take();
  [[nodiscard]] bool left_out() const { return pieces_left_out_ > 0; }
  /// "px4_hil: 2000 pieces with 120000000 bytes are left out of recordings, …"; empty: none are.
  [[nodiscard]] std::string left_out_text(std::string_view peer) const;

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t second_ = 0;  ///< of the flight
  std::size_t kept_in_second_ = 0;
  std::uint64_t pieces_left_out_ = 0;
  std::uint64_t bytes_left_out_ = 0;
  TimeUs first_left_out_;
};

}  // namespace tactus
