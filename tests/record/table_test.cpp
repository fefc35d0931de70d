// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables: every number of the bus and of a plant has its place in a row, its name comes back from
// that place, and equal values are equal bytes.

#include "tactus/record/table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tests/support/engine.h"

namespace tactus {
namespace {

constexpr VehicleCounts kLargest{kMaxMotors,
                                 kMaxServos,
                                 kMaxPacks,
                                 kMaxBuses,
                                 kMaxGearPoints,
                                 {kMaxImus, kMaxMagnetometers, kMaxBarometers, kMaxGps,
                                  kMaxAirspeeds, kMaxRangeFinders, kMaxOpticalFlows}};

/// Every leaf different, whatever its type.
Bus numbered_bus(const std::vector<BusLeaf>& leaves) {
  Bus bus;
  unsigned char value = 0;
  for (const BusLeaf& leaf : leaves) {
    value = static_cast<unsigned char>(value % 120 + 1);
    auto* const at = reinterpret_cast<unsigned char*>(&bus) + leaf.offset;
    const double real = 0.1 * value;
    if (leaf.kind == BusLeaf::Kind::kReal) {
      std::memcpy(at, &real, sizeof real);
    } else {
      *at = static_cast<std::uint8_t>(leaf.kind == BusLeaf::Kind::kBool ? value % 2 : value);
    }
  }
  return bus;
}

TEST(Table, EveryLeafOfTheBusHasItsNameBack) {
  const std::vector<BusLeaf> leaves = bus_leaves(kLargest);
  ASSERT_GT(leaves.size(), 300U);
  TableLayout table = make_table("log", Rule::kSampled);
  add_fields(table, "/log", leaves);
  std::set<std::string> names;
  std::size_t columns = 0;
  for (std::size_t i = 1; i < table.fields.size(); ++i) {
    columns += table.fields[i].width;
    for (std::size_t column = 0; column < table.fields[i].width; ++column) {
      names.insert(leaf_name(table.fields[i], column));
    }
  }
  EXPECT_EQ(columns, leaves.size());
  for (const BusLeaf& leaf : leaves) EXPECT_EQ(names.count(leaf.name), 1U) << leaf.name;
}

TEST(Table, EveryLeafOfThePlantHasItsNameBack) {
  const RunSetup setup = testing::bare_setup(TimeUs(1000));
  const std::vector<BusLeaf> leaves = setup.plant->state_leaves();
  TableLayout table = make_table("boundary", Rule::kSampled);
  add_fields(table, "/plant", leaves);
  std::set<std::string> names;
  for (const RowField& field : table.fields) {
    for (std::size_t column = 0; column < field.width; ++column) {
      names.insert(leaf_name(field, column));
    }
  }
  for (const BusLeaf& leaf : leaves) EXPECT_EQ(names.count(leaf.name), 1U) << leaf.name;
}

TEST(Table, QuantitiesAreFieldsAndComponentsAreColumns) {
  TableLayout table = make_table("x", Rule::kSampleAndHold, DurationUs(4000));
  add_fields(table, "/outputs", bus_leaves({4, 0, 2, 1, 4}));
  EXPECT_EQ(table.fields[0].path, "/time/x_us");
  EXPECT_EQ(table.fields[0].offset, 0U);
  const RowField* const position = table.find("/outputs/truth/position_ned_m");
  ASSERT_NE(position, nullptr);
  EXPECT_EQ(position->width, 3U);
  EXPECT_EQ(position->labels, "x,y,z");
  EXPECT_EQ(position->unit, "m");
  EXPECT_EQ(position->frame, "NED");
  const RowField* const voltage = table.find("/outputs/battery/voltage_v");
  ASSERT_NE(voltage, nullptr);
  EXPECT_EQ(voltage->labels, "0,1");
  EXPECT_EQ(leaf_name(*voltage, 1), "battery[1].voltage_v");
  EXPECT_EQ(table.find("/outputs/nothing"), nullptr);
  std::size_t size = 0;
  for (const RowField& field : table.fields) {
    EXPECT_EQ(field.offset, size) << field.path;  // no holes, no overlap
    size += field.bytes();
  }
  EXPECT_EQ(table.row_size, size);
}

TEST(Table, WhatIsGatheredCanBeScattered) {
  const std::vector<BusLeaf> leaves = bus_leaves(kLargest);
  TableLayout table = make_table("log", Rule::kSampled);
  const RowPart part = add_fields(table, "/log", leaves);
  const Bus bus = numbered_bus(leaves);
  std::vector<std::byte> row(table.row_size);
  part.gather(&bus, row.data());
  Bus back;
  find_fields(table, "/log", leaves).scatter(row.data(), &back);
  for (const BusLeaf& leaf : leaves) EXPECT_EQ(leaf.value(back), leaf.value(bus)) << leaf.name;
  for (const RowField& field : table.fields) {
    for (std::size_t column = 0; column < field.width && field.offset != 0; ++column) {
      const BusLeaf leaf = find_leaf(leaves, leaf_name(field, column), "test");
      EXPECT_EQ(number(field, column, row.data()), leaf.value(bus)) << leaf.name;
    }
  }
}

TEST(Table, EveryNanOfAReportIsTheSameBytes) {
  const std::vector<BusLeaf> leaves = bus_leaves({4, 0, 1, 1, 4});
  TableLayout table = make_table("autopilot", Rule::kSampleAndHold);
  const RowPart part = add_fields(table, "/signals", leaves_of(Signal::kAutopilot, leaves));
  Bus one;
  Bus other;
  one.autopilot.position_setpoint_W_m.x = math::canonical_nan();
  other.autopilot.position_setpoint_W_m.x = math::from_bits(0xfff8'0000'0000'0123);
  std::vector<std::byte> a(table.row_size);
  std::vector<std::byte> b(table.row_size);
  part.gather(&one, a.data());
  part.gather(&other, b.data());
  EXPECT_EQ(a, b);
}

TEST(Table, TheFirstDifferenceIsNamed) {
  const std::vector<BusLeaf> leaves = bus_leaves({4, 0, 1, 1, 4});
  TableLayout table = make_table("log", Rule::kSampled);
  const RowPart part = add_fields(table, "/log", leaves);
  std::vector<std::byte> a(table.row_size);
  for (const BusLeaf& leaf : leaves) {
    if (leaf.kind != BusLeaf::Kind::kReal) continue;
    Bus bus;
    part.gather(&bus, a.data());
    EXPECT_FALSE(first_difference(table, a.data(), a.data()));
    auto* const at = reinterpret_cast<std::byte*>(&bus) + leaf.offset;
    const double bent = 1e-300;
    std::memcpy(at, &bent, sizeof bent);
    std::vector<std::byte> b(table.row_size);
    part.gather(&bus, b.data());
    const auto difference = first_difference(table, a.data(), b.data());
    ASSERT_TRUE(difference) << leaf.name;
    EXPECT_EQ(leaf_name(table.fields[difference->field], difference->column), leaf.name);
  }
}

TEST(Table, RowsAreFoundByTheirInstant) {
  Table table{make_table("x", Rule::kSampled), {}};
  for (const std::uint64_t t_us : {100U, 200U, 200U, 400U}) {
    std::vector<std::byte> row(table.layout.row_size);
    put(table.layout.fields[0], 0, t_us, row.data());
    table.rows.insert(table.rows.end(), row.begin(), row.end());
  }
  EXPECT_EQ(table.size(), 4U);
  EXPECT_EQ(table.time(3), TimeUs(400));
  EXPECT_EQ(table.at(TimeUs(100)), 0U);
  EXPECT_EQ(table.at(TimeUs(300)), std::nullopt);
  EXPECT_EQ(table.last_at(TimeUs(300)), 2U);
  EXPECT_EQ(table.last_at(TimeUs(99)), std::nullopt);
  EXPECT_EQ(table.last_at(TimeUs(1000)), 3U);
}

TEST(Table, ValuesAndTextsReadBack) {
  TableLayout table = make_table("x", Rule::kSampled);
  const auto add = [&table](const char* path, FieldKind kind, std::size_t width = 1) {
    RowField field;
    field.path = path;
    field.kind = kind;
    field.width = width;
    add_field(table, field);
    return table.fields.back();
  };
  const RowField real = add("/x/real", FieldKind::kReal);
  const RowField small = add("/x/small", FieldKind::kI32);
  const RowField word = add("/x/word", FieldKind::kText, 5);
  std::vector<std::byte> row(table.row_size);
  put(real, 0, 0.1, row.data());
  put(small, 0, std::int32_t{-7}, row.data());
  put_text(word, "long word", row.data());
  EXPECT_EQ(value_text(real, 0, row.data()), "0.1");
  EXPECT_EQ(value_text(small, 0, row.data()), "-7");
  EXPECT_EQ(number(small, 0, row.data()), -7.0);
  EXPECT_EQ(text(word, row.data()), "long ");
  put_text(word, "a", row.data());
  EXPECT_EQ(value_text(word, 0, row.data()), "a");
}

TEST(Table, RulesHaveNames) {
  for (const Rule rule :
       {Rule::kZeroOrderHold, Rule::kSampleAndHold, Rule::kLinear, Rule::kSampled}) {
    EXPECT_EQ(rule_from_text(to_text(rule)), rule);
  }
  EXPECT_THROW(rule_from_text("cubic"), Error);
}

TEST(Table, FieldsThatDoNotFitAreRefusedByName) {
  const std::vector<BusLeaf> leaves = bus_leaves({4, 0, 1, 1, 4});
  TableLayout table = make_table("wind", Rule::kSampleAndHold);
  const std::vector<BusLeaf> wind = leaves_of(Signal::kWind, leaves);
  add_fields(table, "/signals", wind);
  TableLayout other = table;
  other.fields[1].kind = FieldKind::kU64;
  EXPECT_NE(testing::refusal([&] { find_fields(other, "/signals", wind); }, ExitCode::kBadInput)
                .find(other.fields[1].path),
            std::string::npos);
  other = table;
  other.fields[1].labels = "north,east,down";
  EXPECT_NE(testing::refusal([&] { find_fields(other, "/signals", wind); }, ExitCode::kBadInput),
            "");
}

}  // namespace
}  // namespace tactus
