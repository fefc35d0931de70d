// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/adapter/frame.h"

#include <algorithm>
#include <iterator>

#include "tactus/signal/wrong_value.h"

namespace tactus {
namespace {

template <class T>
void copy(const T& from, T& to) {
  to = from;
}
template <class T, std::size_t size>
void copy(const T (&from)[size], T (&to)[size]) {
  std::copy(std::begin(from), std::end(from), std::begin(to));
}

void copy_between(const Bus& from, Bus& to, SignalSet signals) {
  to.time = from.time;
  for_each_signal([&](const auto& row) {
    if (signals.has(row.facts.signal)) copy(from.*row.member, to.*row.member);
  });
}

}  // namespace

std::string wrong_value(const SensorFrame& frame) {
  std::string wrong;
  for_each_signal([&](const auto& row) {
    const bool in_frame = (frame.holds & kFrameSignals).has(row.facts.signal);
    if (wrong.empty() && in_frame) wrong = wrong_number(row.facts.name, frame.*row.member);
  });
  const auto check_unit = [&](Signal signal, const Quat& q) {
    if (wrong.empty() && frame.holds.has(signal)) wrong = wrong_attitude(to_text(signal), q);
  };
  check_unit(Signal::kTruth, frame.truth.attitude);
  check_unit(Signal::kEstimate, frame.estimate.attitude);
  return wrong;
}

void copy_signals(const Bus& from, SensorFrame& to) {
  copy_between(from, to, kExchanged);
  to.powered = from.power.autopilot_powered;
}

void copy_signals(const SensorFrame& from, Bus& to, SignalSet signals) {
  copy_between(from, to, signals);
  to.power.autopilot_powered = from.powered;
}

}  // namespace tactus
