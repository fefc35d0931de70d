// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Pairs of flights for tests of `diff`. Truth is independent of recordings: both flights are flown
// once more, and their buses and states are compared boundary by boundary.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/text.h"
#include "tactus/files/disk_files.h"
#include "tactus/replay/diff/diff.h"
#include "tactus/replay/rerun.h"

namespace tactus::testing {

/// Hovers up from 20 m in turbulence with a noisy estimate: everything is at work at once.
inline constexpr char kFlight[] = R"(
  extends = "../aircraft/iris.toml"
  name = "diff"
  seed = 3
  [time]
  end_s = 1.2
  [wind]
  mean_ned_m_s = [3.0, 1.0, 0.0]
  turbulence = "dryden"
  [estimator]
  kind = "noisy"
  [initial]
  on_ground = false
  position_ned_m = [0.0, 0.0, -20.0]
  rotor_speed_rad_s = 600.0
  [[event]]
  id = "arm"
  at_s = 0.02
  [[event]]
  id = "start"
  do = "hold"
  at_s = 0.1
  [[event]]
  id = "gust"
  at_s = 0.5
  do = "wind_step"
  vector = [0.0, 1.0, 0.0]
  duration_s = 0.1
  [[expect]]
  id = "complete"
  remove = true
  [[expect]]
  id = "land"
  remove = true
)";

inline LoadedSpec loaded(std::vector<Override> overrides = {}) {
  return load_spec_text(kFlight, data_root() + "/scenarios/diff.toml", overrides);
}

/// Flips the last bit of one number of the bus, once.
class Flip final : public Source {
 public:
  Flip(std::unique_ptr<Source> live, BusLeaf leaf, TimeUs at)
      : live_(std::move(live)), leaf_(std::move(leaf)), at_(at) {}

  [[nodiscard]] SourceInfo info() const override { return live_->info(); }
  void update(SourceContext& context) override {
    live_->update(context);
    if (context.now != at_) return;
    Bus& bus = context.bus.write_all(signal());
    auto* const number =
        reinterpret_cast<double*>(reinterpret_cast<std::byte*>(&bus) + leaf_.offset);
    *number = math::from_bits(math::to_bits(*number) ^ 1U);
  }
  [[nodiscard]] WatchList watches() const override { return live_->watches(); }
  void take_notes(std::vector<Note>& notes) override { live_->take_notes(notes); }
  [[nodiscard]] std::unique_ptr<Source> clone() const override {
    return std::make_unique<Flip>(live_->clone(), leaf_, at_);
  }

 private:
  [[nodiscard]] Signal signal() const {
    for (std::size_t i = 0; i < kSignals; ++i) {
      if (info().writes.has(static_cast<Signal>(i))) return static_cast<Signal>(i);
    }
    return Signal::kCommand;
  }
  std::unique_ptr<Source> live_;
  BusLeaf leaf_;
  TimeUs at_;
};

inline BusLeaf leaf_named(const std::string& name) {
  return find_leaf(bus_leaves({4, 0, 1, 1, 4}), name, "test");
}

/// The live source of the flight that writes a signal, with a flip around it.
inline std::unique_ptr<Source> flipped(Signal signal, const std::string& leaf, TimeUs at) {
  const Assembly flight = assemble(loaded().spec);
  for (const std::unique_ptr<Source>& source : flight.run.sources()) {
    if (!source->info().writes.has(signal)) continue;
    return std::make_unique<Flip>(source->clone(), leaf_named(leaf), at);
  }
  return nullptr;
}

/// One of two flights.
struct Flown {
  LoadedSpec spec = loaded();
  const Source* instead = nullptr;
  std::shared_ptr<const Plant> plant = nullptr;

  [[nodiscard]] AssembleOptions options() const {
    AssembleOptions options;
    if (instead != nullptr) options.instead.push_back(instead);
    options.plant_instead = plant.get();
    return options;
  }
  [[nodiscard]] std::shared_ptr<const Recording> record(Tier tier = Tier::kComponents) const {
    return fly_recorded(spec, tier, {}, options()).recording;
  }
};

inline Digest128 state_digest(const Run& run) {
  Digest digest;
  run.plant().add_state(digest);
  return digest.result();
}

/// Keeps the bus and the plant's state of every boundary as a recorder sees them.
class Witness final : public Recorder {
 public:
  struct Entry {
    TimeUs time;
    Bus bus;
    Digest128 state;
  };
  void begin(const Run& run) override { run_ = &run; }
  void boundary(const BoundaryView& view, SignalSet) override {
    entries.push_back({view.due.time, view.bus, state_digest(*run_)});
  }
  void end(Digest128, bool) override {}
  std::vector<Entry> entries;

 private:
  const Run* run_ = nullptr;
};

inline std::vector<Witness::Entry> witnessed(const Flown& flown) {
  Assembly flight = assemble(flown.spec.spec, flown.options());
  Witness witness;
  Observers observers;
  observers.recorders.push_back(&witness);
  fly(flight.run, observers);
  return witness.entries;
}

/// When the buses or states of two flights differ first.
inline std::optional<TimeUs> true_divergence(const Flown& a, const Flown& b) {
  const std::vector<Witness::Entry> in_a = witnessed(a);
  const std::vector<Witness::Entry> in_b = witnessed(b);
  for (std::size_t i = 0; i < std::min(in_a.size(), in_b.size()); ++i) {
    if (in_a[i].time != in_b[i].time) return std::min(in_a[i].time, in_b[i].time);
    const bool same = !first_difference(in_a[i].bus, in_b[i].bus) && in_a[i].state == in_b[i].state;
    if (!same) return in_a[i].time;
  }
  return std::nullopt;
}

/// A number of the spec, one ulp up.
inline Override one_ulp_up(const std::string& key) {
  for (const ResolvedKey& resolved : loaded().provenance) {
    if (resolved.key != key) continue;
    const double value = parse_double(resolved.value, key);
    return {key, format_double(math::from_bits(math::to_bits(value) + 1))};
  }
  ADD_FAILURE() << "no key " << key;
  return {};
}

inline std::string said(const DiffReport& report) {
  std::string text = to_text(report.verdict);
  if (report.divergence) {
    const ValueDifference& first = report.divergence->values.front();
    text += " t " + std::to_string(report.divergence->time.us) + " " + first.leaf + " " + first.a +
            " " + first.b;
  }
  if (!report.cause) return text;
  text += std::string(": ") + to_text(report.cause->blame) + " " + to_text(report.cause->component);
  for (const std::string& reason : report.cause->reasons) text += "\n  " + reason;
  return text;
}

/// The log shows outputs that follow from the new input, so it may show a difference that the next
/// boundary has for all.
inline void expect_instant(const DiffReport& report, std::optional<TimeUs> truth) {
  ASSERT_TRUE(report.divergence) << said(report);
  ASSERT_TRUE(truth);
  if (report.divergence->values.front().table == "log") {
    EXPECT_LT(report.divergence->time, *truth) << said(report);
  } else {
    EXPECT_EQ(report.divergence->time, *truth) << said(report);
  }
}

}  // namespace tactus::testing
