// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/schema/spec_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tactus {
namespace {

/// Parameter structs and tables have different names in a few places.
struct Renamed {
  std::string_view parameter;
  std::string_view key;
};
constexpr Renamed kRenamed[] = {
    {"world.origin.lat_deg", "world.latitude_deg"},
    {"world.origin.lon_deg", "world.longitude_deg"},
    {"world.origin.alt_msl_m", "world.altitude_msl_m"},
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

const char* SpecPlaces::why_fixed_in_flight(std::string_view key) const {
  const SchemaKey* const known = schema_->find(key);
  return known == nullptr ? nullptr : known->fixed_in_flight;
}

void SpecPlaces::refuse(const std::string& key, std::string_view reason) const {
  if (const TomlNode* value = find(key)) refuse_value(*value, key, reason);
  const SchemaKey* known = schema_->find(key);
  throw PlacedError(
      ExitCode::kBadInput, at_in_file(key),
      ErrorSubject{.key = key,
                   .note = {},
                   .value = known == nullptr ? "" : value_text(known->slot) + " (default)",
                   .reason = std::string(reason)});
}

void SpecPlaces::refuse_missing(const std::string& key, std::string_view reason) const {
  throw PlacedError(
      ExitCode::kBadInput, at(key),
      ErrorSubject{
          .key = key, .note = {}, .value = {}, .reason = std::string(reason), .missing = true});
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
  if (path.ends_with("_us") && schema_->find(path) == nullptr)
    path.replace(path.size() - 3, 3, "_s");
  // "pack.main.ocv_v[3]", "rotor.a.axis_body.x": an element is written as part of its key.
  while (schema_->find(path) == nullptr) {
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
  const SchemaKey* known = schema_->find(key);
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
      const SchemaKey* mate = schema_->find(other);
      if (mate != nullptr && mate->group == known->group) return other;
    }
  }
  return key;
}

/// About a key, a table or an entry.
void SpecPlaces::refuse_part(const Error& error, const std::string& key) const {
  if (schema_->find(key) != nullptr) refuse(key, error.subject()->reason);
  std::string_view message = error.what();
  const TomlNode* const part = find(key);
  if (part == nullptr) throw PlacedError(error.code(), root_->at, "", message);
  const std::string prefix = part->at.prefix();  // which an event knows by itself
  if (message.starts_with(prefix)) message.remove_prefix(prefix.size());
  throw PlacedError(error.code(), part->at, key, message);
}

void SpecPlaces::check(const std::function<void()>& checks) const {
  try {
    checks();
  } catch (const PlacedError&) {
    throw;
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput) throw;
    if (!error.subject()) throw PlacedError(error.code(), root_->at, "", error.what());
    ErrorSubject subject = *error.subject();
    if (subject.value.empty()) refuse_part(error, subject.key);
    subject.key = place_of(subject.key);
    if (subject.key.empty()) throw PlacedError(error.code(), root_->at, "", error.what());
    if (!given(subject.key)) subject.value += " (default)";
    // Names of parameters inside the reason are those of the field lists, as in the spec.
    throw PlacedError(error.code(), at_in_file(subject.key), subject);
  }
}

std::string SpecPlaces::place_of(const std::string& parameter) const {
  const std::string key = key_of_parameter(parameter);
  return key.empty() ? key : given_instead_of(key);
}

std::string SpecPlaces::describe(const std::string& key, std::string_view what) const {
  const TomlNode* value = find(key);
  const SchemaKey* known = schema_->find(key);
  const bool is_value = value != nullptr && !value->is_table() && !value->is_array_of_tables();
  const std::string text = is_value           ? " = " + to_toml(*value)
                           : known == nullptr ? ""
                                              : " = " + value_text(known->slot) + " (default)";
  const TomlPosition& place = at_in_file(key);
  return fmt::format("{}warning: {}{}{}: {}", place.file.empty() ? "" : place.prefix(),
                     place.file.empty() ? place.prefix() : "", key, text, what);
}

}  // namespace tactus
