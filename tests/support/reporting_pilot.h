// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An autopilot that fails, and whose last messages must not get lost.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tactus/autopilot/autopilot.h"
#include "tactus/core/error.h"

namespace tactus::testing {

/// Receives a byte at every step: the number of 4 ms ticks so far; fails in the step at `last`.
class ReportingPilot final : public Autopilot {
 public:
  explicit ReportingPilot(TimeUs last) : last_(last) {}
  [[nodiscard]] const char* name() const override { return "talker"; }
  void step(const AutopilotInput& input, AutopilotOutput& /*output*/) override {
    bytes_.push_back(static_cast<std::byte>(input.now.us / 4000));
    if (input.now < last_) return;
    notes_.push_back({input.now, "talker gone", 0, NoteFrom::kAutopilot});
    throw Error(ExitCode::kPeer, "the talker is gone");
  }
  [[nodiscard]] std::vector<std::string> external_peers() const override { return {"talker"}; }
  void take_external_bytes(std::vector<ExternalBytes>& bytes) override {
    if (!bytes_.empty()) bytes.push_back({0, std::exchange(bytes_, {})});
  }
  void take_notes(std::vector<Note>& notes) override {
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    notes_.clear();
  }
  void restart() override {}
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override { return nullptr; }

 private:
  TimeUs last_;
  std::vector<std::byte> bytes_;
  std::vector<Note> notes_;
};

}  // namespace tactus::testing
