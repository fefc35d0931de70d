// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/conduct/simulator_clock.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "tactus/core/math.h"
#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages_hil.h"

namespace tactus {
namespace {

using conductor::RecordKind;

constexpr std::uint32_t kDatagrams = 0;
constexpr std::uint64_t kEnd_us = std::uint64_t{1} << 52U;  // no simulator means a time beyond
constexpr std::int64_t kLongestStep_ns = 60'000'000'000;

bool is_magic(std::byte first) {
  const auto value = std::to_integer<std::uint8_t>(first);
  return value == mavlink::kMagic1 || value == mavlink::kMagic2;
}

/// Of the message that these bytes begin with; 0: not known yet. What is no MAVLink goes on up to
/// where a frame may begin.
std::size_t length_of_first(std::span<const std::byte> bytes) {
  constexpr std::size_t kHeader1 = 6;
  constexpr std::size_t kHeader2 = 10;
  constexpr std::size_t kChecksum = 2;
  constexpr std::size_t kSignature = 13;
  if (!is_magic(bytes[0])) {
    return static_cast<std::size_t>(std::ranges::find_if(bytes, is_magic) - bytes.begin());
  }
  if (bytes.size() < 3) return 0;
  const auto payload = std::to_integer<std::size_t>(bytes[1]);
  std::size_t size = payload + kChecksum;
  if (std::to_integer<std::uint8_t>(bytes[0]) == mavlink::kMagic1) {
    size += kHeader1;
  } else {
    const auto flags = std::to_integer<std::uint8_t>(bytes[2]);
    size += kHeader2 + ((flags & mavlink::kSignedFlag) != 0 ? kSignature : 0);
  }
  return size <= bytes.size() ? size : 0;
}

std::optional<std::int64_t> time_of_frame(std::span<const std::byte> bytes) {
  std::optional<std::int64_t> time_ns;
  mavlink::Parser parser;
  parser.feed_datagram(bytes, [&time_ns](const mavlink::Frame& frame) {
    mavlink::if_is<mavlink::HilSensor>(frame, [&time_ns](const mavlink::HilSensor& sensor) {
      if (sensor.time_usec < kEnd_us) time_ns = static_cast<std::int64_t>(sensor.time_usec) * 1000;
    });
  });
  return time_ns;
}

std::optional<std::int64_t> time_of_json(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.find("\"timestamp\"") == std::string_view::npos) return std::nullopt;
  const DecodedReply decoded = decode_physics_reply(text);
  if (decoded.kind != DecodedReply::Kind::kGood && decoded.kind != DecodedReply::Kind::kWrong)
    return std::nullopt;
  bool fits = false;
  const std::int64_t time_us = math::to_int64(math::round(decoded.reply.timestamp_s * 1e6), fits);
  if (!fits || time_us < 0 || time_us >= static_cast<std::int64_t>(kEnd_us)) return std::nullopt;
  return time_us * 1000;
}

}  // namespace

void SimulatorClock::take(Message message, std::vector<Step>& steps) {
  const std::uint32_t id = message.header.id;
  switch (message.header.kind) {
    case RecordKind::kStream: return cut(message, steps);
    case RecordKind::kClosed: {
      const auto rest = unfinished_.find(id);
      if (rest != unfinished_.end()) {
        Message last{message.header, std::move(rest->second)};
        last.header.kind = RecordKind::kStream;
        if (!last.bytes.empty()) steps.push_back({std::move(last), std::nullopt});
        unfinished_.erase(rest);
      }
      if (source_ == id) source_.reset();
      break;
    }
    default: break;
  }
  std::optional<std::int64_t> since;
  if (message.header.kind == RecordKind::kDatagram) since = told(kDatagrams, message.bytes);
  steps.push_back({std::move(message), since});
}

void SimulatorClock::cut(const Message& message, std::vector<Step>& steps) {
  const std::uint32_t id = message.header.id;
  std::vector<std::byte>& bytes = unfinished_[id];
  bytes.insert(bytes.end(), message.bytes.begin(), message.bytes.end());
  std::size_t begin = 0;
  while (begin < bytes.size()) {
    const std::size_t size = length_of_first(std::span(bytes).subspan(begin));
    if (size == 0) break;
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
    Message one{message.header, {first, first + static_cast<std::ptrdiff_t>(size)}};
    const std::optional<std::int64_t> since = told(id, one.bytes);
    steps.push_back({std::move(one), since});
    begin += size;
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(begin));
}

/// Only one tells the time. A program would be at work for ages to get over a long gap, so its time
/// stands while a simulator sets its clock.
std::optional<std::int64_t> SimulatorClock::told(std::uint32_t source,
                                                 const std::vector<std::byte>& bytes) {
  if (source_ && source_ != source) return std::nullopt;
  const std::optional<std::int64_t> time_ns =
      source == kDatagrams ? time_of_json(bytes) : time_of_frame(bytes);
  if (!time_ns) return std::nullopt;
  if (!source_) {
    source_ = source;
    first_ns_ = last_ns_ = *time_ns;
  }
  if (*time_ns - last_ns_ > kLongestStep_ns) first_ns_ += *time_ns - last_ns_;
  last_ns_ = *time_ns;
  return *time_ns - first_ns_;
}

}  // namespace tactus
