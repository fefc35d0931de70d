// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Compares integrators on a recorded flight. The plant is flown again and again with the recorded
// scenario, wind and command, each time integrated in another way, and its track is set against
// that of a reference. The loop over the autopilot is open, so nothing but the integration differs.
//
//   const IntegrationComparison comparison = compare_integrations(
//       recorded_spec(*recording).spec, recording, reference_integration(), default_sweep(spec));
//
// Boundaries that were scheduled come back at their instants; events (touchdown, brown-out …) are
// found anew by each integrator. The estimator and the land detector stay off: they are not read.
//
// A vehicle that falls over without its autopilot magnifies any difference until it hides the
// integrators. In segments each integrator begins anew every so often from the recorded state, so
// that what is measured is what it does to one segment. The recorded states come from flying the
// plant as it was recorded once more, which is checked against the recorded log; every tier will
// do.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tactus/record/recording.h"
#include "tactus/replay/compare/flight_track.h"
#include "tactus/solver/config.h"
#include "tactus/solver/memory.h"
#include "tactus/spec/model/spec.h"
#include "tactus/vehicle/multirotor_plant.h"

namespace tactus {

/// A way to integrate the plant.
struct Integration {
  std::string name;  ///< "rk45 1e-06", "rk4 1ms"
  SolverConfig solver;
  IntegrateMultirotor instead;  ///< an integrator that is not ours; empty: `solver` is used
};

/// A fixed method with that step. No step crosses a boundary: shorter intervals are one step.
Integration with_step(Method method, DurationUs step);

/// The step of a fixed method if none is given: Euler 250 us, others 1 ms.
DurationUs usual_step(Method method);

/// An adaptive method with that tolerance, relative and absolute, on position, velocity, rate and
/// attitude, and in proportion on rotor speed (1e5 times, rad/s), charge (10 times) and
/// polarisation (1e4 times, V), so that errors of the whole plant fall with it.
Integration with_tolerance(Method method, double tolerance);

/// RK45 with a tolerance that leaves its own error out of the picture; steps up to 20 ms.
Integration reference_integration(double tolerance = 1e-10);

/// One per method: the recorded one as it was recorded, others with their defaults.
std::vector<Integration> default_sweep(const SolverConfig& recorded,
                                       const std::vector<Method>& methods);

/// Several per method, for a diagram: adaptive ones at each tolerance, fixed ones at each step; of
/// what is not given, at a ladder that starts where most vehicles are resolved.
std::vector<Integration> precision_sweep(const std::vector<Method>& methods,
                                         const std::vector<double>& tolerances = {},
                                         const std::vector<DurationUs>& steps = {});

/// One flight of the plant.
struct PlantReplay {
  std::string name;
  SolverConfig solver;
  Track track;
  SolverTotals totals;
  double wall_s = 0.0;  ///< of flying, by the clock that was given
  std::string stopped;  ///< why it did not get to its end, or did not start; empty: it did
};

/// Where a segment begins after the first one, and the plant there as it was recorded.
struct SegmentStart {
  TimeUs at;
  std::vector<std::byte> plant;  ///< Plant::save
};

struct CompareOptions {
  std::optional<TimeUs> end;        ///< earlier than that of the recording
  DurationUs segment{};             ///< length; 0: the flight is one. What is compared at most
  std::function<double()> clock_s;  ///< any steady clock; empty: no wall times
  /// Called with each flight before it starts.
  std::function<void(const Integration&)> begins;
};

/// The longest time between two boundaries that any integrator has: no step is longer, and no
/// segment can be shorter everywhere.
DurationUs longest_interval(const Recording& recording);

/// Whether the vehicle took off or touched down up to that instant, which magnifies any difference.
bool touches_ground(const Recording& recording, TimeUs until);

/// At the first boundary at or after each multiple of options.segment that any integrator has: one
/// that was scheduled. Throws Error(kDifferent) if the plant does not fly the recorded track.
std::vector<SegmentStart> segment_starts(const Spec& spec,
                                         const std::shared_ptr<const Recording>& recording,
                                         const CompareOptions& options);

/// The row at the start of a segment shows where the segment before it has ended.
PlantReplay replay_plant(const Spec& spec, const std::shared_ptr<const Recording>& recording,
                         const Integration& integration, const CompareOptions& options = {},
                         const std::vector<SegmentStart>& starts = {});

struct ComparedFlight {
  PlantReplay flight;
  TrackErrors errors;  ///< up to where it stopped
};

struct IntegrationComparison {
  PlantReplay reference;
  DurationUs segment;                   ///< as asked for; 0: none
  std::vector<TimeUs> cuts;             ///< where a segment ends and the next begins
  std::vector<ComparedFlight> flights;  ///< in the order of the integrations
  std::vector<std::string> notes;       ///< what the reader of the figures should know

  struct Segment {
    TimeUs from;
    TimeUs to;
  };
  /// The segment whose row that instant is; of a flight without segments, all of it.
  [[nodiscard]] Segment segment_of(TimeUs time) const;
};

/// Throws Error if the reference does not get to the end, if there is no log to compare on, or if
/// end or segments are not within the recording; what stops another flight stands in its
/// line.
IntegrationComparison compare_integrations(const Spec& spec,
                                           const std::shared_ptr<const Recording>& recording,
                                           const Integration& reference,
                                           const std::vector<Integration>& integrations,
                                           const CompareOptions& options = {});

}  // namespace tactus
