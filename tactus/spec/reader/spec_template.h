// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A spec that is read again and again with other values for some of its keys. Files are read,
// merged and parsed once; what each variant costs is a walk over the merged tree, with the same
// checks as for a file. Any number of threads may ask for variants at the same time.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/files.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/reader/spec_reader.h"
#include "tactus/spec/toml/toml_document.h"

namespace tactus {

/// A key as in an Override, or an element of it: "wind.mean_ned_m_s[0]".
struct VariedKey {
  std::string name;
  TomlPosition at{};  ///< of what varies it, for messages
};

enum class VariedKind : std::uint8_t {
  kReal,
  kInteger,
  kSeconds,  ///< whole microseconds
  kOther,    ///< words, switches, whole vectors: only values that are listed
};

/// What a template says about one of its keys.
struct VariedSlot {
  VariedKey key;
  VariedKind kind = VariedKind::kOther;
  std::string unit;
  TomlNode own;  ///< the value of the spec itself
};

class SpecTemplate {
 public:
  /// `files` must outlive it. Throws PlacedError at the place of a key that is wrong.
  SpecTemplate(const Files& files, LoadedSpec base, std::span<const VariedKey> keys);

  /// The spec as it is written.
  [[nodiscard]] const LoadedSpec& base() const { return base_; }
  [[nodiscard]] const std::vector<VariedSlot>& slots() const { return slots_; }

  /// The spec with these values, one per slot. Throws PlacedError(kBadInput) for a value that a
  /// file could not have either. `with_texts`: also with its resolved text and provenance, as a
  /// recording needs them.
  [[nodiscard]] LoadedSpec with(std::span<const TomlNode> values, bool with_texts = false) const;

  /// A mission that variants may name: it is read now and not for each of them.
  void add_mission(const TomlNode& name);

 private:
  /// From the root of the tree to the value, by positions of children.
  using Path = std::vector<std::size_t>;

  [[nodiscard]] Path path_of(const VariedKey& key) const;
  void keep_mission();

  const Files* files_;
  LoadedSpec base_;
  TomlNode root_;
  std::vector<VariedSlot> slots_;
  std::vector<Path> paths_;
  KnownMissions missions_;
};

/// A number for a slot: rounded to an integer or to a microsecond where the slot is one of these.
TomlNode number_for(const VariedSlot& slot, double value);

}  // namespace tactus
