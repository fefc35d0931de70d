// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// QGroundControl's .plan (JSON, "Plan File Format" of its developer guide): simple items of
// mission.items, and mission.plannedHomePosition. Complex items (surveys …), fences and rally
// points are refused: they would be dropped. What QGroundControl keeps for its own display (speeds
// for estimates, altitude modes) does not change a flight and is passed over.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "tactus/autopilot/mission/mission_format.h"
#include "tactus/core/math.h"
#include "tactus/core/printable.h"

namespace tactus {
namespace {

using Json = nlohmann::json;

/// Walks over text and counts lines, because the JSON library does not say where a value stands.
class LineCounter {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names of the standard library
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  // NOLINTEND(readability-identifier-naming)

  LineCounter(const char* at, int* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  LineCounter& operator++() {
    if (*at_ == '\n') ++*line_;
    ++at_;
    return *this;
  }
  LineCounter operator++(int) {
    LineCounter before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCounter& other) const { return at_ == other.at_; }
  bool operator!=(const LineCounter& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  int* line_;
};

class PlanReader {
 public:
  PlanReader(std::string_view text, MissionBuilder& builder) : builder_(&builder) { parse(text); }

  void read() {
    const Json& type = member(root_, "fileType", 1);
    if (type != "Plan") builder_->refuse(1, "fileType must be \"Plan\"");
    require_version(root_, "version", 1, 1);
    const Json& mission = object_member(root_, "mission", 1);
    require_version(mission, "mission.version", 2, mission_line_);
    refuse_if_any("geoFence", "polygons");
    refuse_if_any("geoFence", "circles");
    refuse_if_any("rallyPoints", "points");
    const Json& items = member(mission, "items", mission_line_);
    if (!items.is_array()) builder_->refuse(mission_line_, "mission.items must be a list");
    read_home(mission);
    for (std::size_t i = 0; i < items.size(); ++i) read_item(items[i], i);
  }

 private:
  void parse(std::string_view text) {
    int line = 1;
    // The library takes it for the end of the text.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
      line += static_cast<int>(std::count(text.begin(), text.begin() + zero, '\n'));
      builder_->refuse(line, "not valid JSON: a byte of zero");
    }
    const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
      note_line(depth, event, value, line);
      return true;
    };
    try {
      root_ = Json::parse(LineCounter(text.data(), &line),
                          LineCounter(text.data() + text.size(), &line), watch);
    } catch (const Json::exception& error) {
      builder_->refuse(line, fmt::format("not valid JSON: {}", reason(error.what())));
    }
  }

  /// The library's message without its own prefix "[json.exception.parse_error.101] ".
  static std::string reason(std::string_view what) {
    const std::size_t end = what.find("] ");
    return printable(end == std::string_view::npos ? what : what.substr(end + 2));
  }

  /// Remembers where mission and the entries of mission.items begin: depths 1 and 3 below the root.
  void note_line(int depth, Json::parse_event_t event, const Json& value, int line) {
    constexpr int kDeepest = 32;
    if (depth > kDeepest) builder_->refuse(line, "nested too deeply");
    using Event = Json::parse_event_t;
    keys_.resize(kDeepest + 2);
    if (event == Event::object_start) keys_[static_cast<std::size_t>(depth) + 1].clear();
    if (event == Event::key) {
      const auto name = value.get<std::string>();
      if (!keys_[static_cast<std::size_t>(depth)].insert(name).second) {
        builder_->refuse(line, fmt::format("{} is given twice in one object", quote_text(name)));
      }
    }
    if (event == Event::key && depth == 1) in_mission_ = value == "mission";
    if (event == Event::key && depth == 2) {
      in_items_ = in_mission_ && value == "items";
      if (in_items_) item_lines_.clear();
    }
    if (event == Event::object_start && depth == 1 && in_mission_) mission_line_ = line;
    const bool starts = event == Event::object_start || event == Event::array_start;
    if ((starts || event == Event::value) && depth == 3 && in_items_) item_lines_.push_back(line);
  }

  const Json& member(const Json& object, const char* key, int line) const {
    const auto found = object.find(key);
    if (found == object.end()) builder_->refuse(line, fmt::format("\"{}\" is missing", key));
    return *found;
  }

  const Json& object_member(const Json& object, const char* key, int line) const {
    const Json& value = member(object, key, line);
    if (!value.is_object()) builder_->refuse(line, fmt::format("\"{}\" must be an object", key));
    return value;
  }

  /// Another version may mean other things by the same names. `name` ends with the key.
  void require_version(const Json& object, const char* name, int known, int line) const {
    const auto found = object.find("version");
    if (found == object.end() || *found == known) return;
    builder_->refuse(line, fmt::format("{} = {}: only {} is understood; save the plan with a "
                                       "current QGroundControl",
                                       name, quote_text(found->dump()), known));
  }

  void refuse_if_any(const char* part, const char* list) const {
    const auto outer = root_.find(part);
    if (outer == root_.end() || !outer->is_object()) return;
    const auto inner = outer->find(list);
    if (inner == outer->end() || inner->empty()) return;
    builder_->refuse(1, fmt::format("{}.{} is not empty: fences and rally points are not "
                                    "supported; remove them from the plan",
                                    part, list));
  }

  void read_home(const Json& mission) const {
    const auto home = mission.find("plannedHomePosition");
    if (home == mission.end()) return;
    if (!home->is_array() || home->size() != 3) {
      builder_->refuse(mission_line_,
                       "plannedHomePosition must be [latitude, longitude, altitude]");
    }
    double value[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
      value[i] = number((*home)[i], "plannedHomePosition", mission_line_);
    }
    builder_->set_home(mission_line_, value[0], value[1], value[2]);
  }

  void read_item(const Json& item, std::size_t index) const {
    const int line = index < item_lines_.size() ? item_lines_[index] : mission_line_;
    if (!item.is_object()) builder_->refuse(line, "an item must be an object");
    refuse_complex(item, line);
    MissionRow row;
    row.line = line;
    row.command = whole(member(item, "command", line), "command", line);
    row.frame = whole(member(item, "frame", line), "frame", line);
    const auto id = item.find("doJumpId");
    // Without an id QGroundControl counts from 1.
    row.id = id == item.end() ? static_cast<std::int64_t>(index) + 1 : whole(*id, "doJumpId", line);
    const auto goes_on = item.find("autoContinue");
    if (goes_on != item.end()) {
      if (!goes_on->is_boolean()) builder_->refuse(line, "autoContinue must be true or false");
      row.autocontinue = goes_on->get<bool>();
    }
    const Json& params = member(item, "params", line);
    if (!params.is_array() || params.size() != 7) {
      builder_->refuse(line, "params must be a list of 7 numbers");
    }
    for (std::size_t i = 0; i < 7; ++i) row.param[i] = number(params[i], "params", line);
    builder_->add(row);
  }

  void refuse_complex(const Json& item, int line) const {
    const Json& type = member(item, "type", line);
    if (type == "SimpleItem") return;
    const auto kind = item.find("complexItemType");
    const bool named = kind != item.end() && kind->is_string();
    const std::string name = named              ? kind->get<std::string>()
                             : type.is_string() ? type.get<std::string>()
                                                : std::string("?");
    builder_->refuse(line, fmt::format("item of type {} is not supported, only SimpleItem; let the "
                                       "planner turn it into waypoints",
                                       quote_text(name)));
  }

  [[nodiscard]] std::int64_t whole(const Json& value, const char* key, int line) const {
    constexpr std::int64_t kLargest = 1'000'000;
    if (value.is_number_integer()) {
      const double real = value.get<double>();
      if (math::abs(real) <= static_cast<double>(kLargest)) return value.get<std::int64_t>();
    }
    builder_->refuse(line, fmt::format("\"{}\" must be a whole number up to {}", key, kLargest));
  }

  /// JSON knows no NaN: QGroundControl writes null.
  [[nodiscard]] double number(const Json& value, const char* key, int line) const {
    if (value.is_null()) return math::canonical_nan();
    if (!value.is_number()) {
      builder_->refuse(line, fmt::format("\"{}\" must hold numbers or null", key));
    }
    return value.get<double>();
  }

  MissionBuilder* builder_;
  Json root_;
  bool in_mission_ = false;
  bool in_items_ = false;
  int mission_line_ = 1;
  std::vector<int> item_lines_;
  std::vector<std::set<std::string>> keys_;  ///< of the objects around what is read, by depth
};

}  // namespace

void read_plan(std::string_view text, MissionBuilder& builder) { PlanReader(text, builder).read(); }

}  // namespace tactus
