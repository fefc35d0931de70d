// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/spec/reader/autopilot_keys.h"

#include "tactus/spec/schema/table_builder.h"

namespace tactus {
namespace {

SchemaTable px4_table(ExternalSpec& external) {
  SchemaTable table{.name = "px4", .meaning = "px4-lib and px4-sitl"};
  TableBuilder b(table);
  Px4LibraryParameters& library = external.px4_library;
  b.add("library", "", &library.library, "px4-lib: path of libpx4_lockstep.so");
  b.add("messages", "", &library.messages, "px4-lib: folder of .msg files; empty: ours");
  b.add("binary", "", &external.px4_binary, "px4-sitl: path of the program px4");
  b.add("romfs", "", &external.px4_romfs, "px4-sitl: its start-up scripts; empty: beside it");
  b.fields(static_cast<Px4LibrarySettings&>(library));
  return table;
}

SchemaTable ardupilot_table(ExternalSpec& external) {
  SchemaTable table{.name = "ardupilot", .meaning = "ArduPilot SITL"};
  TableBuilder b(table);
  b.add("binary", "", &external.ardupilot_binary, "path of the program arducopter");
  b.add("defaults", "", &external.ardupilot_defaults, "parameter files, separated by commas");
  return table;
}

SchemaTable external_table(ExternalSpec& external) {
  SchemaTable table{.name = "outside",
                    .meaning = "px4-sitl and ardupilot: the program and the link"};
  TableBuilder b(table);
  b.add("parameters", "", &external.parameters,
        "\"NAME=VALUE, NAME=VALUE\": besides those that follow from the aircraft");
  b.add("folder", "", &external.folder, "where it works, kept; empty: a temporary one");
  b.add("instance", "", &external.instance, "number of the instance: its ports");
  b.add("wait", "", &external.wait, "for a program that you start");
  b.add("attach", "", &external.attach,
        "ground stations and scripts on this machine may talk to it, at its own ports");
  b.add("free", "", &external.free, "not under the conductor: no two flights have the same bits");
  b.fields(external.link);
  return table;
}

}  // namespace

SchemaTable autopilot_table(Spec& spec) {
  SchemaTable table{.name = "autopilot", .meaning = "who flies; the rest is of the built-in one"};
  TableBuilder b(table);
  table.tables.push_back(px4_table(spec.external));
  table.tables.push_back(ardupilot_table(spec.external));
  table.tables.push_back(external_table(spec.external));
  table.tables.push_back(table_of(
      "ground_station", "MAVLink ground station of the built-in autopilot", spec.ground_station));
  b.add("kind", "", enum_slot(spec.autopilot),
        "builtin; none: motors stay off; px4-lib, px4-sitl, ardupilot: docs/autopilots.md");
  b.add("mission", "", PathSlot{&spec.mission_path}, "QGC WPL 110 or .plan; empty: no mission");
  b.add("mission_shift_ned_m", "m", &spec.mission_shift_W_m,
        "moves every place of the mission, for formations");
  b.fields(spec.builtin);
  return table;
}

void set_defaults_of_autopilot(const TomlNode& root, Spec& spec) {
  const TomlNode* const autopilot = root.find("autopilot");
  const TomlNode* const kind = autopilot == nullptr ? nullptr : autopilot->find("kind");
  if (kind == nullptr || !kind->is_string()) return;
  const auto is = [kind](AutopilotKind which) {
    return kind->text == kNames<AutopilotKind>[static_cast<std::size_t>(which)];
  };
  if (is(AutopilotKind::kPx4Sitl)) spec.sensors.fitted = true;
  if (!is(AutopilotKind::kArdupilot)) return;
  constexpr DurationUs kFrame{1'000};
  spec.timeline.autopilot = kFrame;
  // It makes its other instruments itself.
  spec.sensors.fitted = true;
  spec.sensors.magnetometer.count = 0;
  spec.sensors.barometer.count = 0;
  spec.sensors.gps.count = 0;
}

}  // namespace tactus
