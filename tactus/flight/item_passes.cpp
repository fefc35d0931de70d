// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/flight/item_passes.h"

#include <algorithm>
#include <cstddef>

namespace tactus {
namespace {

class Passes {
 public:
  explicit Passes(const Mission& mission) : mission_(&mission) {}

  void add(const FlightFacts::Step& step) {
    if (step.from >= 0) add(step.from, step.time);
    std::int32_t item = step.from + 1;
    for (std::int32_t i = 0; i < count() && item != step.to && takes_no_time(item); ++i) {
      add(item, step.time);
      // A jump was taken unless what follows it leads where the flight went on.
      const bool jumped = is_jump(item) && next_that_takes_time(item + 1) != step.to;
      item = jumped ? target(item) : item + 1;
    }
  }

  [[nodiscard]] const std::vector<ItemPasses>& list() const { return list_; }

 private:
  [[nodiscard]] std::int32_t count() const {
    return static_cast<std::int32_t>(mission_->items.size());
  }
  [[nodiscard]] const MissionItem& at(std::int32_t item) const {
    return mission_->items[static_cast<std::size_t>(item)];
  }
  [[nodiscard]] bool is_jump(std::int32_t item) const {
    return at(item).command == MissionCommand::kDoJump;
  }
  [[nodiscard]] bool takes_no_time(std::int32_t item) const {
    return item < count() && (is_jump(item) || at(item).command == MissionCommand::kDoChangeSpeed);
  }
  [[nodiscard]] std::int32_t next_that_takes_time(std::int32_t item) const {
    while (takes_no_time(item)) ++item;
    return item;
  }
  /// The mission reader has checked that it is the position of an item.
  [[nodiscard]] std::int32_t target(std::int32_t jump) const {
    return static_cast<std::int32_t>(at(jump).param[0]);
  }

  void add(std::int32_t item, TimeUs time) {
    auto passes = std::find_if(list_.begin(), list_.end(),
                               [item](const ItemPasses& known) { return known.item == item; });
    if (passes == list_.end()) passes = list_.insert(passes, {item, {}});
    passes->times.push_back(time);
  }

  const Mission* mission_;
  std::vector<ItemPasses> list_;
};

}  // namespace

std::vector<ItemPasses> item_passes(const Mission& mission,
                                    const std::vector<FlightFacts::Step>& steps) {
  Passes passes(mission);
  for (const FlightFacts::Step& step : steps) passes.add(step);
  return passes.list();
}

}  // namespace tactus
