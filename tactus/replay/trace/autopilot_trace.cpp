// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/trace/autopilot_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/core/printable.h"
#include "tactus/core/text.h"
#include "tactus/link/ardupilot/ardupilot_json.h"
#include "tactus/link/mavlink/mavlink.h"

namespace tactus {
namespace {

using mavlink::FieldTable;
using mavlink::FieldType;
using mavlink::MessageTable;

constexpr std::size_t kMostShown = 60;  // characters of a message that is text

std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

TraceKind kind_of(std::string_view word) {
  if (word == "thread") return TraceKind::kSwitch;
  if (word == "in") return TraceKind::kReceived;
  if (word == "out") return TraceKind::kSent;
  return word == "call" ? TraceKind::kCall : TraceKind::kEvent;
}

/// "in datagram 14580 14540 0 fd09…"
struct TracedMessage {
  bool received = false;
  std::string_view what;
  std::string_view own_port;
  std::string_view peer_port;
  std::string_view connection;
  std::string bytes;

  [[nodiscard]] bool is_stream() const { return what != "datagram"; }
};

/// Of digits, or of a text between quotes.
std::string bytes_of(std::string_view digits) {
  std::string bytes;
  if (digits.starts_with('"')) {
    for (std::size_t i = 1; i + 1 < digits.size(); ++i) {
      const bool escaped = digits[i] == '\\';
      if (escaped) ++i;
      bytes += escaped && digits[i] == 'n' ? '\n' : digits[i];
    }
    return bytes;
  }
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

std::optional<TracedMessage> message_of(const TraceEntry& entry) {
  if (entry.kind != TraceKind::kReceived && entry.kind != TraceKind::kSent) return std::nullopt;
  std::string_view rest = entry.text;
  TracedMessage message;
  message.received = next_word(rest) == "in";
  message.what = next_word(rest);
  message.own_port = next_word(rest);
  message.peer_port = next_word(rest);
  message.connection = next_word(rest);
  message.bytes = bytes_of(rest);
  return message;
}

struct TracedFrame {
  std::uint32_t id = 0;
  const MessageTable* table = nullptr;  ///< null: a message that Tactus does not use
  std::string_view bytes;
  std::string_view payload;

  [[nodiscard]] std::string name() const {
    return table ? table->name : fmt::format("message {}", id);
  }
};

/// Frames one behind the other from the beginning on.
std::vector<TracedFrame> frames_of(std::string_view bytes) {
  std::vector<TracedFrame> frames;
  const auto at = [&bytes](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(bytes[i])};
  };
  while (bytes.size() >= mavlink::kHeader2) {
    const bool second = at(0) == mavlink::kMagic2;
    if (!second && at(0) != mavlink::kMagic1) break;
    const std::size_t header = second ? mavlink::kHeader2 : mavlink::kHeader1;
    const std::size_t payload = at(1);
    const bool is_signed = second && (at(2) & mavlink::kSignedFlag) != 0;
    const std::size_t size =
        header + payload + mavlink::kChecksumBytes + (is_signed ? mavlink::kSignatureBytes : 0);
    if (size > bytes.size()) break;
    TracedFrame frame;
    frame.id = second ? at(7) | at(8) << 8U | at(9) << 16U : at(5);
    frame.table = mavlink::find_message(frame.id);
    frame.bytes = bytes.substr(0, size);
    frame.payload = bytes.substr(header, payload);
    frames.push_back(frame);
    bytes.remove_prefix(size);
  }
  return frames;
}

template <class T>
T value_at(const char* bytes) {
  T value;
  mavlink::detail::fetch(value, reinterpret_cast<const std::byte*>(bytes));
  return value;
}

std::string number_text(FieldType type, const char* bytes) {
  switch (type) {
    case FieldType::kChar: return printable(std::string_view(bytes, 1));
    case FieldType::kUint8: return fmt::format("{}", value_at<std::uint8_t>(bytes));
    case FieldType::kInt8: return fmt::format("{}", value_at<std::int8_t>(bytes));
    case FieldType::kUint16: return fmt::format("{}", value_at<std::uint16_t>(bytes));
    case FieldType::kInt16: return fmt::format("{}", value_at<std::int16_t>(bytes));
    case FieldType::kUint32: return fmt::format("{}", value_at<std::uint32_t>(bytes));
    case FieldType::kInt32: return fmt::format("{}", value_at<std::int32_t>(bytes));
    case FieldType::kUint64: return fmt::format("{}", value_at<std::uint64_t>(bytes));
    case FieldType::kInt64: return fmt::format("{}", value_at<std::int64_t>(bytes));
    case FieldType::kFloat: return fmt::format("{}", value_at<float>(bytes));
    case FieldType::kDouble: return fmt::format("{}", value_at<double>(bytes));
  }
  return "?";
}

/// Zeros at the end of a payload are not sent.
std::string whole_payload(const TracedFrame& frame) {
  std::string payload(frame.payload);
  payload.resize(std::max<std::size_t>(payload.size(), mavlink::kMaxPayload));
  return payload;
}

/// The first field of two messages of one kind that differs; empty: none does.
std::string field_difference(const TracedFrame& a, const TracedFrame& b) {
  const std::string in_a = whole_payload(a);
  const std::string in_b = whole_payload(b);
  for (std::size_t i = 0; i < a.table->field_count; ++i) {
    const FieldTable& field = a.table->fields[i];
    const std::size_t size = size_of(field.type);
    if (field.type == FieldType::kChar && field.array_length > 0) {
      const auto text = [&field](const std::string& payload) {
        const char* const begin = payload.data() + field.offset;
        return std::string(begin, ::strnlen(begin, field.array_length));
      };
      if (text(in_a) == text(in_b)) continue;
      return fmt::format("{}: \"{}\" and \"{}\"", field.name, printable(text(in_a)),
                         printable(text(in_b)));
    }
    const std::size_t count = std::max<std::size_t>(field.array_length, 1);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t place = field.offset + k * size;
      if (in_a.compare(place, size, in_b, place, size) == 0) continue;
      return fmt::format("{}{}: {} and {}", field.name,
                         field.array_length > 0 ? fmt::format("[{}]", k) : "",
                         number_text(field.type, in_a.data() + place),
                         number_text(field.type, in_b.data() + place));
    }
  }
  return "";
}

std::string frame_difference(const TracedFrame& a, const TracedFrame& b) {
  if (a.id != b.id) return fmt::format("MAVLink {} and {}", a.name(), b.name());
  const std::string field = a.table ? field_difference(a, b) : "";
  return fmt::format(
      "MAVLink {}{}", a.name(),
      field.empty() ? ", its head or what Tactus does not read of it" : ", " + field);
}

bool is_text(std::string_view bytes) {
  return !bytes.empty() && std::ranges::all_of(bytes, [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
}

std::optional<ServoPacket> servo_packet_of(const std::string& bytes) {
  return decode_servo_packet(std::as_bytes(std::span(bytes)));
}

std::string packet_difference(const ServoPacket& a, const ServoPacket& b) {
  for (std::size_t i = 0; i < a.pwm_us.size(); ++i) {
    if (a.pwm_us[i] == b.pwm_us[i]) continue;
    return fmt::format("servo packet, channel {}: {} and {} us", i + 1, a.pwm_us[i], b.pwm_us[i]);
  }
  return fmt::format("servo packet, frame {} at {} Hz and {} at {} Hz", a.frame_count,
                     a.frame_rate_hz, b.frame_count, b.frame_rate_hz);
}

/// From a little before the first byte that differs.
std::string text_difference(const std::string& a, const std::string& b) {
  constexpr std::size_t kBefore = 24;
  const auto [at, unused] = std::ranges::mismatch(a, b);
  const auto place = static_cast<std::size_t>(at - a.begin());
  const std::size_t begin = place - std::min(place, kBefore);
  const auto part = [begin](const std::string& text) {
    return begin < text.size() ? printable(text.substr(begin, kMostShown)) : std::string();
  };
  return fmt::format("from byte {} on: \"{}\" and \"{}\"", place, part(a), part(b));
}

std::string content_of(const std::string& bytes) {
  if (const std::vector<TracedFrame> frames = frames_of(bytes); !frames.empty()) {
    std::string text = "MAVLink " + frames.front().name();
    for (std::size_t i = 1; i < frames.size(); ++i) text += ", " + frames[i].name();
    return text;
  }
  if (servo_packet_of(bytes)) return "servo packet";
  if (!is_text(bytes)) return "a message";
  const bool cut = bytes.size() > kMostShown;
  return fmt::format("\"{}{}\"", printable(std::string_view(bytes).substr(0, kMostShown)),
                     cut ? "…" : "");
}

}  // namespace

const char* to_text(TraceKind kind) {
  switch (kind) {
    case TraceKind::kReceived: return "message to the autopilot";
    case TraceKind::kSent: return "message of the autopilot";
    case TraceKind::kCall: return "system call";
    case TraceKind::kEvent: return "signal or command";
    case TraceKind::kSwitch: return "switch of threads";
  }
  return "?";
}

AutopilotTrace::AutopilotTrace(std::string text, std::string_view file) : text_(std::move(text)) {
  const auto refuse = [&file](std::size_t line, const char* why) {
    throw Error(ExitCode::kBadInput, fmt::format("{}:{}: {}; name a file that tactus run "
                                                 "--trace-autopilot has written",
                                                 printable(file), line, why));
  };
  if (!is_one(text_)) refuse(1, "this is no trace of an autopilot");
  std::string_view rest = text_;
  rest.remove_prefix(sizeof kTraceHead - 1);
  std::optional<TimeUs> instant;
  for (std::size_t line = 2; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;  // it was being written
    TraceEntry entry;
    entry.line = line;
    entry.text = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    const auto time = number_of<std::int64_t>(next_word(entry.text));
    std::string_view words = entry.text;
    const std::string_view what = next_word(words);
    if (!time || what.empty()) refuse(line, "this is no entry");
    if (what == "instant") {
      const auto now = number_of<std::uint64_t>(words);
      if (!now) refuse(line, "this is no instant");
      instant = TimeUs(*now);
      continue;
    }
    entry.virtual_ns = *time;
    entry.instant = instant;
    entry.kind = kind_of(what);
    entries_.push_back(entry);
  }
}

std::string describe(const TraceEntry& entry) {
  const std::optional<TracedMessage> message = message_of(entry);
  if (!message) return printable(entry.text);
  const std::string where =
      message->is_stream() ? fmt::format("TCP connection {}", message->connection)
                           : fmt::format("UDP port {}, {} {}", message->own_port,
                                         message->received ? "from" : "to", message->peer_port);
  if (message->bytes.empty()) return fmt::format("{}, {}", message->what, where);
  return fmt::format("{}, {} bytes, {}", content_of(message->bytes), message->bytes.size(), where);
}

std::string message_difference(const TraceEntry& a, const TraceEntry& b) {
  const std::optional<TracedMessage> in_a = message_of(a);
  const std::optional<TracedMessage> in_b = message_of(b);
  if (!in_a || !in_b || in_a->bytes.empty() || in_b->bytes.empty()) return "";
  const std::vector<TracedFrame> frames_a = frames_of(in_a->bytes);
  const std::vector<TracedFrame> frames_b = frames_of(in_b->bytes);
  for (std::size_t i = 0; i < std::min(frames_a.size(), frames_b.size()); ++i) {
    if (frames_a[i].bytes != frames_b[i].bytes) return frame_difference(frames_a[i], frames_b[i]);
  }
  if (in_a->bytes == in_b->bytes) return "";
  const std::optional<ServoPacket> packet_a = servo_packet_of(in_a->bytes);
  const std::optional<ServoPacket> packet_b = servo_packet_of(in_b->bytes);
  if (packet_a && packet_b) return packet_difference(*packet_a, *packet_b);
  if (is_text(in_a->bytes) && is_text(in_b->bytes)) {
    return text_difference(in_a->bytes, in_b->bytes);
  }
  const auto [at, unused] = std::ranges::mismatch(in_a->bytes, in_b->bytes);
  return fmt::format("differs from byte {} on", at - in_a->bytes.begin());
}

}  // namespace tactus
