// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/spec_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/text.h"
#include "tactus/spec/reader/spec_merge.h"
#include "tactus/spec/schema/schema.h"
#include "tactus/spec/schema/spec_files.h"
#include "tactus/spec/schema/spec_places.h"

namespace tactus {
namespace {

constexpr std::string_view kMissionKey = "autopilot.mission";

[[noreturn]] void refuse(const VariedKey& key, const std::string& reason) {
  throw PlacedError(ExitCode::kBadInput, key.at, key.name,
                    fmt::format("{}: {}", shortened(key.name), reason));
}

/// "wind.mean_ned_m_s[0]": the key and the positions in its value.
struct Element {
  std::string key;
  std::vector<std::size_t> at;
};

Element element_of(const VariedKey& varied) {
  Element element;
  std::string_view rest = varied.name;
  element.key = rest.substr(0, rest.find('['));
  rest.remove_prefix(element.key.size());
  while (!rest.empty()) {
    std::size_t position = 0;
    const char* const end = rest.data() + rest.size();
    const auto [stop, error] = std::from_chars(rest.data() + 1, end, position);
    if (rest.front() != '[' || error != std::errc() || stop == end || *stop != ']') {
      refuse(varied, "an element is named by its position from 0, as in wind.mean_ned_m_s[0]");
    }
    element.at.push_back(position);
    rest.remove_prefix(static_cast<std::size_t>(stop + 1 - rest.data()));
  }
  return element;
}

const TomlNode& element_in(const TomlNode& value, const Element& element, const VariedKey& key) {
  const TomlNode* node = &value;
  for (const std::size_t at : element.at) {
    if (!node->is_array() || at >= node->children.size()) {
      refuse(key, fmt::format("there is no such element in {}", to_toml(value)));
    }
    node = &node->children[at];
  }
  return *node;
}

VariedKind kind_of(const Slot& slot, const TomlNode& own) {
  if (std::holds_alternative<DurationUs*>(slot) || std::holds_alternative<TimeUs*>(slot)) {
    return VariedKind::kSeconds;
  }
  if (own.kind == TomlNode::Kind::kReal) return VariedKind::kReal;
  return own.kind == TomlNode::Kind::kInteger ? VariedKind::kInteger : VariedKind::kOther;
}

/// The value of the spec itself, as an override that gives the key a place in the tree.
Override own_value(const LoadedSpec& base, const VariedKey& key, const Element& element) {
  const SchemaKey* const known = base.places->schema_key(element.key);
  if (known != nullptr) return {element.key, value_text(known->slot)};
  std::vector<std::string> names;
  for (const ResolvedKey& one : base.provenance) names.push_back(one.key);
  refuse(key, did_you_mean("the spec has no such key", element.key, names));
}

}  // namespace

SpecTemplate::SpecTemplate(const Files& files, LoadedSpec base, std::span<const VariedKey> keys)
    : files_(&files), base_(std::move(base)), root_(base_.places->root()) {
  std::vector<Override> own_values;
  for (const VariedKey& key : keys) own_values.push_back(own_value(base_, key, element_of(key)));
  apply_overrides(own_values, root_);
  for (const VariedKey& key : keys) {
    const Element element = element_of(key);
    const SchemaKey& known = *base_.places->schema_key(element.key);
    const std::optional<TomlNode> value = parse_toml_value(value_text(known.slot));
    TACTUS_ASSERT(value.has_value(), "values are shown as TOML");
    const TomlNode& own = element_in(*value, element, key);
    slots_.push_back({key, kind_of(known.slot, own), known.unit, own});
    paths_.push_back(path_of(key));
  }
  keep_mission();
}

SpecTemplate::Path SpecTemplate::path_of(const VariedKey& key) const {
  const Element element = element_of(key);
  Path path;
  const TomlNode* node = &root_;
  std::string_view rest = element.key;
  while (!rest.empty()) {
    const std::string_view part = take_part(rest);
    const auto& children = node->children;
    const auto it = std::find_if(children.begin(), children.end(), [&](const TomlNode& child) {
      if (!node->is_array()) return child.key == part;
      const TomlNode* const id = child.find("id");
      return id != nullptr && id->text == part;
    });
    TACTUS_ASSERT(it != children.end(), "an override has given every key its place");
    path.push_back(static_cast<std::size_t>(it - children.begin()));
    node = &*it;
  }
  path.insert(path.end(), element.at.begin(), element.at.end());
  return path;
}

/// That of the spec itself.
void SpecTemplate::keep_mission() {
  const Spec& spec = base_.spec;
  if (spec.mission_path.empty()) return;
  const auto file =
      std::find_if(base_.files.begin(), base_.files.end(),
                   [&](const AttachedFile& one) { return one.name == spec.mission_path; });
  TACTUS_ASSERT(file != base_.files.end(), "a spec comes with the files that it names");
  const TomlNode& name = *base_.places->find(kMissionKey);
  missions_[name.text] = {*file, parse_mission(file->content, file->name)};
}

void SpecTemplate::add_mission(const TomlNode& name) {
  if (missions_.count(name.text) != 0) return;
  const auto known = std::find_if(base_.files.begin(), base_.files.end(),
                                  [&](const AttachedFile& file) { return file.name == name.text; });
  std::string content;
  if (known != base_.files.end()) {
    content = known->content;
  } else {
    const std::string path = files_->absolute(find_named(*files_, name, {"missions"}));
    if (files_->is_missing(path)) {
      refuse_value(name, kMissionKey, no_such_file(*files_, name, {"missions"}));
    }
    content = files_->read(path);
    base_.files.push_back({name.text, content});
  }
  try {
    missions_[name.text] = {{name.text, content}, parse_mission(content, name.text)};
  } catch (const Error& error) {
    refuse_value(name, kMissionKey, error.what());
  }
}

LoadedSpec SpecTemplate::with(std::span<const TomlNode> values, bool with_texts) const {
  TACTUS_ASSERT(values.size() == slots_.size(), "one value per slot");
  TomlNode root = root_;
  for (std::size_t i = 0; i < values.size(); ++i) {
    TomlNode* node = &root;
    for (const std::size_t child : paths_[i]) {
      if (child >= node->children.size()) refuse(slots_[i].key, "there is no such element now");
      node = &node->children[child];
    }
    std::string key = std::move(node->key);
    *node = values[i];
    node->key = std::move(key);
    node->at = slots_[i].key.at;
  }
  return read_spec(*files_, root,
                   {.attached = base_.files, .missions = &missions_, .with_texts = with_texts});
}

TomlNode number_for(const VariedSlot& slot, double value) {
  TACTUS_ASSERT(slot.kind != VariedKind::kOther, "a slot for numbers");
  constexpr double kMost = 0x1p53;
  TomlNode node;
  node.kind = TomlNode::Kind::kReal;
  node.real = value + 0.0;                       // tables do not know the sign of zero
  if (!(math::abs(value) < kMost)) return node;  // refused where it is read
  if (slot.kind == VariedKind::kInteger) {
    bool ok = false;
    node.kind = TomlNode::Kind::kInteger;
    node.integer = math::to_int64(math::floor(value + 0.5), ok);
    TACTUS_ASSERT(ok, "a number below 2^53");
  } else if (slot.kind == VariedKind::kSeconds && math::abs(value) < kMost / 1e6) {
    node.real = math::floor(value * 1e6 + 0.5) / 1e6;
  }
  return node;
}

}  // namespace tactus
