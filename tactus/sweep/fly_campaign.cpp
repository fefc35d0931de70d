// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/fly_campaign.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "tactus/sweep/flying/worker_process.h"

namespace tactus::sweep {
namespace {

using Clock = std::chrono::steady_clock;

/// Results come in any order; a rule is asked about whole prefixes.
class Prefix {
 public:
  Prefix(StoppingRule enough, std::uint64_t samples)
      : enough_(std::move(enough)), samples_(samples) {}

  [[nodiscard]] std::uint64_t stopped_at() const { return stopped_at_; }

  void add(std::uint64_t index, Outcome outcome) {
    if (!enough_ || stopped_at_ != 0) return;
    waiting_.emplace(index, outcome);
    while (!waiting_.empty() && waiting_.begin()->first == next_ && stopped_at_ == 0) {
      const Outcome first = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      if (enough_(++next_, first) && next_ < samples_) stopped_at_ = next_;
    }
  }

 private:
  StoppingRule enough_;
  std::uint64_t samples_;
  std::uint64_t next_ = 0;
  std::uint64_t stopped_at_ = 0;
  std::map<std::uint64_t, Outcome> waiting_;
};

/// What is written and counted as results come.
class Collector {
 public:
  Collector(ResultsFile& results, const CampaignOptions& options)
      : results_(&results), options_(&options), prefix_(options.enough, results.head().samples) {
    const Shard shard = results.head().shard;
    progress_.samples = (results.head().samples + shard.shards - 1 - shard.shard) / shard.shards;
    results.for_each([this](const SampleResult& result) {
      count(result.outcome);
      prefix_.add(result.index, result.outcome);
    });
  }

  void take(const SampleResult& result, SampleSource& source) {
    if (prefix_.stopped_at() != 0) return;
    results_->add(result);
    ++progress_.flown;
    count(result.outcome);
    prefix_.add(result.index, result.outcome);
    if (prefix_.stopped_at() != 0) source.stop();
  }

  void idle() {
    if (options_->progress) options_->progress(progress_);
    if (Clock::now() < next_commit_) return;
    results_->commit();
    next_commit_ = Clock::now() + options_->batch;
  }

  [[nodiscard]] const CampaignProgress& progress() const { return progress_; }
  [[nodiscard]] std::uint64_t stopped_at() const { return prefix_.stopped_at(); }

 private:
  void count(Outcome outcome) {
    ++progress_.done;
    ++progress_.outcomes[static_cast<std::size_t>(outcome)];
  }

  ResultsFile* results_;
  const CampaignOptions* options_;
  Prefix prefix_;
  CampaignProgress progress_;
  Clock::time_point next_commit_ = Clock::now() + options_->batch;
};

/// Worker processes and what they fly.
class ProcessPool {
 public:
  ProcessPool(const Campaign& campaign, std::size_t count, const SampleOptions& options)
      : campaign_(&campaign), interrupted_(options.interrupted) {
    for (std::size_t i = 0; i < count; ++i) {
      SampleOptions own = options;
      own.worker = static_cast<int>(i);
      workers_.push_back(std::make_unique<WorkerProcess>(campaign, own));
    }
    tries_.resize(count);
  }

  void run(SampleSource& source, const std::function<void(SampleResult&&)>& take,
           const std::function<void()>& idle) {
    while (begin_all(source)) {
      for (const std::size_t ready : wait()) collect(ready, take);
      idle();
    }
    idle();
  }

 private:
  /// False: all are done.
  bool begin_all(SampleSource& source) {
    bool busy = false;
    for (const auto& worker : workers_) {
      const bool goes_on = !interrupted_ || !interrupted_();
      if (!worker->is_busy() && goes_on) {
        if (const std::optional<std::uint64_t> index = source.take()) worker->begin(*index);
      }
      busy = busy || worker->is_busy();
    }
    return busy;
  }

  /// Those whose flight is over, after a tenth of a second at most.
  std::vector<std::size_t> wait() {
    constexpr int kPause_ms = 100;
    std::vector<pollfd> waiting;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (!workers_[i]->is_busy()) continue;
      waiting.push_back({workers_[i]->descriptor(), POLLIN, 0});
      numbers.push_back(i);
    }
    std::vector<std::size_t> ready;
    if (::poll(waiting.data(), waiting.size(), kPause_ms) <= 0) return ready;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents != 0) ready.push_back(numbers[i]);
    }
    return ready;
  }

  /// A sample whose worker died is tried again, as one whose autopilot did.
  void collect(std::size_t number, const std::function<void(SampleResult&&)>& take) {
    std::optional<SampleResult> result = workers_[number]->take();
    if (!result) return;
    const bool again = result->outcome == Outcome::kLost && !workers_[number]->is_running() &&
                       tries_[number] < campaign_->file().retries;
    if (again) {
      ++tries_[number];
      return workers_[number]->begin(result->index);
    }
    tries_[number] = 0;
    take(*std::move(result));
  }

  const Campaign* campaign_;
  std::function<bool()> interrupted_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  std::vector<int> tries_;  ///< by worker, of its sample
};

/// The same flight and the same answers.
bool is_same(const SampleResult& a, const SampleResult& b) {
  return a.outcome == b.outcome && a.digest == b.digest && a.margins == b.margins &&
         a.measures == b.measures;
}

/// Some sample in which the keys of a vary have other values than in this one.
std::optional<std::vector<TomlNode>> other_values(const Campaign& campaign,
                                                  const SampleInput& input, std::size_t first,
                                                  std::size_t count, std::uint64_t& from) {
  constexpr std::uint64_t kMostTried = 1000;
  const std::uint64_t end = std::min(campaign.size(), from + kMostTried);
  while (from < end) {
    const SampleInput other = campaign.input(from++);
    std::vector<TomlNode> values = input.values;
    bool differs = false;
    for (std::size_t k = first; k < first + count; ++k) {
      differs = differs || applied_value(other.values[k]) != applied_value(values[k]);
      values[k] = other.values[k];
    }
    if (differs) return values;
  }
  return std::nullopt;
}

}  // namespace

FlyAll by_threads(const Campaign& campaign, std::size_t jobs, SampleOptions options) {
  return [&campaign, jobs, options = std::move(options)](
             SampleSource& source, const std::function<void(SampleResult &&)>& take,
             const std::function<void()>& idle) {
    SampleThreads<SampleResult> threads(
        source,
        [&](std::uint64_t index, int worker, const std::function<bool()>& interrupted) {
          SampleOptions how = options;
          how.worker = worker;
          how.interrupted = interrupted;
          return fly_sample(campaign, index, how);
        },
        options.interrupted);
    threads.run(thread_count(jobs, campaign.size()), take, idle);
  };
}

FlyAll by_processes(const Campaign& campaign, std::size_t jobs, SampleOptions options) {
  return [&campaign, jobs, options = std::move(options)](
             SampleSource& source, const std::function<void(SampleResult &&)>& take,
             const std::function<void()>& idle) {
    ProcessPool(campaign, thread_count(jobs, campaign.size()), options).run(source, take, idle);
  };
}

std::vector<std::string> idle_varied(const Campaign& campaign, const SampleOptions& options) {
  constexpr int kMostTried = 3;
  std::vector<std::string> notes;
  if (campaign.file().varied.empty()) return notes;
  SampleInput input;
  std::optional<SampleFlight> usual;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(campaign.size(), kMostTried); ++i) {
    input = campaign.input(i);
    usual = fly_sample(campaign, input, options);
    if (!usual) return notes;  // interrupted
    if (usual->result.got_to_an_end()) break;
  }
  if (!usual->result.got_to_an_end()) return notes;
  std::size_t first = 0;
  for (const Vary& vary : campaign.file().varied) {
    const std::size_t count = vary.keys.size();
    bool changes = false;
    bool varies = false;
    std::uint64_t from = input.index + 1;
    for (int tried = 0; tried < kMostTried && !changes; ++tried) {
      const auto values = other_values(campaign, input, first, count, from);
      if (!values) break;
      varies = true;
      SampleInput changed = input;
      changed.values = *values;
      const std::optional<SampleFlight> flight = fly_sample(campaign, changed, options);
      if (!flight) return notes;  // interrupted
      changes = !is_same(usual->result, flight->result);
    }
    first += count;
    if (changes) continue;
    std::vector<std::string> names;
    for (const VariedKey& key : vary.keys) names.push_back(key.name);
    notes.push_back(
        varies ? fmt::format("{} changed no flight: another value gave the same one",
                             fmt::join(names, ", "))
               : fmt::format("{} had the same value in all samples", fmt::join(names, ", ")));
  }
  return notes;
}

CampaignEnd fly_campaign(const Campaign& campaign, ResultsFile& results, const FlyAll& fly,
                         const CampaignOptions& options) {
  Collector collector(results, options);
  SampleSource source(campaign.size(), results.head().shard, results.done());
  if (collector.stopped_at() != 0) source.stop();
  fly(
      source, [&](SampleResult&& result) { collector.take(result, source); },
      [&] { collector.idle(); });
  CampaignEnd end;
  end.progress = collector.progress();
  end.stopped_at = collector.stopped_at();
  if (end.stopped_at != 0) results.end_at(end.stopped_at);
  results.commit();
  end.interrupted = options.interrupted && options.interrupted() && end.stopped_at == 0 &&
                    end.progress.done < end.progress.samples;
  return end;
}

}  // namespace tactus::sweep
