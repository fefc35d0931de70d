// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The live sources besides the scenario: thin adapters that put the models on the bus.

#include <memory>

#include "tactus/autopilot/autopilot.h"
#include "tactus/core/random.h"
#include "tactus/engine/source.h"
#include "tactus/plant/environment/wind.h"
#include "tactus/sensor/estimator.h"
#include "tactus/sensor/land_detector.h"

namespace tactus {

/// Names of the random streams; two streams of one seed never share a number.
inline constexpr std::string_view kWindStream = "wind";
inline constexpr std::string_view kEstimatorStream = "estimator";

class WindSource final : public Source {
 public:
  WindSource(const WindParameters& parameters, std::uint64_t seed, DurationUs period);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

 private:
  WindParameters parameters_;
  RandomStream stream_;
  DurationUs period_;
  WindState state_;
  bool started_ = false;
};

class EstimatorSource final : public Source {
 public:
  EstimatorSource(const EstimatorParameters& parameters, std::uint64_t seed, DurationUs period);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

 private:
  Estimator estimator_;
  RandomStream stream_;
  EstimatorState state_;
};

class LandDetectorSource final : public Source {
 public:
  LandDetectorSource(const LandDetectorParameters& parameters, int motor_count, DurationUs period);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

 private:
  LandDetectorParameters parameters_;
  int motor_count_;
  DurationUs period_;
  LandDetectorState state_;
};

/// Runs an autopilot. While its supply is down it is off and commands nothing; it boots when the
/// supply is back. With kOutside somebody else steps it, between two calls of proceed(), and gives
/// its command: then it only stands here for what it hears and says, and cannot be copied.
class AutopilotSource final : public Source {
 public:
  AutopilotSource(std::shared_ptr<Autopilot> autopilot, DurationUs period,
                  SourceMode mode = SourceMode::kLive);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  void take_notes(std::vector<Note>& notes) override { autopilot_->take_notes(notes); }
  [[nodiscard]] std::span<const std::string> outside_peers() const override { return peers_; }
  void take_outside(std::vector<OutsideBytes>& bytes) override { autopilot_->take_outside(bytes); }
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

  [[nodiscard]] const Autopilot& autopilot() const { return *autopilot_; }

 private:
  std::shared_ptr<Autopilot> autopilot_;
  std::vector<std::string> peers_;
  DurationUs period_;
  SourceMode mode_;
  AutopilotOutput output_;
  bool powered_ = true;
};

}  // namespace tactus
