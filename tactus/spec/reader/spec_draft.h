// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A spec as it is written: what spec_keys.h binds keys to. load_spec.cpp turns it into a Spec.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tactus/spec/model/spec.h"
#include "tactus/spec/toml/toml_document.h"
#include "tactus/spec/vehicle/vehicle_type.h"

namespace tactus {

struct GustDraft {
  GustShape shape = GustShape::kStep;
  Vec3 velocity_W_m_s;
  TimeUs at;
  DurationUs duration;
};

struct EventDraft {
  TimeUs at;
  std::uint64_t at_step = 0;
  std::string when;
  std::string after;
  DurationUs every;
  TriggerMode mode = TriggerMode::kOnce;
  double hysteresis = 0.0;
  DurationUs delay;
  std::string snap;
  ActionKind action = ActionKind::kMarker;
  std::string rotor;
  std::string pack;
  std::int32_t servo = 0;
  SensorBit sensor = SensorBit::kGyroscope;
  Instrument instrument = Instrument::kGyroscope0;
  std::string quantity;
  std::string parameter;
  double value = 0.0;
  Vec3 vector;
  DurationUs duration;
  DurationUs lag;
  DurationUs on;
  DurationUs off;
  DurationUs correlation;
};

struct SpecDraft {
  Spec spec;
  std::uint8_t vehicle = 0;                             ///< position of its type among all
  std::vector<std::unique_ptr<VehicleDraft>> vehicles;  ///< one of each type
  Vec3 euler_deg;
  std::vector<GustDraft> gusts;
  std::vector<EventDraft> events;
  std::vector<Expectation> expectations;

  /// One entry in every list, for what concerns the schema alone.
  static SpecDraft sample();
  /// As many entries as the lists of `root` have.
  static SpecDraft sized_for(const TomlNode& root);
};

}  // namespace tactus
