// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/mavlink/mavlink.h"

#include <algorithm>

namespace tactus::mavlink {
namespace {

std::uint16_t checksum_of(std::span<const std::byte> bytes, std::uint8_t extra) {
  std::uint16_t crc = kChecksumStart;
  for (const std::byte byte : bytes) crc = checksum(crc, std::to_integer<std::uint8_t>(byte));
  return checksum(crc, extra);
}

std::uint8_t at(const std::byte* bytes, std::size_t i) {
  return std::to_integer<std::uint8_t>(bytes[i]);
}

/// What the first bytes of a frame say.
struct Header {
  std::size_t size = 0;
  std::size_t payload = 0;
  std::uint32_t id = 0;
  bool has_signature = false;

  [[nodiscard]] std::size_t frame_size() const {
    return size + payload + kChecksumBytes + (has_signature ? kSignatureBytes : 0);
  }
};

Header read_header(const std::byte* bytes) {
  Header header;
  header.payload = at(bytes, 1);
  if (at(bytes, 0) == kMagic1) {
    header.size = kHeader1;
    header.id = at(bytes, 5);
    return header;
  }
  header.size = kHeader2;
  header.has_signature = (at(bytes, 2) & kSignedFlag) != 0;
  header.id = at(bytes, 7) | std::uint32_t{at(bytes, 8)} << 8u | std::uint32_t{at(bytes, 9)} << 16u;
  return header;
}

Frame read_frame(const std::byte* bytes, const Header& header, const MessageTable& table) {
  Frame frame;
  frame.message = &table;
  frame.version = header.size == kHeader1 ? 1 : 2;
  if (frame.version == 2) {
    frame.incompatible_flags = at(bytes, 2);
    frame.compatible_flags = at(bytes, 3);
  }
  frame.sequence = at(bytes, frame.version == 1 ? 2 : 4);
  frame.system = at(bytes, frame.version == 1 ? 3 : 5);
  frame.component = at(bytes, frame.version == 1 ? 4 : 6);
  frame.payload = {bytes + header.size, header.payload};
  frame.bytes = {bytes, header.frame_size()};
  return frame;
}

}  // namespace

namespace detail {

EncodedFrame make_frame(const MessageTable& table, const std::byte* payload, Sender& sender) {
  std::size_t length = table.size;
  while (length > 1 && payload[length - 1] == std::byte{0}) --length;
  EncodedFrame frame;
  const std::uint8_t header[kHeader2] = {kMagic2,
                                         static_cast<std::uint8_t>(length),
                                         0,
                                         0,
                                         sender.sequence++,
                                         sender.system,
                                         sender.component,
                                         static_cast<std::uint8_t>(table.id),
                                         static_cast<std::uint8_t>(table.id >> 8u),
                                         static_cast<std::uint8_t>(table.id >> 16u)};
  std::memcpy(frame.data.data(), header, kHeader2);
  std::memcpy(frame.data.data() + kHeader2, payload, length);
  frame.size = kHeader2 + length + kChecksumBytes;
  const std::uint16_t crc =
      checksum_of({frame.data.data() + 1, kHeader2 - 1 + length}, table.crc_extra);
  store(crc, frame.data.data() + kHeader2 + length);
  return frame;
}

}  // namespace detail

std::size_t Parser::append(std::span<const std::byte> bytes) {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  // Less than a frame is ever left over, so there is room.
  const std::size_t count = std::min(bytes.size(), buffer_.size() - end_);
  std::memcpy(buffer_.data() + end_, bytes.data(), count);
  end_ += count;
  return count;
}

bool Parser::next(Frame& frame) {
  while (begin_ < end_) {
    const Found found = find(frame);
    if (found == Found::kIncomplete) return false;
    if (found == Found::kFrame) {
      begin_ += frame.bytes.size();
      inside_ = 0;
      ++counts_.frames;
      return true;
    }
    drop_one();
  }
  return false;
}

Parser::Found Parser::find(Frame& frame) {
  const std::byte* const bytes = buffer_.data() + begin_;
  const std::size_t available = end_ - begin_;
  const std::uint8_t magic = at(bytes, 0);
  if (magic != kMagic1 && magic != kMagic2) return Found::kNothing;
  if (available < (magic == kMagic1 ? kHeader1 : kHeader2)) return Found::kIncomplete;
  // Unknown flags mean that we could misread the frame.
  if (magic == kMagic2 && (at(bytes, 2) & ~kSignedFlag) != 0) return Found::kNothing;
  const Header header = read_header(bytes);
  const MessageTable* const table = find_message(header.id);
  if (table == nullptr) {
    count_bad(counts_.unknown, header.frame_size());
    return Found::kNothing;
  }
  if (magic == kMagic1 && header.payload != table->base_size) return Found::kNothing;
  if (available < header.frame_size()) return Found::kIncomplete;
  const std::uint16_t crc =
      checksum_of({bytes + 1, header.size - 1 + header.payload}, table->crc_extra);
  std::uint16_t sent = 0;
  detail::fetch(sent, bytes + header.size + header.payload);
  if (crc != sent) {
    count_bad(counts_.bad_checksum, header.frame_size());
    return Found::kNothing;
  }
  frame = read_frame(bytes, header, *table);
  return Found::kFrame;
}

/// Counts a frame that is not good once, not again for what looks like a beginning inside it.
void Parser::count_bad(std::uint64_t& counter, std::size_t frame_size) {
  if (inside_ > 0) return;
  ++counter;
  inside_ = frame_size;
}

void Parser::drop_one() {
  ++begin_;
  ++counts_.skipped_bytes;
  if (inside_ > 0) --inside_;
}

bool Parser::give_up_first() {
  if (begin_ == end_) return false;
  drop_one();
  return true;
}

}  // namespace tactus::mavlink
