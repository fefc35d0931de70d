// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The results of a campaign, or of a shard of it: one SQLite file that stands alone. Its tables are
// described in docs/campaigns.md; any SQLite client reads them, also while they are written.
//
// Rows are committed in batches, with a rollback journal: it works on file systems of networks, and
// what was committed survives a kill at any instant. From its construction on a writer keeps the
// lock that lets others read and no other program write.
// The content digest is a function of the samples alone, by index: not of the order in which they
// were written, nor of the layout of the file, the machine or the time.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/files.h"
#include "tactus/record/recording_meta.h"
#include "tactus/spec/model/attached_file.h"
#include "tactus/sweep/campaign/campaign.h"
#include "tactus/sweep/flying/sample_queue.h"
#include "tactus/sweep/flying/sample_result.h"
#include "tactus/sweep/results/database.h"

namespace tactus::sweep {

/// A column of the samples that the campaign decides.
struct ResultColumn {
  std::string id;      ///< key, expectation or measure
  std::string column;  ///< its name in the table: "input.body.mass_kg"
  std::string about;   ///< unit of a key, kind of an expectation or measure
};

/// What the file says about its campaign.
struct ResultsHead {
  std::string version;  ///< of Tactus
  BuildIdentity build;
  std::string name;  ///< of the campaign
  std::string file;  ///< the campaign file, as the user named it
  std::string campaign_text;
  std::string resolved_spec;
  std::vector<AttachedFile> files;  ///< all that both name
  Digest128 campaign;               ///< Campaign::digest()
  Digest128 spec;
  std::uint64_t samples = 0;  ///< of the whole campaign
  Shard shard;
  std::string search;  ///< what a search looked for; empty: samples follow from the design
  std::vector<ResultColumn> inputs;
  std::vector<ResultColumn> expectations;
  std::vector<ResultColumn> measures;
};

ResultsHead results_head(const Campaign& campaign, std::string_view campaign_text,
                         const std::string& file, Shard shard, const BuildIdentity& build);

class ResultsFile {
 public:
  /// To read.
  explicit ResultsFile(const std::string& path);
  /// To write: a new file, or with `resumes` one of the same campaign, version and shard. Throws
  /// Error with what does not fit.
  ResultsFile(const std::string& path, const ResultsHead& head, bool resumes);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  [[nodiscard]] const ResultsHead& head() const { return head_; }
  [[nodiscard]] const std::string& path() const { return database_.path(); }

  void add(const SampleResult& result);
  /// What was added is safe.
  void commit();
  /// Drops samples from `samples` on: that many are the campaign now.
  void end_at(std::uint64_t samples);
  /// The rule that ended the campaign; empty: none did.
  void set_stopped_by(const std::string& rule);
  [[nodiscard]] std::string stopped_by();
  /// Lost samples are forgotten, so that they are flown again.
  std::uint64_t forget_lost();
  /// Sentences about the whole campaign: "body.mass_kg changed no flight".
  void set_notes(const std::vector<std::string>& notes);
  [[nodiscard]] std::vector<std::string> notes();

  [[nodiscard]] std::uint64_t count();
  [[nodiscard]] DoneSamples done();
  [[nodiscard]] std::optional<SampleResult> sample(std::uint64_t index);
  /// By index, one after the other.
  void for_each(const std::function<void(const SampleResult&)>& see);
  [[nodiscard]] Digest128 content_digest();

  /// For statements of others, on the tables of docs/campaigns.md.
  [[nodiscard]] Database& database() { return database_; }

 private:
  void create(const ResultsHead& head);
  void create_samples(const ResultsHead& head);
  void read_head();
  void require_ours();
  void require_sound();
  void require_same(const ResultsHead& head);
  void begin();
  [[nodiscard]] Statement select(const std::string& rest);
  [[nodiscard]] SampleResult row(const Statement& statement) const;

  Database database_;
  ResultsHead head_;
  std::optional<Statement> insert_;
  bool writes_ = false;
};

/// The campaign that was written down, for flights of its samples. Throws Error if it is that of
/// another version.
Campaign campaign_of(const Files& files, const ResultsFile& results);

/// Puts shards of one campaign together in a new file. Throws Error with what does not fit: other
/// campaigns or versions, a sample that two shards have with different contents, one that none has.
void merge_results(const std::vector<std::string>& paths, const std::string& output);

}  // namespace tactus::sweep
