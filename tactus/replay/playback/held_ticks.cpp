// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/playback/held_ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/engine/sources.h"
#include "tactus/plant/multirotor_model.h"

namespace tactus {
namespace {

/// Leaves its output as it was at some ticks.
class AutopilotWithGaps final : public Autopilot {
 public:
  AutopilotWithGaps(std::unique_ptr<Autopilot> autopilot,
                    std::shared_ptr<const std::vector<TimeUs>> ticks)
      : autopilot_(std::move(autopilot)), ticks_(std::move(ticks)) {}

  [[nodiscard]] const char* name() const override { return autopilot_->name(); }
  void step(const AutopilotInput& input, AutopilotOutput& output) override {
    if (std::binary_search(ticks_->begin(), ticks_->end(), input.now)) return;
    autopilot_->step(input, output);
  }
  [[nodiscard]] bool sees_truth() const override { return autopilot_->sees_truth(); }
  [[nodiscard]] std::vector<std::string> external_peers() const override {
    return autopilot_->external_peers();
  }
  void take_external_bytes(std::vector<ExternalBytes>& bytes) override {
    autopilot_->take_external_bytes(bytes);
  }
  void take_notes(std::vector<Note>& notes) override { autopilot_->take_notes(notes); }
  [[nodiscard]] std::vector<std::string> warnings() const override {
    return autopilot_->warnings();
  }
  void restart() override { autopilot_->restart(); }
  [[nodiscard]] std::unique_ptr<Autopilot> clone() const override {
    std::unique_ptr<Autopilot> copy = autopilot_->clone();
    if (copy == nullptr) return nullptr;
    return std::make_unique<AutopilotWithGaps>(std::move(copy), ticks_);
  }
  void save(StateWriter& to) const override { autopilot_->save(to); }
  void load(StateReader& from) override { autopilot_->load(from); }

 private:
  std::unique_ptr<Autopilot> autopilot_;
  std::shared_ptr<const std::vector<TimeUs>> ticks_;
};

}  // namespace

std::vector<TimeUs> held_ticks(const Recording& recording) {
  std::vector<TimeUs> ticks;
  for (const BlobTrack& track : recording.blobs) {
    if (track.path != fmt::format("/external/{}", kHeldTicksPeer)) continue;
    for (const BlobTrack::Piece& piece : track.pieces) {
      if (piece.bytes.empty() || piece.bytes.front() != kTickNotRun) {
        throw Error(
            ExitCode::kBadInput,
            fmt::format("t = {} us: the simulator ran free, and the autopilot of \"{}\" ran on "
                        "frames of other instants than its ticks: it cannot be replayed alone",
                        piece.time.us, recording.meta.name));
      }
      ticks.push_back(piece.time);
    }
  }
  return ticks;
}

std::unique_ptr<Source> autopilot_with_gaps(const Spec& spec, const ExternalAutopilots* external,
                                            std::vector<TimeUs> ticks) {
  std::unique_ptr<Autopilot> autopilot = make_autopilot(spec, external);
  const auto shared = std::make_shared<const std::vector<TimeUs>>(std::move(ticks));
  auto source = std::make_unique<AutopilotSource>(
      std::make_shared<AutopilotWithGaps>(std::move(autopilot), shared), spec.timeline.autopilot);
  if (source->clone() != nullptr) return source;
  throw Error(ExitCode::kBadInput,
              fmt::format("at {} ticks, the first at t = {} us, the simulator was late and the "
                          "autopilot did not run: only the built-in one is replayed over such gaps",
                          shared->size(), shared->front().us));
}

}  // namespace tactus
