// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/sweep/record.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "cli/common/build_identity.h"
#include "cli/common/stop_signal.h"
#include "tactus/record/hdf5/file_sink.h"
#include "tactus/sweep/report/worst.h"

namespace tactus::cli {
namespace {

void require_same(const sweep::SampleResult& now, const sweep::SampleResult& known) {
  if (now.outcome == known.outcome && now.digest == known.digest) return;
  throw Error(ExitCode::kDifferent,
              fmt::format("sample {}: flight digest {} ({}), in the table {} ({})", known.index,
                          to_hex(now.digest), to_text(now.outcome), to_hex(known.digest),
                          to_text(known.outcome)));
}

}  // namespace

sweep::SampleFlight fly_again(const sweep::Campaign& campaign, const sweep::SampleResult& known,
                              const std::string& record) {
  RecordOptions recording;
  if (!record.empty()) {
    recording.file = std::make_unique<OutputFile>(record, kRecordingRules);
    recording.build = build_identity();
  }
  const sweep::SampleInput input = campaign.explores()
                                       ? campaign.input_of(known.index, known.seed, known.applied)
                                       : campaign.input(known.index);
  std::optional<sweep::SampleFlight> sample =
      fly_sample(campaign, input, {.interrupted = asked_to_stop}, std::move(recording));
  if (!sample) throw Error(ExitCode::kInterrupted, "interrupted");
  if (sample->flight && sample->flight->file_error) throw Error(*sample->flight->file_error);
  require_same(sample->result, known);
  return *std::move(sample);
}

std::vector<std::string> record_worst(const sweep::Campaign& campaign, sweep::ResultsFile& results,
                                      std::size_t count) {
  std::vector<std::string> files;
  const std::filesystem::path path(results.path());
  for (const sweep::SampleResult& sample : worst_samples(results, {}, count)) {
    const std::string name = fmt::format("{}-sample-{}.h5", path.stem().string(), sample.index);
    files.push_back((path.parent_path() / name).string());
    fly_again(campaign, sample, files.back());
  }
  return files;
}

}  // namespace tactus::cli
