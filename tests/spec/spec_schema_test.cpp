// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
// slow: reads a spec per key and wrong value

// Every key of the schema, one at a time: of wrong type, misspelt, out of range, missing. The
// resolved text of a spec has every key on a line of its own, so the line of the mistake is known.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tactus/files/disk_files.h"
#include "tactus/spec/reader/spec_keys.h"
#include "tactus/spec/schema/schema_enums.h"
#include "tests/spec/spec_samples.h"
#include "tests/support/scale.h"

namespace tactus {
namespace {

using testing::error_of;

struct Line {
  std::string table;  ///< "[body]"
  std::string name;   ///< "" if not a key
  std::string value;
};

class Document {
 public:
  explicit Document(const std::string& spec) {
    std::string table;
    const std::string text = load_spec_text(spec, "base.toml").resolved;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t end = text.find('\n', from);
      const std::string line = text.substr(from, end - from);
      from = end + 1;
      const std::size_t equals = line.find(" = ");
      if (!line.empty() && line[0] == '[') table = line;
      if (equals == std::string::npos) {
        lines.push_back({line, "", ""});
      } else {
        const std::size_t comment = line.find("  # ");
        lines.push_back(
            {table, line.substr(0, equals), line.substr(equals + 3, comment - equals - 3)});
      }
    }
  }

  /// The text with another line in place of line i.
  [[nodiscard]] std::string with(std::size_t i, const std::string& replacement) const {
    std::string text;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const Line& line = lines[k];
      const std::string own = line.name.empty() ? (line.table.starts_with('[') ? line.table : "")
                                                : line.name + " = " + line.value;
      text += (k == i ? replacement : own) + "\n";
    }
    return text;
  }

  std::vector<Line> lines;
};

const std::string kSpecs[] = {testing::kRichSpec, testing::kQuadraticSpec, testing::kRoverSpec,
                              testing::kBallSpec};

bool is_number(const std::string& value) {
  return value.find_first_of("0123456789") == 0 || value[0] == '-' || value == "inf";
}

/// One mistake takes the same way through the loader in every key.
bool left_out(std::size_t i) { return testing::few_cases() && i % 7 != 0; }

std::string place(std::size_t i) { return "t.toml:" + std::to_string(i + 1) + ":"; }

/// Of all keys that fly in some way; the rest is read by people and judges.
TEST(SpecSchema, EveryKeyHasAnOwner) {
  SpecDraft draft = SpecDraft::sample();
  const SchemaTable schema = make_schema(draft);
  const auto require = [](const SchemaTable& table, const std::string& path, auto& self) -> void {
    for (const SchemaKey& key : table.keys) {
      const std::string name = path + key.name;
      const bool is_text = name == "name" || name == "description" || name.starts_with("expect.");
      EXPECT_EQ(owner_of_key(name) == Component::kText, is_text) << name;
      EXPECT_NE(owner_of_key(name), Component::kUnknown) << name;
    }
    for (const SchemaTable& inner : table.tables) self(inner, path + inner.name + ".", self);
    for (const SchemaList& list : table.lists) {
      for (const SchemaTable& entry : list.entries)
        self(entry, path + list.name + ".any_id.", self);
    }
    if (table.only_for != nullptr) {
      EXPECT_TRUE(is_of_plant(owner_of_key(path + table.name))) << path;
    }
  };
  require(schema, "", require);
  EXPECT_EQ(owner_of_key("seed"), Component::kRandom);
  EXPECT_EQ(owner_of_key("ball.mass_kg"), Component::kRigidBody);
  EXPECT_EQ(owner_of_key("ball.contact.friction"), Component::kContact);
  EXPECT_EQ(owner_of_key("rotor.front_left.motor.resistance_ohm"), Component::kPropulsion);
  EXPECT_EQ(owner_of_key("pack.main.r0_ohm"), Component::kBattery);
  EXPECT_EQ(owner_of_key("wind.gust.first.at_s"), Component::kWind);
}

TEST(SpecSchema, EveryKeyHasTypeUnitAndMeaning) {
  SpecDraft draft = SpecDraft::sample();
  const SchemaTable schema = make_schema(draft);
  const auto require = [](const SchemaTable& table, const std::string& path, auto& self) -> void {
    for (const SchemaKey& key : table.keys) {
      EXPECT_FALSE(type_text(key.slot).empty()) << path << key.name;
      for (const char c : key.name) {
        EXPECT_TRUE((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')
            << path << key.name << " is not an ASCII name";
      }
    }
    for (const SchemaTable& inner : table.tables) self(inner, path + inner.name + ".", self);
    for (const SchemaList& list : table.lists) {
      self(list.entries.front(), path + list.name + ".", self);
    }
  };
  require(schema, "", require);
  EXPECT_NE(keys_text().find("| `body.mass_kg` | real | kg | 0.001 to 100000 | `1.5` |"),
            std::string::npos);
}

TEST(SpecSchema, TheSamplesUseEveryKey) {
  std::set<std::string> used;
  for (const std::string& spec : kSpecs) {
    for (const Line& line : Document(spec).lines) {
      if (!line.name.empty()) used.insert(line.table + line.name);
    }
  }
  SpecDraft draft = SpecDraft::sample();
  const SchemaTable schema = make_schema(draft);
  const std::set<std::string> alternatives = {"[body]inertia_diagonal_kg_m2",
                                              "[ball]inertia_diagonal_kg_m2", "[initial]euler_deg"};
  const auto require = [&](const SchemaTable& table, const std::string& header,
                           auto& self) -> void {
    for (const SchemaKey& key : table.keys) {
      if (alternatives.count(header + key.name) != 0) continue;
      EXPECT_TRUE(used.count(header + key.name) != 0) << header << key.name;
    }
    for (const SchemaTable& inner : table.tables) {
      if (!inner.sparse) {
        self(inner,
             "[" + (header.empty() ? "" : header.substr(1, header.size() - 2) + ".") + inner.name +
                 "]",
             self);
      }
    }
    for (const SchemaList& list : table.lists) {
      const std::string prefix = table.name.empty() ? "" : table.name + ".";
      self(list.entries.front(), "[[" + prefix + list.name + "]]", self);
    }
  };
  require(schema, "", require);
}

TEST(SpecSchema, WrongTypeNamesFileLineAndKey) {
  for (const std::string& spec : kSpecs) {
    const Document document(spec);
    for (std::size_t i = 0; i < document.lines.size(); ++i) {
      const Line& line = document.lines[i];
      if (line.name.empty() || left_out(i)) continue;
      const bool text = line.value[0] == '"';
      for (const std::string& wrong :
           text ? std::vector<std::string>{"12", "true", "[]", "{}", "2020-01-01"}
                : std::vector<std::string>{"\"text\"", "{}", "2020-01-01"}) {
        const std::string error = error_of(document.with(i, line.name + " = " + wrong));
        EXPECT_TRUE(error.starts_with(place(i))) << line.table << line.name << ": " << error;
        EXPECT_NE(error.find(line.name), std::string::npos) << error;
      }
    }
  }
}

TEST(SpecSchema, MisspeltNamesTheNearestKey) {
  for (const std::string& spec : kSpecs) {
    const Document document(spec);
    for (std::size_t i = 0; i < document.lines.size(); ++i) {
      const Line& line = document.lines[i];
      if (line.name.empty() || line.name == "id" || left_out(i)) continue;
      const std::string error = error_of(document.with(i, line.name + "x = " + line.value));
      EXPECT_TRUE(error.starts_with(place(i))) << error;
      EXPECT_NE(error.find("did you mean " + line.name + "?"), std::string::npos) << error;
    }
  }
}

TEST(SpecSchema, NotANumberIsRefusedEverywhere) {
  for (const std::string& spec : kSpecs) {
    const Document document(spec);
    for (std::size_t i = 0; i < document.lines.size(); ++i) {
      const Line& line = document.lines[i];
      if (line.name.empty() || !is_number(line.value) || left_out(i)) continue;
      const std::string error = error_of(document.with(i, line.name + " = nan"));
      EXPECT_TRUE(error.starts_with(place(i))) << line.table << line.name << ": " << error;
    }
  }
}

/// Whether loading fails and the message starts at that line.
bool refused_at(const std::string& text, std::size_t i) {
  try {
    load_spec_text(text, "t.toml");
  } catch (const Error& error) {
    return std::string(error.what()).starts_with(place(i));
  }
  return false;
}

/// "[1.0, [2.0]]" with every number replaced.
std::string with_every_number(const std::string& array, const std::string& number) {
  std::string out;
  bool inside = false;
  for (const char c : array) {
    const bool part = std::string_view("[], ").find(c) == std::string_view::npos;
    if (!part) out += c;
    if (part && !inside) out += number;
    inside = part;
  }
  return out;
}

TEST(SpecSchema, OutOfRangeIsRefusedAtItsLine) {
  // Any finite number, or any of the type, is a possible value of these.
  const std::set<std::string> free = {
      "seed",
      "[world.ground]down_m",
      "[propeller]thrust_inflow_factor",
      "[propeller]torque_inflow_factor",
      "[[event]]at_step",
      "[[expect]]high_m",  // low_m is compared with it
      "[[expect]]limit",
      "[[expect]]value",
  };
  std::map<std::string, bool> refused;
  for (const std::string& spec : kSpecs) {
    const Document document(spec);
    for (std::size_t i = 0; i < document.lines.size(); ++i) {
      const Line& line = document.lines[i];
      const bool vector = line.value.starts_with('[') && !line.value.starts_with("[{");
      if (line.name.empty() || (!vector && !is_number(line.value)) || left_out(i)) continue;
      bool& known = refused[line.table + line.name];
      for (const char* value : {"-1e9", "1e15", "-1000000000", "1000000000000000"}) {
        const std::string wrong = vector ? with_every_number(line.value, value) : value;
        known = known || refused_at(document.with(i, line.name + " = " + wrong), i);
      }
    }
  }
  for (const auto& [key, known] : refused) {
    EXPECT_TRUE(known || free.count(key) != 0) << key << " takes any number";
  }
}

TEST(SpecSchema, UnknownChoiceListsTheChoices) {
  for (const std::string& spec : kSpecs) {
    const Document document(spec);
    for (std::size_t i = 0; i < document.lines.size(); ++i) {
      const Line& line = document.lines[i];
      if (line.name != "kind" && line.name != "mode" && line.name != "method" &&
          line.name != "do" && line.name != "turbulence" && line.name != "sensor" &&
          line.name != "instrument" && line.name != "sampling") {
        continue;
      }
      const std::string error = error_of(document.with(i, line.name + " = \"nonsense\""));
      EXPECT_TRUE(error.starts_with(place(i))) << error;
      EXPECT_NE(error.find("must be one of "), std::string::npos) << error;
      EXPECT_NE(error.find(line.value.substr(1, line.value.size() - 2)), std::string::npos)
          << error;
    }
  }
}

TEST(SpecSchema, WhatIsRequiredMustBeGiven) {
  SpecDraft draft = SpecDraft::sample();
  const SchemaTable schema = make_schema(draft);
  const Document document(testing::kRichSpec);
  int removed = 0;
  for (std::size_t i = 0; i < document.lines.size(); ++i) {
    const Line& line = document.lines[i];
    const SchemaTable* table = &schema;
    if (line.table == "[vehicle]") table = schema.table("vehicle");
    if (line.table.starts_with("[[")) {
      const std::string name = line.table.substr(2, line.table.size() - 4);
      const SchemaList* list =
          name == "wind.gust" ? schema.table("wind")->list("gust") : schema.list(name);
      table = list == nullptr ? &schema : &list->entries.front();
    }
    const SchemaKey* key = table->key(line.name);
    const bool required = line.name == "id" || (key != nullptr && key->required);
    if (!required || line.name.empty()) continue;
    const std::string error = error_of(document.with(i, ""));
    EXPECT_TRUE(error.starts_with("t.toml:")) << error;
    EXPECT_NE(error.find(line.name + ": is missing"), std::string::npos) << error;
    ++removed;
  }
  EXPECT_GT(removed, 20);
  for (const char* list : {"rotor", "pack", "bus"}) {
    std::string text = testing::kSmallSpec;
    const std::string header = std::string("[[") + list + "]]";
    while (text.find(header) != std::string::npos) {
      const std::size_t at = text.find(header);
      const std::size_t next = text.find("\n[", at);
      text.erase(at, next == std::string::npos ? next : next + 1 - at);
    }
    EXPECT_NE(error_of(text).find(std::string(list) + ": is missing"), std::string::npos);
  }
}

TEST(SpecSchema, ResolvedTextLoadsToTheSameDigest) {
  for (const std::string& spec : kSpecs) {
    const LoadedSpec first = load_spec_text(spec, "a.toml");
    const LoadedSpec second = load_spec_text(first.resolved, "b.toml");
    EXPECT_EQ(to_hex(first.spec.digest), to_hex(second.spec.digest));
    const LoadedSpec third = load_spec_text(second.resolved, "b.toml");
    EXPECT_EQ(second.resolved.size(), third.resolved.size());
  }
}

TEST(SpecSchema, EveryValueOfTheResolvedSpecCountsInTheDigest) {
  const Document document(testing::kRichSpec);
  const std::string base = to_hex(load_spec_text(document.with(0, ""), "t.toml").spec.digest);
  int changed = 0;
  for (std::size_t i = 0; i < document.lines.size(); ++i) {
    const Line& line = document.lines[i];
    if (line.name.empty() || !is_number(line.value) || line.value == "inf") continue;
    if (line.table == "[autopilot.ground_station]") continue;  // whom it talks to decides nothing
    const bool whole = line.value.find_first_of(".e") == std::string::npos;
    const double half = 0.5 * std::stod(line.value);
    const std::string other =
        whole ? std::to_string(std::stol(line.value) + 1) : to_toml(half == 0.0 ? 0.25 : half);
    try {
      const std::string text = document.with(i, line.name + " = " + other);
      const LoadedSpec loaded = load_spec_text(text, "t.toml");
      EXPECT_NE(to_hex(loaded.spec.digest), base) << line.table << line.name;
      ++changed;
    } catch (const Error&) {
      continue;  // out of range or not a whole microsecond
    }
  }
  EXPECT_GT(changed, 50);
}

}  // namespace
}  // namespace tactus
