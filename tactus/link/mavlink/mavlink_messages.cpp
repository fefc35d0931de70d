// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/link/mavlink/mavlink_messages.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tactus::mavlink {
namespace {

struct TableList {
  std::array<const MessageTable*, 64> tables{};
  std::size_t count = 0;
};

/// The parser finds a table by bisection, so the list goes by number.
consteval TableList list_tables() {
  TableList list;
  for_each_message([&list]<class M>() {
    if (list.count > 0 && list.tables[list.count - 1]->id >= M::kId) throw "not by number";
    list.tables[list.count++] = &kTable<M>;
  });
  return list;
}
constexpr TableList kList = list_tables();

}  // namespace

const MessageTable* find_message(std::uint32_t id) {
  const auto* const end = kList.tables.begin() + kList.count;
  const auto* const found = std::lower_bound(
      kList.tables.begin(), end, id,
      [](const MessageTable* table, std::uint32_t key) { return table->id < key; });
  return found != end && (*found)->id == id ? *found : nullptr;
}

}  // namespace tactus::mavlink
