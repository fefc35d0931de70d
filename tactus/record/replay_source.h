// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Plays chosen signals of a recording back in place of the source that wrote them: scenario, wind,
// estimator or autopilot. At any instant a signal has its last recorded value at or before it. What
// is not known stops the run: before the first sample, and at a tick of the signal's axis that has
// none. Where a value changes there is a boundary, whether an axis ticks there or not, so inputs
// change exactly when they did.
//
// A replay of the autopilot's report also repeats its notes. One of the scenario stage
// repeats the notes of the scenario, lets the plant show outputs when it did, brings
// boundaries back, and ends the run where a complete recording ended:
//   kScheduled   those that a source had asked for; events are found anew
//   kAll         those that were found too: the rest of the flight then has the same boundaries
//                and, with the same solver, the same bits

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tactus/engine/source.h"
#include "tactus/record/recording.h"

namespace tactus {

enum class BringBack : std::uint8_t { kScheduled, kAll };

class ReplaySource final : public Source {
 public:
  /// Throws Error(kBadInput) if a chosen signal was not recorded, or not as this program has it.
  ReplaySource(std::shared_ptr<const Recording> recording, Stage stage, SignalSet signals,
               BringBack bring_back = BringBack::kAll);

  [[nodiscard]] SourceInfo info() const override;
  void update(SourceContext& context) override;
  void take_notes(std::vector<Note>& notes) override;
  [[nodiscard]] std::unique_ptr<Source> clone() const override;
  void save(StateWriter& to) const override;
  void load(StateReader& from) override;

 private:
  struct Track {
    const Table* table = nullptr;
    RowPart part;
    Signal signal{};
    std::size_t next = 0;  ///< first row that has not been played
  };

  void play(Track& track, SourceContext& context);
  void bring_back_instants(SourceContext& context);

  std::shared_ptr<const Recording> recording_;
  Stage stage_;
  SignalSet signals_;
  std::shared_ptr<const std::string> name_;  ///< shared: info() of every copy points into it
  std::vector<Track> tracks_;
  std::shared_ptr<const std::vector<TimeUs>> instants_;
  std::size_t next_instant_ = 0;
  std::shared_ptr<const std::vector<Note>> notes_;  ///< of the scenario or the autopilot
  std::size_t next_note_ = 0;
  TimeUs now_;
};

}  // namespace tactus
