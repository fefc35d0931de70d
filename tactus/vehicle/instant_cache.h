// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What has been computed of a multirotor at the instant at which it stands, so that it is computed
// once: same bits and counts, less work. It belongs to one state, one set of modes and one held
// input; HeldFlight owns all four and clears it whenever one of them changes.
//
//   derivative, outputs   by publishing outputs; the outputs also by the last stage of an interval
//   guards and circuit    by settling
//   end stage             while an interval is integrated: the last stage that ended with it. Its
//                         circuit serves the guards there, its outputs those of the boundary
//
// HeldFlight::check_caches() compares every entry with a recomputation.

#include <cstddef>
#include <cstring>

#include "tactus/core/assert.h"
#include "tactus/core/status.h"
#include "tactus/plant/multirotor.h"
#include "tactus/solver/runge_kutta.h"
#include "tactus/vehicle/multirotor_system.h"

namespace tactus {

class InstantCache {
 public:
  /// State, modes or input have changed.
  void clear() { has_derivative_ = has_guards_ = has_outputs_ = has_end_ = false; }

  // ---- at the instant

  [[nodiscard]] bool has_derivative() const { return has_derivative_; }
  [[nodiscard]] const double* derivative() const {
    TACTUS_ASSERT(has_derivative_, "a derivative that is known");
    return derivative_;
  }
  /// Those of the plant, not of watches.
  [[nodiscard]] bool has_guards() const { return has_guards_; }
  [[nodiscard]] const double* guards() const {
    TACTUS_ASSERT(has_guards_, "guards that are known");
    return guards_;
  }
  /// Comes with the guards.
  [[nodiscard]] detail::Electrical& circuit() {
    TACTUS_ASSERT(has_guards_, "a circuit that is known");
    return circuit_;
  }
  [[nodiscard]] bool has_outputs() const { return has_outputs_; }
  [[nodiscard]] const MultirotorOutputs& outputs() const {
    TACTUS_ASSERT(has_outputs_, "outputs that are known");
    return outputs_;
  }

  /// Where the circuit is solved; what was known of circuit and guards is over.
  [[nodiscard]] detail::Electrical& new_circuit() {
    has_guards_ = false;
    return circuit_;
  }
  /// The guards that belong to the circuit that was just solved.
  void set_guards(const double* g, int count) {
    TACTUS_ASSERT(count >= 0 && count <= MultirotorSystem::kGuardCapacity - kMaxWatches,
                  "guards of the plant alone");
    copy_entries(g, guards_, count);
    has_guards_ = true;
  }
  /// Where the derivative of the outputs is put; what was known of it is over.
  [[nodiscard]] double* new_derivative() {
    has_derivative_ = false;
    return derivative_;
  }
  /// `with_derivative`: new_derivative() holds the one that a solver starts with.
  void set_outputs(const MultirotorOutputs& outputs, bool with_derivative) {
    outputs_ = outputs;
    has_outputs_ = true;
    has_derivative_ = with_derivative;
  }

  // ---- over an interval. Derivative and guards are those of its start until it is over.

  void begin_interval() { has_end_ = false; }

  /// A stage at the end of the interval: evaluate(outputs, circuit) returns its status.
  template <class Evaluate>
  Status evaluate_end(const double* x, int size, const Evaluate& evaluate) {
    copy_entries(x, end_state_, size);
    has_outputs_ = false;
    const Status status = evaluate(outputs_, end_circuit_);
    has_end_ = status == Status::kOk;
    return status;
  }
  [[nodiscard]] bool has_end() const { return has_end_; }
  [[nodiscard]] const double* end_state() const {
    TACTUS_ASSERT(has_end_, "a stage at the end of the interval");
    return end_state_;
  }
  [[nodiscard]] const detail::Electrical& end_circuit() const {
    TACTUS_ASSERT(has_end_, "a stage at the end of the interval");
    return end_circuit_;
  }
  /// The stage was evaluated, and agrees with this state in the entries [begin, end).
  [[nodiscard]] bool has_end_of(const double* x, int begin, int end) const {
    return has_end_ && std::memcmp(x + begin, end_state_ + begin,
                                   sizeof(double) * static_cast<std::size_t>(end - begin)) == 0;
  }
  /// What was known of the start is over. `outputs_stand`: those of the end stage are the outputs
  /// of the state that was reached.
  void end_interval(bool outputs_stand) {
    TACTUS_ASSERT(has_end_ || !outputs_stand, "outputs of a stage at the end");
    has_derivative_ = has_guards_ = false;
    has_outputs_ = outputs_stand;
  }

 private:
  friend struct InstantCacheMistake;  // tests: what a wrong entry leads to

  double derivative_[kMultirotorCapacity] = {};
  double guards_[MultirotorSystem::kGuardCapacity] = {};
  detail::Electrical circuit_{};
  MultirotorOutputs outputs_;
  double end_state_[kMultirotorCapacity] = {};
  detail::Electrical end_circuit_{};
  bool has_derivative_ = false;
  bool has_guards_ = false;
  bool has_outputs_ = false;
  bool has_end_ = false;
};

}  // namespace tactus
