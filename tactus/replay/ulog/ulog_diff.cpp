// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/ulog/ulog_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tactus/core/json_text.h"
#include "tactus/core/printable.h"

namespace tactus {
namespace {

constexpr std::size_t kMostTopics = 12;  // in the text
constexpr std::size_t kMostNames = 8;    // in a note
constexpr DurationUs kAhead{1'000'000};  // PX4's clock, of the time of a flight

/// Fields of both, of one shape.
struct FieldPair {
  const ULogField* a;
  const ULogField* b;
};

std::vector<FieldPair> common_fields(const ULogTopic& a, const ULogTopic& b) {
  std::vector<FieldPair> pairs;
  for (const ULogField& field : a.fields) {
    const ULogField* const other = b.find(field.name);
    if (other && other->type == field.type && other->count == field.count) {
      pairs.push_back({&field, other});
    }
  }
  return pairs;
}

/// The first element that differs; the difference gets its name and values.
bool differs(const FieldPair& fields, std::string_view a, std::string_view b,
             ULogDifference& difference) {
  const std::size_t size = size_of(fields.a->type);
  const bool is_text = fields.a->type == ULogType::kChar;
  // A log may leave out what fills up at the end of a sample, and nothing else.
  if (a.size() < fields.a->offset + fields.a->bytes() ||
      b.size() < fields.b->offset + fields.b->bytes()) {
    return false;
  }
  const std::string_view in_a = a.substr(fields.a->offset, fields.a->bytes());
  const std::string_view in_b = b.substr(fields.b->offset, fields.b->bytes());
  if (in_a == in_b) return false;
  difference.field = fields.a->name;
  if (is_text && fields.a->array) {
    difference.a = printable(in_a.substr(0, in_a.find('\0')));
    difference.b = printable(in_b.substr(0, in_b.find('\0')));
    return difference.a != difference.b;  // what is behind the end of a text is no part of it
  }
  std::size_t place = 0;
  while (in_a.compare(place, size, in_b, place, size) == 0) place += size;
  if (fields.a->array) difference.field += fmt::format("[{}]", place / size);
  difference.a = number_text(fields.a->type, in_a.data() + place);
  difference.b = number_text(fields.a->type, in_b.data() + place);
  return true;
}

std::optional<ULogDifference> first_difference(const ULogTopic& a, const ULogTopic& b) {
  const std::vector<FieldPair> fields = common_fields(a, b);
  ULogDifference difference;
  difference.topic = a.full_name();
  const std::size_t both = std::min(a.samples.size(), b.samples.size());
  for (std::size_t i = 0; i < both; ++i) {
    difference.equal = i;
    difference.time = std::min(a.time(i), b.time(i));
    if (a.time(i) != b.time(i)) {
      (a.time(i) < b.time(i) ? difference.a : difference.b) = "a sample";
      return difference;
    }
    for (const FieldPair& pair : fields) {
      if (differs(pair, a.samples[i], b.samples[i], difference)) return difference;
    }
  }
  if (a.samples.size() == b.samples.size()) return std::nullopt;
  difference.equal = both;
  difference.field.clear();
  difference.a = a.samples.size() > both ? "a sample" : "";
  difference.b = b.samples.size() > both ? "a sample" : "";
  difference.time = a.samples.size() > both ? a.time(both) : b.time(both);
  return difference;
}

void note_names(std::vector<std::string>& notes, const char* what, std::vector<std::string> names) {
  if (names.empty()) return;
  const std::size_t count = names.size();
  names.resize(std::min(count, kMostNames));
  notes.push_back(
      fmt::format("{} {}{}", what, fmt::join(names, ", "),
                  count > kMostNames ? fmt::format(" and {} more", count - kMostNames) : ""));
}

void note_of_one(const ULog& a, const ULog& b, const char* name, std::vector<std::string>& notes) {
  std::vector<std::string> topics;
  std::vector<std::string> fields;
  for (const ULogTopic& topic : a.topics()) {
    const ULogTopic* const other = b.find(topic.name, topic.instance);
    if (!other) {
      topics.push_back(topic.full_name());
      continue;
    }
    if (topic.instance != 0) continue;
    for (const ULogField& field : topic.fields) {
      const ULogField* const same = other->find(field.name);
      if (!same || same->type != field.type || same->count != field.count) {
        fields.push_back(topic.name + "." + field.name);
      }
    }
  }
  note_names(notes, fmt::format("only {} has the topics", name).c_str(), std::move(topics));
  note_names(notes, fmt::format("only {} has, as it is there,", name).c_str(), std::move(fields));
  if (a.cut_off()) notes.push_back(fmt::format("{} is cut off at its end", name));
}

void note_parameters(const ULog& a, const ULog& b, std::vector<std::string>& notes) {
  std::vector<std::string> changed;
  for (const auto& [name, value] : a.parameters()) {
    const auto other = b.parameters().find(name);
    if (other == b.parameters().end() || other->second == value) continue;
    changed.push_back(fmt::format("{} = {} and {}", printable(name), value, other->second));
  }
  note_names(notes, "parameters:", std::move(changed));
}

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string line_of(const ULogDifference& difference) {
  const std::string what = difference.field.empty()
                               ? difference.topic + ", a sample at that instant"
                               : difference.topic + "." + difference.field;
  return fmt::format("  {:>14} {:<52} {:>20} {:>20}\n", to_text(difference.time), what,
                     or_none(difference.a), or_none(difference.b));
}

Json difference_json(const ULogDifference& difference) {
  return {{"px4_t_us", difference.time.us},
          {"topic", difference.topic},
          {"field", difference.field},
          {"a", difference.a},
          {"b", difference.b},
          {"equal_before", difference.equal}};
}

}  // namespace

ULogDiff diff_ulogs(const ULog& a, const ULog& b) {
  ULogDiff result;
  for (const ULogTopic& topic : a.topics()) {
    const ULogTopic* const other = b.find(topic.name, topic.instance);
    if (!other) continue;
    ++result.compared;
    if (auto difference = first_difference(topic, *other)) {
      result.topics.push_back(std::move(*difference));
    }
  }
  std::ranges::stable_sort(result.topics, {}, &ULogDifference::time);
  const auto lacks = [](const ULog& log, const ULog& other) {
    return std::ranges::any_of(other.topics(), [&log](const ULogTopic& topic) {
      return log.find(topic.name, topic.instance) == nullptr;
    });
  };
  result.whole = !a.cut_off() && !b.cut_off() && !lacks(a, b) && !lacks(b, a);
  note_of_one(a, b, "the first", result.notes);
  note_of_one(b, a, "the second", result.notes);
  note_parameters(a, b, result.notes);
  return result;
}

std::string to_text(const ULogDiff& difference, const std::string& a, const std::string& b) {
  std::string text = fmt::format("a  {}\nb  {}\n", a, b);
  text += difference.equal() ? fmt::format("verdict      equal in {} topic{}\n",
                                           difference.compared, difference.compared == 1 ? "" : "s")
                             : fmt::format("verdict      different in {} of {} topics\n",
                                           difference.topics.size(), difference.compared);
  for (const std::string& note : difference.notes) text += fmt::format("note         {}\n", note);
  if (difference.topics.empty()) return text;
  const ULogDifference& first = difference.topics.front();
  text += fmt::format("first        {}{} at {} of PX4's clock", first.topic,
                      first.field.empty() ? "" : "." + first.field, to_text(first.time));
  if (first.time.us >= kAhead.us) {
    text +=
        fmt::format(" (t = {} of a flight of tactus)", to_text(TimeUs(first.time.us - kAhead.us)));
  }
  text += "\n";
  const std::size_t shown = std::min(difference.topics.size(), kMostTopics);
  for (std::size_t i = 0; i < shown; ++i) text += line_of(difference.topics[i]);
  if (shown < difference.topics.size()) {
    text += fmt::format("  and {} more topics; --json lists them all\n",
                        difference.topics.size() - shown);
  }
  return text;
}

std::string ulog_diff_json(const ULogDiff& difference, const std::string& a, const std::string& b) {
  Json topics = Json::array();
  for (const ULogDifference& one : difference.topics) topics.push_back(difference_json(one));
  return json_text({{"verdict", difference.equal() ? "equal" : "different"},
                    {"a", a},
                    {"b", b},
                    {"compared_topics", difference.compared},
                    {"notes", difference.notes},
                    {"topics", std::move(topics)}});
}

}  // namespace tactus
