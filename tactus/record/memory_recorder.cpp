// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/memory_recorder.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tactus {
namespace {

template <Signal signal>
SignalSample<signal> sample_of(TimeUs time, const Bus& bus) {
  static_assert(std::is_trivially_copyable_v<SignalValue<signal>>);
  SignalSample<signal> sample{};
  sample.time = time;
  std::memcpy(&sample.value, &detail::signal_of<signal>(bus), sizeof sample.value);
  return sample;
}

/// Equal values are equal bits; padding does not count.
template <Signal signal>
bool same_value(const SignalSample<signal>& a, const SignalSample<signal>& b) {
  constexpr std::size_t kLeaves = leaf_count(SignalSample<signal>{});
  std::array<std::uint64_t, kLeaves> bits{};
  std::size_t position = 0;
  for_each_leaf(
      b, [&](const LeafPath&, const auto& leaf) { bits[position++] = canonical_bits(leaf); });
  bits[0] = a.time.us;
  bool same = true;
  position = 0;
  for_each_leaf(a, [&](const LeafPath&, const auto& leaf) {
    same = same && bits[position++] == canonical_bits(leaf);
  });
  return same;
}

}  // namespace

void MemoryRecorder::begin(const Bus& /*initial*/, const VehicleCounts& counts) {
  recording_ = std::make_shared<MemoryRecording>();
  recording_->counts = counts;
}

void MemoryRecorder::boundary(const BoundaryView& view, SignalSet written) {
  MemoryRecording& recording = *recording_;
  recording.end = view.due.time;
  if (view.due.instant || view.found) recording.instants.push_back(view.due.time);
  for_each_signal([&]<Signal signal>() {
    if (!written.has(signal)) return;
    SignalTrack<signal>& track = recording.template track<signal>();
    const SignalSample<signal> sample = sample_of<signal>(view.due.time, view.bus);
    if (track.empty() || !same_value(track.back(), sample)) track.push_back(sample);
  });
}

void MemoryRecorder::end(Digest128 flight_digest, bool complete) {
  recording_->flight_digest = flight_digest;
  recording_->complete = complete;
}

}  // namespace tactus
