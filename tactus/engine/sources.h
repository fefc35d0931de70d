// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The live sources besides the scenario: thin adapters that put the models on the bus.

#include <memory>

#include "tactus/autopilot/powered_autopilot.h"
#include "tactus/core/random.h"
#include "tactus/engine/source.h"
#include "tactus/sensor/estimator.h"
#include "tactus/sensor/land_detector.h"
#include "tactus/world/wind.h"

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
  LandDetectorSource(const LandDetectorParameters& parameters, const LandedVehicle& vehicle,
                     DurationUs period);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

 private:
  LandDetectorParameters parameters_;
  LandedVehicle vehicle_;
  DurationUs period_;
  LandDetectorState state_;
};

/// Runs an autopilot. With kCaller the caller of proceed() steps it, between two calls, and gives
/// its command: then it is here only for what it hears and says, and cannot be copied.
class AutopilotSource final : public Source {
 public:
  AutopilotSource(std::shared_ptr<Autopilot> autopilot, DurationUs period,
                  SourceMode mode = SourceMode::kLive);
  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  void take_notes(std::vector<Note>& notes) override { powered_.autopilot().take_notes(notes); }
  [[nodiscard]] std::span<const std::string> external_peers() const override { return peers_; }
  void take_external_bytes(std::vector<ExternalBytes>& bytes) override {
    powered_.autopilot().take_external_bytes(bytes);
  }
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

  [[nodiscard]] const Autopilot& autopilot() const { return powered_.autopilot(); }

 private:
  AutopilotSource(PoweredAutopilot powered, DurationUs period, SourceMode mode);

  PoweredAutopilot powered_;
  std::vector<std::string> peers_;
  DurationUs period_;
  SourceMode mode_;
};

}  // namespace tactus
