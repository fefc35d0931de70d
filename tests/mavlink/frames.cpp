// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Our side of the comparison with another MAVLink implementation (check.mjs), one line each:
//   frames tables        the tables as JSON
//   frames write COUNT   messages with pseudo-random fields, as JSON with the bytes in hexadecimal
//   frames read          the same for frames given in hexadecimal on standard input
// Integers of 64 bits are strings, because JSON numbers of others are doubles.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tactus/link/mavlink/mavlink.h"
#include "tactus/link/mavlink/mavlink_messages.h"
#include "tests/link/mavlink_samples.h"

namespace tactus {
namespace {

using mavlink::kTable;

std::string to_hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<int>(byte));
  return text;
}

std::vector<std::byte> from_hex(std::string_view text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const std::string pair(text.substr(i, 2));
    bytes.push_back(static_cast<std::byte>(std::strtoul(pair.c_str(), nullptr, 16)));
  }
  return bytes;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

template <class T>
std::string number(T value) {
  if constexpr (std::is_floating_point_v<T>) return fmt::format("{}", double{value});
  if constexpr (sizeof(T) == 8) return fmt::format("\"{}\"", value);
  if constexpr (sizeof(T) == 1) return fmt::format("{}", int{value});
  return fmt::format("{}", value);
}

template <class T>
std::string value_text(const T& field) {
  if constexpr (std::is_array_v<T>) {
    if constexpr (std::is_same_v<std::remove_extent_t<T>, char>) {
      return quoted(mavlink::text_of(field));
    } else {
      std::string text;
      for (const auto& element : field) text += (text.empty() ? "" : ",") + number(element);
      return "[" + text + "]";
    }
  } else {
    return number(field);
  }
}

template <class M>
std::string values_text(const M& message) {
  std::string text;
  M::visit_fields(message, [&](const char* name, const char*, const auto& field, const char* = "") {
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, value_text(field));
  });
  return "{" + text + "}";
}

void print_table(const mavlink::MessageTable& table) {
  std::string fields;
  for (const mavlink::FieldTable& field : std::span(table.fields).first(table.field_count)) {
    fields += fmt::format(R"({}{{"name":"{}","type":"{}","length":{},"extension":{},"offset":{}}})",
                          fields.empty() ? "" : ",", field.name, mavlink::to_text(field.type),
                          field.array_length, field.extension, field.offset);
  }
  fmt::print(R"({{"id":{},"name":"{}","crc_extra":{},"size":{},"fields":[{}]}})"
             "\n",
             table.id, table.name, table.crc_extra, table.size, fields);
}

template <class M>
void print_message(const M& message, std::span<const std::byte> bytes) {
  fmt::print(R"({{"id":{},"frame":"{}","values":{}}})"
             "\n",
             M::kId, to_hex(bytes), values_text(message));
}

void write_frames(int count) {
  testing::Dice dice(2026);
  mavlink::Sender sender{.system = 3, .component = 4};
  for (int k = 0; k < count; ++k) {
    mavlink::for_each_message([&]<class M>() {
      const M message = testing::random_message<M>(dice);
      print_message(message, mavlink::encode(message, sender).bytes());
    });
  }
}

void read_frames() {
  mavlink::Parser parser;
  for (std::string line; std::getline(std::cin, line);) {
    parser.feed(from_hex(line), [](const mavlink::Frame& frame) {
      mavlink::for_each_message([&]<class M>() {
        M message;
        if (mavlink::decode(frame, message)) print_message(message, frame.bytes);
      });
    });
  }
}

int run(std::span<char*> arguments) {
  const std::string_view verb = arguments.size() > 1 ? arguments[1] : "";
  if (verb == "tables") {
    mavlink::for_each_message([]<class M>() { print_table(kTable<M>); });
  } else if (verb == "write" && arguments.size() > 2) {
    write_frames(std::atoi(arguments[2]));
  } else if (verb == "read") {
    read_frames();
  } else {
    fmt::print(stderr, "usage: frames tables | write COUNT | read\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace tactus

int main(int argc, char** argv) { return tactus::run({argv, static_cast<std::size_t>(argc)}); }
