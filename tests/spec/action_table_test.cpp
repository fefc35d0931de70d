// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// The tables of actions and expectations: whole, and told in docs/faults.md.

#include "tactus/spec/model/action_table.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tactus/files/text_file.h"
#include "tactus/spec/model/expectation_table.h"

namespace tactus {
namespace {

using Cells = std::vector<std::string>;

Cells cells_of(const std::string& line) {
  Cells cells;
  std::istringstream text(line);
  std::string cell;
  std::getline(text, cell, '|');  // before the first bar
  while (std::getline(text, cell, '|')) cells.push_back(cell.substr(1, cell.size() - 2));
  return cells;
}

/// Rows of the Markdown table with this head, by their first cell without backticks.
std::map<std::string, Cells> table_of_docs(const std::string& head) {
  std::istringstream text(read_text_file("docs/faults.md"));
  std::map<std::string, Cells> rows;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("| " + head)) {
      inside = true;
      std::getline(text, line);  // |---|
    } else if (inside && line.empty()) {
      return rows;
    } else if (inside) {
      const Cells cells = cells_of(line);
      rows[cells[0].substr(1, cells[0].size() - 2)] = cells;
    }
  }
  return rows;
}

TEST(ActionTable, HasWhatEachClassNeeds) {
  for (const ActionRow& row : kActions) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.order != nullptr, row.does == ActionClass::kOrder);
    EXPECT_EQ(row.add != nullptr, row.does == ActionClass::kEffect);
    EXPECT_EQ(row.restore != nullptr, row.does == ActionClass::kRestore);
    EXPECT_EQ(lasts(row.kind), row.does == ActionClass::kEffect);
    if (!lasts(row.kind)) {
      EXPECT_FALSE(row.ended_by || has_pattern(row.kind) || has_noise(row.kind));
      EXPECT_EQ(row.together.of, nullptr);
    }
    EXPECT_LE(row.input.low, row.input.high);
    EXPECT_TRUE(!row.input.up_to_empty_pack || row.target == ActionTarget::kPack);
    EXPECT_NE(std::string(row.meaning), "");
  }
}

TEST(ActionTable, ARestoreEndsEffectsOfItsKindOfTarget) {
  std::map<ActionKind, int> ended;
  for (const ActionRow& row : kActions) {
    if (!row.ended_by) continue;
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row_of(*row.ended_by).does, ActionClass::kRestore);
    EXPECT_STREQ(key_of(row.target), key_of(row_of(*row.ended_by).target));
    ++ended[*row.ended_by];
  }
  for (const ActionRow& row : kActions) {
    EXPECT_EQ(row.does == ActionClass::kRestore, ended[row.kind] > 0) << row.name;
  }
}

/// An effect changes what a restore of the same target gives back.
TEST(ActionTable, EffectsChangeSomethingAndRestoresGiveItBack) {
  for (const ActionRow& row : kActions) {
    if (row.does != ActionClass::kEffect) continue;
    SCOPED_TRACE(row.name);
    ResolvedAction action;
    action.kind = row.kind;
    action.index = 0;
    action.value = row.input.low == 1.0 ? 2.0 : 0.5;
    action.vector = {1, 0, 0};
    action.delay = DurationUs(5);
    Effects effects;
    row.add(action, 1.0, effects);
    EXPECT_TRUE(first_difference(effects, Effects{}));
    EXPECT_TRUE(row.together.of == nullptr || row.together.of(0, effects) > 0.0);
    if (!row.ended_by) continue;
    row_of(*row.ended_by).restore(0, effects);
    EXPECT_FALSE(first_difference(effects, Effects{}));
  }
}

TEST(ActionTable, IsDescribedInTheDocs) {
  const auto docs = table_of_docs("`do` |");
  EXPECT_EQ(docs.size(), kActions.size());
  for (const ActionRow& row : kActions) {
    SCOPED_TRACE(row.name);
    ASSERT_TRUE(docs.contains(row.name));
    const Cells& cells = docs.at(row.name);
    ASSERT_EQ(cells.size(), 6U);
    EXPECT_EQ(cells[1], row.meaning);
    if (!lasts(row.kind)) continue;
    std::string ends_with = "duration";
    if (row.ended_by) ends_with += ", `" + std::string(row_of(*row.ended_by).name) + "`";
    EXPECT_EQ(cells[4], ends_with);
  }
}

TEST(ExpectationTable, IsDescribedInTheDocs) {
  const auto docs = table_of_docs("`kind` | comes true if");
  EXPECT_EQ(docs.size(), kExpectations.size());
  for (const ExpectationRow& row : kExpectations) {
    SCOPED_TRACE(row.name);
    ASSERT_TRUE(docs.contains(row.name));
    EXPECT_EQ(docs.at(row.name)[1], row.meaning);
  }
}

}  // namespace
}  // namespace tactus
