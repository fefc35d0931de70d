// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The two sides of a conversion: the original file and the text of the spec so far.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "tactus/core/vec.h"
#include "tactus/spec/import/import_original.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

inline std::string import_text(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", to_toml(v.x), to_toml(v.y), to_toml(v.z));
}
inline std::string import_text(double v) { return to_toml(v); }
inline std::string import_text(const std::string& v) { return to_toml(std::string_view(v)); }
inline std::string import_text(std::int32_t v) { return fmt::format("{}", v); }

/// How the original says that there is no such thing.
inline bool is_none(const std::string& kind) {
  return kind == "none" || kind == "no" || kind == "off" || kind == "no_wind" ||
         kind == "no_contact" || kind == "nocontact";
}

struct ImportWriter {
  ImportWriter(const Files& files, const std::string& path) : in(files, path) {}

  void table(const std::string& header) { out += fmt::format("\n{}\n", header); }
  template <class T>
  void put(const char* key, const T& value) {
    out += fmt::format("{} = {}\n", key, import_text(value));
  }
  /// Writes our key with their value or their default.
  template <class T>
  T carry(const char* key, const std::string& theirs, T fallback) {
    const T value = in.value(theirs, fallback);
    put(key, value);
    return value;
  }
  void note(const std::string& text) { out += "# " + text + "\n"; }

  Original in;
  std::string out;
};

}  // namespace tactus
