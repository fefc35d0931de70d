// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/replay/branch/branch_flight.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/vec.h"
#include "tactus/record/csv_log.h"

namespace tactus {
namespace {

/// How far the vehicle is from where the parent was, at the last instant of the log that both have.
class ApartFromParent final : public LogSink {
 public:
  explicit ApartFromParent(const Recording& parent) : log_(parent.find("log")) {
    if (log_ != nullptr) field_ = log_->layout.find("/log/truth/position_ned_m");
  }

  void begin(const VehicleCounts& /*counts*/) override {}
  void row(const LogRow& row) override {
    const std::optional<std::size_t> same = field_ == nullptr ? std::nullopt : log_->at(row.time);
    if (!same) return;
    const std::byte* const bytes = log_->row(*same).data();
    const Vec3 there{number(*field_, 0, bytes), number(*field_, 1, bytes),
                     number(*field_, 2, bytes)};
    time_ = row.time;
    apart_m_ = norm(row.bus.truth.position_W_m - there);
  }
  void end(Digest128 /*flight_digest*/, bool /*complete*/) override {}

  [[nodiscard]] TimeUs time() const { return time_; }
  [[nodiscard]] std::optional<double> apart_m() const { return apart_m_; }

 private:
  const Table* log_;
  const RowField* field_ = nullptr;
  TimeUs time_;
  std::optional<double> apart_m_;
};

/// The part of the chain that was not flown again.
std::vector<DigestChain::Link> links_up_to(const Recording& parent, TimeUs from) {
  std::vector<DigestChain::Link> links;
  const Table& chain = parent.require("chain");
  const RowField* const digest = chain.layout.find("/chain/flight_digest");
  for (std::size_t i = 0; digest != nullptr && i < chain.size() && chain.time(i) <= from; ++i) {
    const std::byte* const row = chain.row(i).data();
    links.push_back(
        {chain.time(i), {whole_number(*digest, 0, row), whole_number(*digest, 1, row)}});
  }
  return links;
}

BranchOrigin origin_of(const BranchSetup& setup, const Branch& branch,
                       const ApartFromParent& apart) {
  BranchOrigin origin;
  origin.asked = setup.at;
  origin.at = branch.at();
  origin.from = branch.from();
  origin.end = branch.run().now();
  origin.branched = branch.branched();
  origin.changes = branch.changes();
  origin.parent_end = setup.parent->end;
  origin.same = branch.run().digest() == setup.parent->end.flight_digest;
  origin.first_difference = branch.first_difference();
  origin.apart_at = apart.time();
  origin.apart_m = apart.apart_m();
  return origin;
}

std::vector<std::string> notes_of(const BranchSetup& setup, const Branch& branch) {
  std::vector<std::string> notes = branch.notes();
  if (setup.quick && branch.from().us == 0) {
    notes.push_back(fmt::format(
        "flown from the start: the recording holds no snapshot before {}; record it with some to "
        "be quick",
        to_text(branch.at())));
  }
  return notes;
}

/// Its files, as far as they are wanted.
struct BranchFiles {
  BranchFiles(const Spec& spec, BranchFlightOptions& options) {
    if (options.record) {
      path = options.record->path();
      recording.emplace(std::move(options.record));
    }
    if (options.log) {
      log.emplace(std::move(options.log), LogProvenance{spec.name, spec.digest, spec.seed});
    }
  }

  [[nodiscard]] std::optional<Error> error() const {
    if (log && log->error) return log->error;
    return recording ? recording->error : std::nullopt;
  }

  std::string path;  ///< of the recording
  std::optional<RecordingToTheEnd> recording;
  std::optional<LogToTheEnd> log;
};

}  // namespace

BranchFlight fly_branch(const BranchSetup& setup, Branch& branch, BranchFlightOptions options) {
  if (options.log && branch.from().us != 0) {
    throw Error(ExitCode::kBadInput,
                fmt::format("{}: a log is of the whole flight, and this branch is flown on from a "
                            "snapshot at {}",
                            options.log->path(), to_text(branch.from())));
  }
  require_snapshots(setup.snapshots, branch.changed().spec);
  std::vector<std::string> warnings = branch.warnings();
  FlightSummary summary(vehicle_type(branch.changed().spec), branch.run().counts());
  BranchFiles files(branch.changed().spec, options);
  ApartFromParent apart(*setup.parent);
  DigestChain chain;
  Observers observers;
  observers.hooks = {&summary, &branch.monitor()};
  observers.hooks.insert(observers.hooks.end(), options.hooks.begin(), options.hooks.end());
  if (files.log) observers.sinks.push_back(&*files.log);
  observers.sinks.push_back(&apart);
  observers.recorders.push_back(&chain);

  const auto start = std::chrono::steady_clock::now();
  branch.fly(observers, files.recording ? &*files.recording : nullptr, options.interrupted);
  const std::chrono::duration<double> flying = std::chrono::steady_clock::now() - start;

  BranchFlight flown;
  Flight& flight = flown.flight;
  flight = flight_of(branch.flown().spec, branch.run(), summary, branch.monitor());
  flight.flying_s = flying.count();
  flight.notes = notes_of(setup, branch);
  flight.warnings = std::move(warnings);
  add_warnings_of_flight(branch.flown(), flight);
  if (branch.from().us > 0) flight.chain = links_up_to(*setup.parent, branch.from());
  flight.chain.insert(flight.chain.end(), chain.links().begin(), chain.links().end());
  if (files.recording) {
    flight.recording = recorded_file(files.path, setup.tier.value_or(setup.parent->meta.tier));
  }
  flight.file_error = files.error();
  flown.origin = origin_of(setup, branch, apart);
  flown.origin.parent = options.parent;
  return flown;
}

}  // namespace tactus
