// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/bridge/bridge_recorder.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "tactus/core/assert.h"

namespace tactus {
namespace {

enum Tables : std::size_t { kEvents, kVehicles };

constexpr DurationUs kPeriod{100'000};
constexpr std::size_t kNameLength = 64;
constexpr std::size_t kTextLength = 320;

/// Of what a vehicle exchanged: what shows where it was and what it was about to do.
constexpr std::string_view kWanted[] = {"truth.position",
                                        "truth.velocity",
                                        "truth.attitude",
                                        "truth.rate",
                                        "battery",
                                        "land.",
                                        "command.",
                                        "autopilot.armed",
                                        "autopilot.mode",
                                        "autopilot.fail",
                                        "autopilot.mission_item",
                                        "autopilot.items_reached"};

std::vector<BusLeaf> leaves_of_vehicle() {
  // Simulators outside do not say how many motors they have: all that there can be.
  VehicleCounts counts;
  counts.motors = kMaxMotors;
  counts.servos = kMaxServos;
  counts.packs = 1;
  std::vector<BusLeaf> leaves = bus_leaves(counts);
  std::erase_if(leaves, [](const BusLeaf& leaf) {
    return std::none_of(std::begin(kWanted), std::end(kWanted),
                        [&leaf](std::string_view wanted) { return leaf.name.starts_with(wanted); });
  });
  return leaves;
}

TableLayout events_table() {
  TableLayout events = make_table("events", Rule::kSampled);
  add_field(events,
            make_field("/events/who", FieldKind::kText, "simulator or vehicle", kNameLength));
  add_field(events, make_field("/events/what", FieldKind::kText, "what happened", kTextLength));
  return events;
}

/// Without the signals.
TableLayout vehicles_table() {
  TableLayout vehicles = make_table("vehicles", Rule::kSampled);
  add_field(vehicles, make_field("/vehicles/id", FieldKind::kU8, "of the vehicle"));
  RowField frame = make_field("/vehicles/frame_us", FieldKind::kU64, "instant of its last frame");
  frame.unit = "us";
  add_field(vehicles, std::move(frame));
  return vehicles;
}

enum Diagnostics : std::size_t {
  kFlying,
  kRealTimeFactor,
  kHistogramOf,
  kHistogramUpTo,
  kHistogramCount,
  kSimulatorName,
  kSimulatorKind,
  kSimulatorState,
  kSimulatorMisses,
  kSimulatorRecoveries,
  kWaitTime,
  kWaitWho,
  kWaitLength,
};

/// In the order of Diagnostics.
FileSinkOptions with_diagnostics() {
  constexpr std::size_t kRows = 64;
  FileSinkOptions options;
  const auto add = [&](const char* path, FieldKind kind) {
    options.diagnostics.push_back(
        {path, kind, kind == FieldKind::kText ? kNameLength : std::size_t{1}, kRows});
  };
  add("/diagnostics/flying_s", FieldKind::kReal);
  add("/diagnostics/real_time_factor", FieldKind::kReal);
  add("/diagnostics/histograms/of", FieldKind::kText);
  add("/diagnostics/histograms/up_to_ns", FieldKind::kU64);
  add("/diagnostics/histograms/count", FieldKind::kU64);
  add("/diagnostics/simulators/name", FieldKind::kText);
  add("/diagnostics/simulators/kind", FieldKind::kText);
  add("/diagnostics/simulators/state", FieldKind::kText);
  add("/diagnostics/simulators/misses", FieldKind::kU64);
  add("/diagnostics/simulators/recoveries", FieldKind::kU64);
  add("/diagnostics/waits/time_us", FieldKind::kU64);
  add("/diagnostics/waits/who", FieldKind::kText);
  add("/diagnostics/waits/wait_ns", FieldKind::kU64);
  return options;
}

template <class T>
void put_number(FileSink& sink, Diagnostics which, T value) {
  sink.diagnose(which, std::as_bytes(std::span(&value, 1)));
}

void put_name(FileSink& sink, Diagnostics which, std::string_view text) {
  char name[kNameLength] = {};
  text.copy(name, kNameLength);
  sink.diagnose(which, std::as_bytes(std::span(name)));
}

void put_histogram(FileSink& sink, const std::string& of, const Histogram& times) {
  times.for_each_bucket([&](std::uint64_t up_to_ns, std::uint64_t count) {
    put_name(sink, kHistogramOf, of);
    put_number(sink, kHistogramUpTo, up_to_ns);
    put_number(sink, kHistogramCount, count);
  });
}

}  // namespace

BridgeRecorder::BridgeRecorder(std::unique_ptr<OutputFile> file, const RecordingMeta& meta)
    : sink_(std::move(file), with_diagnostics()) {
  tables_ = {events_table(), vehicles_table()};
  vehicle_signals_ = add_fields(tables_[kVehicles], "/vehicles", leaves_of_vehicle());
  event_row_.resize(tables_[kEvents].row_size);
  vehicle_row_.resize(tables_[kVehicles].row_size);
  sink_.begin(meta, tables_);
}

void BridgeRecorder::see(Bridge& bridge) {
  TACTUS_ASSERT(!ended_, "a recording that goes on");
  give_events(bridge);
  const std::uint64_t slot = bridge.now().us / kPeriod.us;
  const bool exchanged = bridge.latency().count() > 0;  // not if the start was interrupted
  if (exchanged && last_slot_ != slot) {
    last_slot_ = slot;
    for (const VehicleId id : bridge.vehicles()) give_vehicle(bridge.vehicle(id), bridge.now());
  }
  sink_.reached(bridge.now());
}

void BridgeRecorder::give_events(const Bridge& bridge) {
  const std::vector<RowField>& fields = tables_[kEvents].fields;
  for (; events_given_ < bridge.events().size(); ++events_given_) {
    const BridgeEvent& event = bridge.events()[events_given_];
    put_text(fields[1], event.who, event_row_.data());
    put_text(fields[2], event.what, event_row_.data());
    give(kEvents, event_row_, event.time);
  }
}

void BridgeRecorder::give_vehicle(const Vehicle& vehicle, TimeUs now) {
  const std::vector<RowField>& fields = tables_[kVehicles].fields;
  copy_signals(vehicle.frame(), bus_);
  bus_.command = vehicle.command().command;
  bus_.autopilot = vehicle.command().status;
  put(fields[1], 0, vehicle.id(), vehicle_row_.data());
  put(fields[2], 0, vehicle.frame().time.us, vehicle_row_.data());
  vehicle_signals_.gather(&bus_, vehicle_row_.data());
  give(kVehicles, vehicle_row_, now);
}

void BridgeRecorder::give(std::size_t table, std::vector<std::byte>& row, TimeUs time) {
  TACTUS_ASSERT(table < tables_.size() && row.size() == tables_[table].row_size,
                "a row of this table");
  std::memcpy(row.data(), &time.us, sizeof time.us);
  digest_.add_bytes(row);
  sink_.row(table, row.data());
}

void BridgeRecorder::diagnose(const Bridge& bridge, double flying_s) {
  put_number(sink_, kFlying, flying_s);
  put_number(sink_, kRealTimeFactor, flying_s > 0.0 ? to_seconds(bridge.now()) / flying_s : 0.0);
  put_histogram(sink_, "latency", bridge.latency());
  put_histogram(sink_, "step", bridge.step_time());
  for (const AdapterReport& report : bridge.reports()) {
    put_histogram(sink_, "step of " + report.name, report.step);
    put_histogram(sink_, "wait for " + report.name, report.wait);
    put_name(sink_, kSimulatorName, report.name);
    put_name(sink_, kSimulatorKind, report.kind);
    put_name(sink_, kSimulatorState, to_text(report.state));
    put_number(sink_, kSimulatorMisses, report.misses);
    put_number(sink_, kSimulatorRecoveries, report.recoveries);
  }
  for (const BridgeWait& wait : bridge.long_waits()) {
    put_number(sink_, kWaitTime, wait.time.us);
    put_name(sink_, kWaitWho, wait.who);
    put_number(sink_, kWaitLength, wait.ns);
  }
}

void BridgeRecorder::end(Bridge& bridge, bool complete, double flying_s) {
  TACTUS_ASSERT(!ended_, "one end");
  ended_ = true;
  give_events(bridge);
  sink_.reached(bridge.now());
  diagnose(bridge, flying_s);
  sink_.end({bridge.now(), digest_.result(), complete});
}

}  // namespace tactus
