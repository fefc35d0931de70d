// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/replay_plant.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/signal/validator.h"
#include "tactus/vehicle/prescribed_plant.h"

namespace tactus {
namespace {

/// All of them, or what an external simulator reported.
SignalSet plant_signals_in(const TableLayout& boundaries) {
  SignalSet found;
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    const std::string group = group_of(signal);
    const bool there =
        std::any_of(boundaries.fields.begin(), boundaries.fields.end(),
                    [&group](const RowField& field) { return field.path.starts_with(group); });
    if (there && kPlantSignals.has(signal)) found = found | SignalSet::of(signal);
  }
  return found;
}

class ReplayPlant final : public PrescribedPlant {
 public:
  explicit ReplayPlant(std::shared_ptr<const Recording> recording)
      : recording_(std::move(recording)),
        boundaries_(&recording_->require("boundary")),
        published_(plant_signals_in(boundaries_->layout)),
        seen_(recording_->find("scenario_inputs")) {
    const std::vector<BusLeaf> leaves = leaves_of(published_, bus_leaves(recording_->meta.counts));
    if (!published_.has(Signal::kTruth)) {
      throw Error(ExitCode::kBadInput, "the recording holds no plant signals; record it at tier 1");
    }
    signals_ = find_fields(boundaries_->layout, kOutputsGroup, leaves);
    if (seen_ != nullptr) {
      seen_signals_ = find_fields(seen_->layout, "/scenario_inputs", leaves);
    }
  }

  [[nodiscard]] VehicleCounts counts() const override { return recording_->meta.counts; }
  [[nodiscard]] SignalSet publishes() const override { return published_; }

  void publish_state(Bus& bus) const override {
    if (seen_ == nullptr) return signals_.scatter(row_at(*boundaries_, bus.time), &bus);
    seen_signals_.scatter(row_at(*seen_, bus.time), &bus);
  }
  bool hold(const Bus& /*bus*/) override {
    held_ = true;
    return true;
  }
  /// Before the input is held it is what the scenario saw, which publish_state has shown.
  void publish_outputs(Bus& bus) const override {
    if (held_) signals_.scatter(row_at(*boundaries_, bus.time), &bus);
  }

  TimeUs advance(TimeUs end, WatchList /*watches*/, const Bus& bus,
                 IntervalObserver* /*observer*/) override {
    held_ = false;
    const std::optional<std::size_t> now = boundaries_->last_at(bus.time);
    const std::size_t next = now ? *now + 1 : 0;
    return next < boundaries_->size() ? std::min(end, boundaries_->time(next)) : end;
  }

  [[nodiscard]] std::unique_ptr<Plant> clone() const override {
    return std::make_unique<ReplayPlant>(*this);
  }
  void save(StateWriter& to) const override {
    to.begin("replay of the plant");
    to.add(held_);
  }
  void load(StateReader& from) override {
    from.begin("replay of the plant");
    held_ = from.get<bool>();
  }

 private:
  static const std::byte* row_at(const Table& table, TimeUs time) {
    const std::optional<std::size_t> row = table.at(time);
    if (row) return table.row(*row).data();
    throw Error(ExitCode::kDifferent,
                fmt::format("t = {} us: a boundary is asked for that the recording does not "
                            "have; the flight has diverged from it",
                            time.us));
  }

  std::shared_ptr<const Recording> recording_;
  const Table* boundaries_;
  SignalSet published_;
  const Table* seen_;
  RowPart signals_;
  RowPart seen_signals_;
  bool held_ = false;
};

}  // namespace

std::unique_ptr<Plant> make_replay_plant(std::shared_ptr<const Recording> recording) {
  return std::make_unique<ReplayPlant>(std::move(recording));
}

}  // namespace tactus
