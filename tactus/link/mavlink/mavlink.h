// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// MAVLink framing: messages to bytes and bytes to messages. Version 2 is written, 1 and 2 are read.
//
//   Sender sender{.system = 255, .component = 190};
//   const EncodedFrame frame = encode(heartbeat, sender);        // send frame.bytes()
//
//   parser.feed(bytes, [](const Frame& frame) {
//     Heartbeat heartbeat;
//     if (decode(frame, heartbeat)) …
//   });
//
// Frame, version 2:  FD length incompat compat sequence system component id[3] payload crc[2]
// Frame, version 1:  FE length sequence system component id payload crc[2]
// Numbers are little endian. In version 2 trailing zeros of the payload are cut off, down to one
// byte, and bit 0 of incompat says that a signature of 13 bytes follows; it is not checked.
// Nothing here allocates.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "tactus/link/mavlink/mavlink_table.h"

namespace tactus::mavlink {

inline constexpr std::size_t kMaxPayload = 255;
inline constexpr std::size_t kHeader1 = 6;
inline constexpr std::size_t kHeader2 = 10;
inline constexpr std::size_t kChecksumBytes = 2;
inline constexpr std::size_t kSignatureBytes = 13;
inline constexpr std::size_t kMaxFrame = kHeader2 + kMaxPayload + kChecksumBytes + kSignatureBytes;

inline constexpr std::uint8_t kMagic1 = 0xFE;
inline constexpr std::uint8_t kMagic2 = 0xFD;
inline constexpr std::uint8_t kSignedFlag = 1;

/// Who speaks. The sequence number counts the frames of this sender.
struct Sender {
  std::uint8_t system = 255;
  std::uint8_t component = 190;
  std::uint8_t sequence = 0;
};

struct EncodedFrame {
  std::array<std::byte, kMaxFrame> data{};
  std::size_t size = 0;
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data.data(), size}; }
};

/// A good frame. The views hold during the call that hands it out.
struct Frame {
  const MessageTable* message = nullptr;
  std::uint8_t version = 2;
  std::uint8_t incompatible_flags = 0;
  std::uint8_t compatible_flags = 0;
  std::uint8_t sequence = 0;
  std::uint8_t system = 0;
  std::uint8_t component = 0;
  std::span<const std::byte> payload;  ///< as sent: may be shorter or longer than the message
  std::span<const std::byte> bytes;    ///< all of it

  [[nodiscard]] std::uint32_t id() const { return message->id; }
};

namespace detail {

/// Header, checksum and truncation around a payload of `table.size` bytes.
EncodedFrame make_frame(const MessageTable& table, const std::byte* payload, Sender& sender);

/// Integer that carries the bits of a T.
template <class T>
using Bits = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <class T>
void store(T value, std::byte* to) {
  Bits<T> bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T); ++i) to[i] = static_cast<std::byte>(bits >> (8 * i));
}

template <class T>
void fetch(T& value, const std::byte* from) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bits |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
  const auto narrow = static_cast<Bits<T>>(bits);
  std::memcpy(&value, &narrow, sizeof(T));
}

/// act(value, place of it in the payload) for every number of the message.
template <class M, class Act>
void for_each_number(M& message, Act act) {
  const FieldTable* field = kTable<std::remove_cv_t<M>>.fields.data();
  std::remove_cv_t<M>::visit_fields(message,
                                    [&](const char*, const char*, auto& member, const char* = "") {
                                      std::size_t offset = (field++)->offset;
                                      for_each_value(member, [&](auto& value) {
                                        act(value, offset);
                                        offset += sizeof(value);
                                      });
                                    });
}

}  // namespace detail

/// One frame of version 2; counts the sender's sequence on.
template <Message M>
EncodedFrame encode(const M& message, Sender& sender) {
  std::array<std::byte, kMaxPayload> payload{};
  detail::for_each_number(message, [&payload](const auto& value, std::size_t offset) {
    detail::store(value, payload.data() + offset);
  });
  return detail::make_frame(kTable<M>, payload.data(), sender);
}

/// False, and `message` untouched, if the frame carries another message. What was cut off is 0.
template <Message M>
bool decode(const Frame& frame, M& message) {
  if (frame.message != &kTable<M>) return false;
  std::array<std::byte, kMaxPayload> payload{};
  std::memcpy(payload.data(), frame.payload.data(), frame.payload.size());
  detail::for_each_number(message, [&payload](auto& value, std::size_t offset) {
    detail::fetch(value, payload.data() + offset);
  });
  return true;
}

/// Hands the message of the frame to `take` if it is an M.
template <Message M, class Take>
bool if_is(const Frame& frame, Take&& take) {
  M message;
  if (!decode(frame, message)) return false;
  take(static_cast<const M&>(message));
  return true;
}

/// What a parser met.
struct ParserCounts {
  std::uint64_t frames = 0;
  std::uint64_t bad_checksum = 0;
  std::uint64_t unknown = 0;        ///< frames whose message we have no table for
  std::uint64_t skipped_bytes = 0;  ///< that belonged to no good frame
};

/// Finds frames in a stream of bytes. How the stream is cut into calls does not matter. A beginning
/// that turns out to be none costs one byte, so a good frame behind or inside it is found.
class Parser {
 public:
  /// take(const Frame&) for every good frame of a known message, in order.
  template <class Take>
  void feed(std::span<const std::byte> bytes, Take&& take) {
    while (!bytes.empty()) {
      bytes = bytes.subspan(append(bytes));
      Frame frame;
      while (next(frame)) take(static_cast<const Frame&>(frame));
    }
  }

  /// The same for a datagram: frames do not reach over its end, so a beginning that does is none.
  template <class Take>
  void feed_datagram(std::span<const std::byte> bytes, Take&& take) {
    feed(bytes, take);
    Frame frame;
    while (give_up_first()) {
      while (next(frame)) take(static_cast<const Frame&>(frame));
    }
  }

  [[nodiscard]] const ParserCounts& counts() const { return counts_; }

 private:
  enum class Found : std::uint8_t { kFrame, kNothing, kIncomplete };

  std::size_t append(std::span<const std::byte> bytes);
  bool next(Frame& frame);
  Found find(Frame& frame);
  void count_bad(std::uint64_t& counter, std::size_t frame_size);
  void drop_one();
  bool give_up_first();

  std::array<std::byte, 2 * kMaxFrame> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t inside_ = 0;  ///< bytes ahead that were counted as a frame which is not good
  ParserCounts counts_;
};

/// Text of a fixed-length field: up to its first zero.
template <std::size_t n>
std::string_view text_of(const char (&field)[n]) {
  return {field, strnlen(field, n)};
}

/// Cuts what does not fit; fills with zeros.
template <std::size_t n>
void set_text(char (&field)[n], std::string_view text) {
  std::memset(field, 0, n);
  std::memcpy(field, text.data(), text.size() < n ? text.size() : n);
}

}  // namespace tactus::mavlink
