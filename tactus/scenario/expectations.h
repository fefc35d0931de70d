// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Flights as tests: evaluates every complete boundary of a run and reports in the end what was
// expected, what happened, and whether the vehicle crashed. It never adds a boundary, so an
// excursion that begins and ends between two boundaries is not seen.
//
// What a crash is says scenario/flight_state.h. A crash fails the flight whatever else is expected,
// and nothing is judged on the wreck: every window ends at the crash.
// Places are the truth's, not the estimate's; home is where the vehicle stood at the start.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tactus/engine/observer.h"
#include "tactus/scenario/flight_state.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/model/event.h"
#include "tactus/spec/model/spec.h"

namespace tactus {

struct ExpectationResult {
  std::string id;
  std::string where;  ///< "file:line:column"
  ExpectationKind kind = ExpectationKind::kMissionComplete;
  bool passed = false;
  bool applies = true;    ///< false: the autopilot does not report what it is about; not judged
  bool evaluated = true;  ///< false: what it is about never came; it has not passed
  /// The run ended before it was decided: a longer one might still have met it, or broken it.
  bool open = false;
  double margin = 0.0;  ///< how far inside; negative: outside; 0 if it never came to that
  /// What was judged: the time in seconds, or the signal where it was nearest to its bound, or
  /// farthest beyond. None: it never came to that.
  std::optional<double> value;
  TimeUs at;            ///< when that was; without a value the end of the run
  std::string message;  ///< "height 31.2 m above 30 m at 12.4 s; max 33 m at 13 s"

  [[nodiscard]] bool failed() const { return applies && !passed; }
};

enum class FlightEnd : std::uint8_t {
  kLanded,    ///< at rest on the ground, disarmed
  kOnGround,  ///< touches the ground, but has not finished landing; rovers always
  kInTheAir,
  kCrashed,
  kNeverFlew,  ///< stood on the ground from the start to the end
};
const char* to_text(FlightEnd end);

struct FlightOutcome {
  FlightEnd end = FlightEnd::kOnGround;
  TimeUs crash_time;          ///< kCrashed
  std::string crash_message;  ///< kCrashed
  std::vector<ExpectationResult> results;

  [[nodiscard]] bool crashed() const { return end == FlightEnd::kCrashed; }
  /// Exit code 0: not crashed, and everything expected that applies came true.
  [[nodiscard]] bool passed() const;
};

struct ExpectationSetup {
  std::vector<Expectation> expectations;
  std::vector<Event> events;
  std::vector<BusLeaf> leaves;
  Vec3 home_W_m;
  bool flies = true;  ///< false: a rover, which neither lands nor crashes
  bool has_autopilot = true;
  bool can_crash = true;  ///< false: it may meet the ground in any way
  AutopilotKind autopilot = AutopilotKind::kBuiltin;
};

class ExpectationMonitor final : public StageHook {
 public:
  /// Throws Error(kBadInput) that names the expectation and where it stands.
  explicit ExpectationMonitor(ExpectationSetup setup);

  [[nodiscard]] bool wants(Stage stage) const override { return stage == Stage::kLog; }
  void after(Stage /*stage*/, const BoundaryView& view) override { see(view.boundary, view.bus); }

  /// A vehicle whose simulator is not ours: where it stood at the start, and the signals that are
  /// known of it. What is about others is not judged, and a crash is not known.
  void fly_outside(Vec3 home_W_m, SignalSet known);
  /// Its boundaries.
  void see(std::uint64_t boundary, const Bus& bus);

  /// As of the last boundary seen; what has not come true by then has failed.
  [[nodiscard]] FlightOutcome outcome() const;

 private:
  static constexpr int kBounds = 3;  ///< radius, low, high

  /// The value nearest to a bound, or farthest beyond it, in the window.
  struct Extreme {
    bool seen = false;
    double margin = 0.0;
    double value = 0.0;
    double limit = 0.0;
    TimeUs time;
  };
  /// What has been seen for one expectation.
  struct Seen {
    BusLeaf leaf;                 ///< of those about a signal
    int event = -1;               ///< kSurvive
    bool happened = false;        ///< what is waited for
    bool is_down = false;         ///< kLandBy: landed and disarmed at the last boundary
    Extreme extreme[kBounds];     ///< of those about bounds
    TimeUs when;                  ///< when it happened
    bool violated = false;        ///< a margin was negative
    TimeUs violated_at;           ///< the first time
    double violated_value = 0.0;  ///< and what was wrong then
    int violated_bound = 0;       ///< radius, low or high
    double last = 0.0;            ///< value at the last boundary, or distance of the last landing
  };

  [[nodiscard]] Seen begin(const Expectation& expectation) const;
  void see(const Expectation& expectation, const Bus& bus, Seen& seen) const;
  [[nodiscard]] std::string why_not_judged(const Expectation& expectation) const;
  void see_inside(const Expectation& expectation, const Bus& bus, Seen& seen) const;
  void see_landing(const Expectation& expectation, const Bus& bus, Seen& seen) const;
  static void see_bound(TimeUs now, int bound, double value, double limit, Seen& seen);
  void note_fired(const Bus& bus);
  [[nodiscard]] double distance_m(const Bus& bus) const;
  [[nodiscard]] FlightEnd end() const;
  [[nodiscard]] std::string instead(const Expectation& expectation, const Seen& seen) const;
  [[nodiscard]] ExpectationResult result_of(const Expectation& expectation) const;
  [[nodiscard]] ExpectationResult not_applicable(const Expectation& expectation,
                                                 std::string why) const;
  [[nodiscard]] ExpectationResult judge(const Expectation& expectation, const Seen& seen) const;
  [[nodiscard]] ExpectationResult judge_deadline(const Expectation& expectation,
                                                 const Seen& seen) const;
  [[nodiscard]] ExpectationResult judge_bounds(const Expectation& expectation,
                                               const Seen& seen) const;
  [[nodiscard]] ExpectationResult judge_final(const Expectation& expectation,
                                              const Seen& seen) const;
  [[nodiscard]] ExpectationResult judge_survival(const Expectation& expectation,
                                                 const Seen& seen) const;

  ExpectationSetup setup_;
  std::optional<SignalSet> known_;  ///< none: all are
  std::vector<Seen> seen_;
  std::vector<TimeUs> fired_at_;  ///< by event, the first 64
  std::uint64_t fired_mask_ = 0;
  /// At the last boundary.
  struct Last {
    bool seen = false;  ///< there was one
    TimeUs time;
    AutopilotStatus autopilot;
    bool landed = false;
    std::uint32_t gear_touching_mask = 0;
    double height_m = 0.0;
  };
  Last last_;
  bool has_flown_ = false;  ///< or may have, before the first boundary that was seen
  bool mission_ordered_ = false;
  std::optional<Crash> crash_;
};

}  // namespace tactus
