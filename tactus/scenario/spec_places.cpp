// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/scenario/spec_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tactus {
namespace {

/// Takes the part before the first dot off `key`.
std::string_view take_part(std::string_view& key) {
  const std::size_t dot = key.find('.');
  const std::string_view part = key.substr(0, dot);
  key = dot == std::string_view::npos ? std::string_view() : key.substr(dot + 1);
  return part;
}

/// Parameter structs and tables have different names in a few places.
struct Renamed {
  std::string_view parameter;
  std::string_view key;
};
constexpr Renamed kRenamed[] = {
    {"ground.", "world.ground."},
    {"gravity.", "world.gravity."},
    {"atmosphere.", "world.atmosphere."},
    {"origin.lat_deg", "world.latitude_deg"},
    {"origin.lon_deg", "world.longitude_deg"},
    {"origin.alt_msl_m", "world.altitude_msl_m"},
    {"gear.position_body_m", "gear.positions_body_m"},
    {"gear.count", "gear.positions_body_m"},
    {"multirotor.servo_count", "servo_actuator.count"},
    {"solver.attitude.atol", "solver.attitude_atol_rad"},
};
constexpr Renamed kRenamedLists[] = {
    {"power.pack[", "pack"}, {"power.bus[", "bus"}, {"rotor[", "rotor"}, {"wind.gusts[", "gust"}};

}  // namespace

SpecPlaces::SpecPlaces(const TomlNode& root, const SchemaTable& schema)
    : root_(&root), schema_(&schema) {
  index(root);
}

void SpecPlaces::index(const TomlNode& node) {
  for (const TomlNode& child : node.children) {
    const TomlNode* id = node.is_array() ? child.find("id") : nullptr;
    if (id != nullptr) entries_.emplace(std::pair(&node, std::string_view(id->text)), &child);
    index(child);
  }
}

const TomlNode* SpecPlaces::step_into(const TomlNode& node, std::string_view part) const {
  if (!node.is_array()) return node.find(part);
  const auto entry = entries_.find({&node, part});
  return entry == entries_.end() ? nullptr : entry->second;
}

const TomlNode* SpecPlaces::find(std::string_view key) const {
  const TomlNode* node = root_;
  while (node != nullptr && !key.empty()) node = step_into(*node, take_part(key));
  return node;
}

const TomlPosition& SpecPlaces::at(std::string_view key) const {
  const TomlNode* node = root_;
  while (!key.empty()) {
    const TomlNode* next = step_into(*node, take_part(key));
    if (next == nullptr) break;
    node = next;
  }
  return node->at;
}

const TomlPosition& SpecPlaces::at_in_file(std::string_view key) const {
  const TomlNode* node = root_;
  const TomlNode* around = root_;
  while (!key.empty()) {
    node = step_into(*node, take_part(key));
    if (node == nullptr) return around->at;
    if (!node->at.file.empty()) around = node;
  }
  return node->at;
}

std::string SpecPlaces::where(std::string_view key) const {
  const std::string text = at(key).prefix();
  return text.substr(0, text.find_last_not_of(": ") + 1);
}

const SchemaKey* SpecPlaces::schema_key(std::string_view key) const {
  const SchemaTable* table = schema_;
  while (table != nullptr) {
    const std::string_view part = take_part(key);
    if (key.empty()) return table->key(part);
    if (const SchemaList* list = table->list(part)) {
      const std::string_view id = take_part(key);
      const auto it = std::find_if(list->entries.begin(), list->entries.end(),
                                   [&](const SchemaTable& entry) { return entry.name == id; });
      table = it == list->entries.end() ? nullptr : &*it;
    } else {
      table = table->table(part);
    }
  }
  return nullptr;
}

void SpecPlaces::refuse(const std::string& key, std::string_view reason) const {
  if (const TomlNode* value = find(key)) refuse_value(*value, key, reason);
  const SchemaKey* known = schema_key(key);
  const std::string text = known == nullptr ? "" : " = " + value_text(known->slot) + " (default)";
  throw PlacedError(ExitCode::kBadInput, at_in_file(key), key,
                    fmt::format("{}{}: {}", key, text, reason));
}

void SpecPlaces::refuse_missing(const std::string& key, std::string_view reason) const {
  throw PlacedError(ExitCode::kBadInput, at(key), key,
                    fmt::format("{}: is missing; {}", key, reason));
}

std::string SpecPlaces::key_of_parameter(std::string path) const {
  for (const Renamed& renamed : kRenamed) {
    if (path.starts_with(renamed.parameter)) {
      path.replace(0, renamed.parameter.size(), renamed.key);
    }
  }
  for (const Renamed& renamed : kRenamedLists) {
    if (!path.starts_with(renamed.parameter)) continue;
    std::size_t index = 0;
    const std::string_view after = std::string_view(path).substr(renamed.parameter.size());
    std::from_chars(after.data(), after.data() + after.size(), index);
    const SchemaTable* table = renamed.key == "gust" ? schema_->table("wind") : schema_;
    const SchemaList* list = table->list(renamed.key);
    if (list == nullptr || index >= list->entries.size()) break;
    const std::string prefix = renamed.key == "gust" ? "wind." : "";
    const std::string rest(after.substr(after.find(']') + 1));
    path = fmt::format("{}{}.{}{}", prefix, renamed.key, list->entries[index].name, rest);
  }
  if (path.ends_with(".off_us")) path.replace(path.size() - 6, 6, "duration_s");
  if (path.ends_with("_us") && schema_key(path) == nullptr) path.replace(path.size() - 3, 3, "_s");
  // "pack.main.ocv_v[3]", "rotor.a.axis_body.x": an element is written as part of its key.
  while (schema_key(path) == nullptr) {
    const std::size_t cut = path.find_last_of(".[");
    if (cut == std::string::npos) return {};
    path.resize(cut);
  }
  return path;
}

/// A rotor's motor may come from [motor]; a diagonal may stand for the tensor.
std::string SpecPlaces::given_instead_of(const std::string& key) const {
  if (given(key)) return key;
  const std::size_t dot = key.rfind('.');
  const SchemaKey* known = schema_key(key);
  if (dot == std::string::npos || known == nullptr) return key;
  if (key.starts_with("rotor.")) {
    for (const std::string_view part : {".motor.", ".propeller."}) {
      const std::size_t at = key.find(part);
      if (at != std::string::npos) return key.substr(at + 1);
    }
  }
  if (const TomlNode* table = find(key.substr(0, dot)); table != nullptr && !known->group.empty()) {
    for (const TomlNode& child : table->children) {
      std::string other = key.substr(0, dot + 1) + child.key;
      const SchemaKey* mate = schema_key(other);
      if (mate != nullptr && mate->group == known->group) return other;
    }
  }
  return key;
}

/// An error about an event or an expectation begins with the place of its entry.
void SpecPlaces::refuse_if_of_entry(const Error& error) const {
  const std::string_view message = error.what();
  for (const char* list_name : {"event", "expect"}) {
    const TomlNode* list = root_->find(list_name);
    if (list == nullptr) continue;
    for (const TomlNode& entry : list->children) {
      const std::string prefix = entry.at.prefix();
      const TomlNode* id = entry.find("id");
      const std::string name = fmt::format("{} \"{}\"", list_name, id->text);
      if (!message.starts_with(prefix) || message.find(name) == std::string_view::npos) continue;
      throw PlacedError(error.code(), entry.at, join_key(list_name, id->text),
                        message.substr(prefix.size()));
    }
  }
}

void SpecPlaces::check(const std::function<void()>& checks) const {
  try {
    checks();
  } catch (const PlacedError&) {
    throw;
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput) throw;
    refuse_if_of_entry(error);
    const std::string message = error.what();
    const std::size_t equals = message.find(" = ");
    const std::size_t colon = message.find(": ");
    if (colon < equals) {
      const std::string key = message.substr(0, colon);
      if (schema_key(key) != nullptr) refuse(key, message.substr(colon + 2));
      throw PlacedError(error.code(), at_in_file(key), given(key) ? key : "", message);
    }
    if (equals == std::string::npos) throw PlacedError(error.code(), root_->at, "", message);
    std::string path = message.substr(0, equals);
    const std::size_t note = path.find(" (");
    const std::string suffix = note == std::string::npos ? "" : path.substr(note);
    if (note != std::string::npos) path.resize(note);
    const std::string key = place_of(path);
    if (key.empty()) throw PlacedError(error.code(), root_->at, "", message);
    const std::size_t reason = message.find(": ", equals);
    const std::string value = message.substr(equals, reason - equals);
    // Names of parameters inside the reason are those of the field lists, as in the spec.
    throw PlacedError(error.code(), at_in_file(key), key,
                      fmt::format("{}{}{}{}{}", key, suffix, value, given(key) ? "" : " (default)",
                                  reason == std::string::npos ? "" : message.substr(reason)));
  }
}

std::string SpecPlaces::place_of(const std::string& parameter) const {
  const std::string key = key_of_parameter(parameter);
  return key.empty() ? key : given_instead_of(key);
}

std::string SpecPlaces::describe(const std::string& key, std::string_view what) const {
  const TomlNode* value = find(key);
  const SchemaKey* known = schema_key(key);
  const bool is_value = value != nullptr && !value->is_table() && !value->is_array_of_tables();
  const std::string text = is_value           ? " = " + to_toml(*value)
                           : known == nullptr ? ""
                                              : " = " + value_text(known->slot) + " (default)";
  const TomlPosition& place = at_in_file(key);
  return fmt::format("{}warning: {}{}{}: {}", place.file.empty() ? "" : place.prefix(),
                     place.file.empty() ? place.prefix() : "", key, text, what);
}

}  // namespace tactus
