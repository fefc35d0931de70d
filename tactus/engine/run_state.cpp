// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/engine/run_state.h"

#include <fmt/format.h>

#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus {
namespace {

constexpr std::uint32_t kStateVersion = 1;
constexpr std::size_t kCheckSize = sizeof(std::uint64_t);

std::uint64_t check_of(std::span<const std::byte> bytes) {
  Digest digest;
  digest.add_bytes(bytes);
  return digest.result().low;
}

[[noreturn]] void refuse(const Source& source) {
  throw Error(ExitCode::kBadInput,
              fmt::format("source \"{}\" cannot be saved, so this run can have no snapshots",
                          source.info().name));
}

}  // namespace

void Source::save(StateWriter& /*to*/) const { refuse(*this); }
void Source::load(StateReader& /*from*/) { refuse(*this); }

/// What run.h keeps to itself.
class RunState {
 public:
  static void save(const Run& run, StateWriter& to) {
    to.clear();
    save_own(run, to);
    for (const std::unique_ptr<Source>& source : run.sources_) {
      to.begin(source->info().name);
      source->save(to);
    }
    to.add(check_of(to.bytes()));
  }

  static void load(Run& run, std::span<const std::byte> bytes, Into into) {
    if (bytes.size() < kCheckSize) StateReader(bytes).refuse("ends too early");
    const std::span<const std::byte> content = bytes.first(bytes.size() - kCheckSize);
    StateReader check(bytes.last(kCheckSize));
    if (check.get<std::uint64_t>() != check_of(content)) check.refuse("does not match its digest");
    StateReader from(content, into);
    run.usable_ = false;  // until all of it is read
    load_own(run, from);
    for (const std::unique_ptr<Source>& source : run.sources_) {
      from.begin(source->info().name);
      source->load(from);
    }
    if (!from.at_end()) from.refuse("is longer than that of this run");
    run.usable_ = true;
  }

  static void load_plant(Run& run, std::span<const std::byte> bytes, Into into) {
    TACTUS_ASSERT(run.stage_ == Stage::kScenario, "the run stands before the work of its boundary");
    StateReader from(bytes, into);
    run.usable_ = false;
    run.plant_->load(from);
    run.plant_->require_at(run.now(), from);
    if (!from.at_end()) from.refuse("is longer than that of this plant");
    run.usable_ = true;
  }

  static void hand_over(Run& from, Run& to, Into into) {
    TACTUS_ASSERT(from.stage_ == Stage::kScenario,
                  "the run stands before the work of its boundary");
    TACTUS_ASSERT(&from != &to, "two runs");
    StateWriter bytes;
    save_own(from, bytes);
    std::vector<bool> moves;
    for (const std::unique_ptr<Source>& source : from.sources_) {
      moves.push_back(source->clone() == nullptr);
      if (!moves.back()) source->save(bytes);
    }
    StateReader reader(bytes.bytes(), into);
    from.usable_ = to.usable_ = false;
    load_own(to, reader);
    TACTUS_ASSERT(moves.size() == to.sources_.size(), "the same sources, as load_own has checked");
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (moves[i]) {
        std::swap(to.sources_[i], from.sources_[i]);
      } else {
        to.sources_[i]->load(reader);
      }
    }
    to.usable_ = true;
  }

  static void schedule_instant(Run& run, TimeUs instant) { run.schedule_.insert(instant); }

 private:
  static void save_own(const Run& run, StateWriter& to) {
    TACTUS_ASSERT(run.usable_, "a run that is whole and that no other has taken over");
    TACTUS_ASSERT(run.stage_ == Stage::kScenario || run.stage_ == Stage::kIntegrate,
                  "a run that waits for a command cannot be saved");
    to.begin("run", kStateVersion);
    to.add(static_cast<int>(run.sources_.size()));
    for (const std::unique_ptr<Source>& source : run.sources_) to.add_text(source->info().name);
    to.add(run.stage_);
    to.add(run.found_);
    to.add(run.finished_);
    to.add_fields("boundaries", run.boundaries_);
    to.add_fields("bus", run.bus_);
    run.digest_.save(to);
    run.schedule_.save(to);
    run.plant_->save(to);
  }

  static void load_own(Run& run, StateReader& from) {
    from.begin("run", kStateVersion);
    from.require_same("the number of sources", static_cast<int>(run.sources_.size()));
    for (const std::unique_ptr<Source>& source : run.sources_) {
      from.require_same_text("a source", source->info().name);
    }
    run.stage_ = from.get<Stage>();
    if (run.stage_ != Stage::kScenario && run.stage_ != Stage::kIntegrate) {
      from.refuse("stands at a stage at which no run is saved");
    }
    run.needs_command_ = false;
    run.found_ = from.get<bool>();
    run.finished_ = from.get<bool>();
    from.get_fields("boundaries", run.boundaries_);
    from.get_fields("bus", run.bus_);
    if (run.bus_.wind.since > run.bus_.time) from.refuse("holds a wind that begins later");
    run.digest_.load(from);
    run.schedule_.load(from);
    const bool is_done = run.stage_ == Stage::kIntegrate;  // with the work at its boundary
    if (is_done ? run.bus_.time != run.now() : run.bus_.time > run.now()) {
      from.refuse("holds a bus of another instant than its own");
    }
    run.plant_->load(from);
    run.plant_->require_at(run.now(), from);
  }
};

void save(const Run& run, StateWriter& to) { RunState::save(run, to); }

std::vector<std::byte> save(const Run& run) {
  StateWriter writer;
  save(run, writer);
  return {writer.bytes().begin(), writer.bytes().end()};
}

void load(Run& run, std::span<const std::byte> bytes, Into into) {
  RunState::load(run, bytes, into);
}

void load_plant(Run& run, std::span<const std::byte> bytes, Into into) {
  RunState::load_plant(run, bytes, into);
}

void hand_over(Run& from, Run& to, Into into) { RunState::hand_over(from, to, into); }

void schedule_instant(Run& run, TimeUs instant) { RunState::schedule_instant(run, instant); }

}  // namespace tactus
