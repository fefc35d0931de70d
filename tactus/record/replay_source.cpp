// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/replay_source.h"

#include <cstring>
#include <utility>

#include "tactus/core/error.h"

namespace tactus {

ReplaySource::ReplaySource(std::shared_ptr<const MemoryRecording> recording, Stage stage,
                           SignalSet signals)
    : recording_(std::move(recording)),
      stage_(stage),
      signals_(signals),
      name_(std::make_shared<const std::string>("replay of " + to_text(signals))) {
  for_each_signal([&]<Signal signal>() {
    if (!signals_.has(signal) || !recording_->track<signal>().empty()) return;
    throw Error(ExitCode::kBadInput, *name_ + ": the recording has no \"" + to_text(signal) +
                                         "\"; record a run in which a source writes it");
  });
}

SourceInfo ReplaySource::info() const {
  SourceInfo info;
  info.name = name_->c_str();
  info.stage = stage_;
  info.axis = Axis::kEveryBoundary;
  info.writes = signals_;
  info.mode = SourceMode::kReplay;
  return info;
}

void ReplaySource::update(SourceContext& context) {
  for_each_signal([&]<Signal signal>() {
    if (signals_.has(signal)) play<signal>(context);
  });
  if (stage_ == Stage::kScenario) bring_back_instants(context);
}

template <Signal signal>
void ReplaySource::play(SourceContext& context) {
  const SignalTrack<signal>& track = recording_->track<signal>();
  std::size_t& next = next_[static_cast<std::size_t>(signal)];
  const std::size_t before = next;
  while (next < track.size() && track[next].time <= context.now) ++next;
  if (next == 0) {
    throw Error(ExitCode::kBadInput, *name_ + ": \"" + to_text(signal) +
                                         "\" begins at t = " + to_text(track.front().time) +
                                         ", the run is at t = " + to_text(context.now));
  }
  if (next == before) return;
  auto& value = context.bus.write<signal>();
  std::memcpy(&value, &track[next - 1].value, sizeof value);
  if (next < track.size()) context.requests.boundary_at(track[next].time);
}

void ReplaySource::bring_back_instants(SourceContext& context) {
  const std::vector<TimeUs>& instants = recording_->instants;
  const std::size_t before = next_instant_;
  while (next_instant_ < instants.size() && instants[next_instant_] <= context.now) {
    ++next_instant_;
  }
  const bool moved = next_instant_ != before || context.boundary == 0;
  if (moved && next_instant_ < instants.size()) {
    context.requests.boundary_at(instants[next_instant_]);
  }
  if (recording_->complete && context.now >= recording_->end) context.requests.end_run();
}

std::unique_ptr<Source> ReplaySource::clone() const {
  return std::make_unique<ReplaySource>(*this);
}

}  // namespace tactus
