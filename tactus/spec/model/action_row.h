// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What the table of actions (action_table.h) says of each.

#include <array>
#include <cstdint>
#include <optional>

#include "tactus/core/math.h"
#include "tactus/spec/model/action_effects.h"
#include "tactus/spec/model/event.h"

namespace tactus {

enum class ActionClass : std::uint8_t {
  kOrder,      ///< to the autopilot, which may refuse
  kEnd,        ///< ends the run
  kEffect,     ///< lasts: for a duration, until it is restored, or to the end
  kRestore,    ///< ends effects of its target
  kParameter,  ///< changes a parameter of the autopilot
  kMarker,     ///< is counted
};

/// What an action acts on; what ResolvedAction::index counts.
enum class ActionTarget : std::uint8_t {
  kNone,
  kRotor,
  kPack,
  kServo,
  kSensor,      ///< SensorBit
  kInstrument,  ///< Instrument
  kGps,         ///< an Instrument that is a GPS receiver
  kQuantity,    ///< kQuantityNames
  kParameter,
};

/// The key of an [[event]] that names the target.
constexpr const char* key_of(ActionTarget target) {
  constexpr std::array kKeys{"",           "rotor",      "pack",     "servo",    "sensor",
                             "instrument", "instrument", "quantity", "parameter"};
  return kKeys[static_cast<std::size_t>(target)];
}

inline constexpr std::array kQuantityNames{"position", "velocity", "attitude", "rate"};

/// What an action takes besides its target.
struct ActionInput {
  enum class Kind : std::uint8_t {
    kNone,
    kValue,
    kNoise,  ///< a value; drawn at every tick of the autopilot, with a correlation time
    kVector,
    kLag,
    kPattern,  ///< acts for `off`, pauses for `on`, and so on from its start
  };

  Kind kind = Kind::kNone;
  double low = 0.0;   ///< of the value; its limits also hold for several together
  double high = 0.0;  ///< or of the length of the vector
  double neutral = math::canonical_nan();  ///< the value that changes nothing; NaN: none
  bool whole = false;                      ///< a whole number
  bool up_to_empty_pack = false;           ///< `high` is the voltage of its pack when it is empty

  [[nodiscard]] constexpr bool has_value() const {
    return kind == Kind::kValue || kind == Kind::kNoise;
  }
};

constexpr ActionInput value_within(double low, double high,
                                   double neutral = math::canonical_nan()) {
  return {.kind = ActionInput::Kind::kValue, .low = low, .high = high, .neutral = neutral};
}

constexpr ActionInput vector_up_to(double longest) {
  return {.kind = ActionInput::Kind::kVector, .high = longest};
}

/// What adds up or multiplies keeps the limits of a single one: no model takes more.
struct ActionSum {
  double (*of)(int index, const Effects& effects) = nullptr;
  const char* text = "";  ///< "the drops add up to"
  const char* unit = "";
};

struct ActionRow {
  ActionKind kind;
  const char* name;  ///< of `do` in a spec
  ActionClass does;
  const char* meaning;  ///< Markdown, as in docs/faults.md
  ActionTarget target = ActionTarget::kNone;
  ActionInput input = {};
  std::optional<ActionKind> ended_by = {};  ///< the restore that ends it, of the same target
  void (*order)(HighLevelCommand& command) = nullptr;
  void (*add)(const ResolvedAction& action, double noise, Effects& effects) = nullptr;
  void (*restore)(int index, Effects& effects) = nullptr;
  ActionSum together = {};
  bool is_fault = false;  ///< a flight that goes wrong after it may do so because of it
};

}  // namespace tactus
