// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/trace/trace_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tactus/core/json_text.h"

namespace tactus {
namespace {

bool equal(const TraceEntry& a, const TraceEntry& b) {
  return a.virtual_ns == b.virtual_ns && a.text == b.text;
}

/// `counts`: which entries are looked at.
template <class Counts>
std::optional<TraceDifference> first_difference(const AutopilotTrace& a, const AutopilotTrace& b,
                                                Counts counts) {
  auto in_a = a.entries().begin();
  auto in_b = b.entries().begin();
  const auto skip = [&counts](auto& at, const auto& end) { at = std::find_if(at, end, counts); };
  for (std::size_t equal_ones = 0;; ++equal_ones, ++in_a, ++in_b) {
    skip(in_a, a.entries().end());
    skip(in_b, b.entries().end());
    const bool ends_a = in_a == a.entries().end();
    const bool ends_b = in_b == b.entries().end();
    if (ends_a && ends_b) return std::nullopt;
    if (!ends_a && !ends_b && equal(*in_a, *in_b)) continue;
    TraceDifference difference;
    difference.equal = equal_ones;
    if (!ends_a) difference.a = *in_a;
    if (!ends_b) difference.b = *in_b;
    difference.kind = ends_a ? in_b->kind : in_a->kind;
    return difference;
  }
}

std::string when(const TraceEntry& entry) {
  const std::string own =
      fmt::format("{:.6f} s of its own time", static_cast<double>(entry.virtual_ns) * 1e-9);
  return entry.instant ? fmt::format("t = {}, {}", to_text(*entry.instant), own)
                       : "before the flight, " + own;
}

std::string side(const char* name, const std::optional<TraceEntry>& entry) {
  if (!entry) return fmt::format("  {}  ends before\n", name);
  return fmt::format("  {}  line {}, {}: {}\n", name, entry->line, when(*entry), describe(*entry));
}

std::string text_of(const char* head, const TraceDifference& difference) {
  std::string text = fmt::format("{:<13}{} equal before it\n", head, difference.equal);
  text += side("a", difference.a) + side("b", difference.b);
  if (difference.a && difference.b) {
    const std::string how = message_difference(*difference.a, *difference.b);
    if (!how.empty()) text += fmt::format("     {}\n", how);
  }
  return text;
}

Json entry_json(const std::optional<TraceEntry>& entry) {
  if (!entry) return {};
  return {{"line", entry->line},
          {"t_us", entry->instant ? Json(entry->instant->us) : Json()},
          {"virtual_ns", entry->virtual_ns},
          {"what", describe(*entry)}};
}

Json difference_json(const TraceDifference& difference) {
  Json json = {{"kind", to_text(difference.kind)},
               {"equal_before", difference.equal},
               {"a", entry_json(difference.a)},
               {"b", entry_json(difference.b)}};
  json["difference"] = difference.a && difference.b
                           ? Json(message_difference(*difference.a, *difference.b))
                           : Json();
  return json;
}

}  // namespace

TraceDiff diff_traces(const AutopilotTrace& a, const AutopilotTrace& b) {
  TraceDiff result;
  result.first = first_difference(a, b, [](const TraceEntry&) { return true; });
  if (!result.first) return result;
  for (std::size_t i = 0; i < kTraceKinds; ++i) {
    const auto kind = static_cast<TraceKind>(i);
    const auto found =
        first_difference(a, b, [kind](const TraceEntry& entry) { return entry.kind == kind; });
    if (found) result.of_kinds.push_back(*found);
  }
  return result;
}

std::string to_text(const TraceDiff& difference, const std::string& a, const std::string& b) {
  std::string text = fmt::format("a  {}\nb  {}\n", a, b);
  if (!difference.first) return text + "verdict      equal\n";
  text += fmt::format("verdict      different\nfirst        {}\n", to_text(difference.first->kind));
  text += text_of("", *difference.first);
  for (const TraceDifference& one : difference.of_kinds) {
    text += fmt::format("first {}\n", to_text(one.kind)) + text_of("", one);
  }
  return text;
}

std::string trace_diff_json(const TraceDiff& difference, const std::string& a,
                            const std::string& b) {
  Json kinds = Json::array();
  for (const TraceDifference& one : difference.of_kinds) kinds.push_back(difference_json(one));
  return json_text({{"verdict", difference.first ? "different" : "equal"},
                    {"a", a},
                    {"b", b},
                    {"first", difference.first ? difference_json(*difference.first) : Json()},
                    {"first_of_kinds", kinds}});
}

}  // namespace tactus
