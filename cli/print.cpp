// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/print.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tactus/core/printable.h"

namespace tactus::cli {
namespace {

using Json = nlohmann::ordered_json;

void write(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

/// The same document with every text, keys too, as UTF-8.
Json in_utf8(const Json& value) {
  if (value.is_string()) return valid_utf8(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  Json out = value.is_object() ? Json::object() : Json::array();
  if (value.is_array()) {
    for (const Json& element : value) out.push_back(in_utf8(element));
  } else {
    for (const auto& [key, element] : value.items()) out[valid_utf8(key)] = in_utf8(element);
  }
  return out;
}

}  // namespace

void print_text(std::string_view text) { write(stdout, printable_lines(text)); }

void complain(std::string_view sentence) {
  std::fflush(stdout);
  write(stderr, "tactus: " + printable_lines(sentence) + "\n");
}

std::string json_text(const Json& document) {
  return without_hidden(in_utf8(document).dump(2), UnicodeEscape::kJson);
}

void print_json(const Json& document) { write(stdout, json_text(document) + "\n"); }

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace tactus::cli
