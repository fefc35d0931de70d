// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/core/json_text.h"

#include <nlohmann/json.hpp>

#include "tactus/core/printable.h"

namespace tactus {
namespace {

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

std::string json_text(const Json& document) {
  return without_hidden(in_utf8(document).dump(2), UnicodeEscape::kJson);
}

}  // namespace tactus
