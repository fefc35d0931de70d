// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/results/results_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/core/version.h"
#include "tactus/flight/names.h"
#include "tactus/spec/schema/schema_enums.h"

namespace tactus::sweep {
namespace {

constexpr std::int64_t kApplicationId = 0x54416373;  // "TAcs"
constexpr std::int64_t kFormat = 1;

/// Columns of every sample, in the order of the statements.
constexpr const char* kSampleColumns[] = {"sample",    "seed",          "outcome",
                                          "exit_code", "reason",        "failure",
                                          "end_us",    "flight_digest", "spec_digest"};
constexpr int kFixedColumns = static_cast<int>(std::size(kSampleColumns));

Error bad_file(const std::string& path, const std::string& reason) {
  return {ExitCode::kBadInput, fmt::format("{}: {}", path, reason)};
}

std::vector<ResultColumn> columns_in_order(const ResultsHead& head) {
  std::vector<ResultColumn> all = head.inputs;
  all.insert(all.end(), head.expectations.begin(), head.expectations.end());
  all.insert(all.end(), head.measures.begin(), head.measures.end());
  return all;
}

std::string column_list(const ResultsHead& head) {
  std::string list;
  for (const char* const name : kSampleColumns)
    list += list.empty() ? name : fmt::format(", {}", name);
  for (const ResultColumn& one : columns_in_order(head)) list += ", " + sql_name(one.column);
  return list;
}

void bind_values(Statement& statement, int& position,
                 const std::vector<std::optional<double>>& values) {
  for (const std::optional<double>& value : values) statement.bind(position++, value);
}

}  // namespace

ResultsHead results_head(const Campaign& campaign, std::string_view campaign_text,
                         const std::string& file, Shard shard, const BuildIdentity& build) {
  ResultsHead head;
  head.version = kVersion;
  head.build = build;
  head.name = flight_name(campaign.base().spec);
  head.file = file;
  head.campaign_text = campaign_text;
  head.resolved_spec = campaign.base().resolved;
  head.files = campaign.base().files;
  head.files.insert(head.files.end(), campaign.file().tables.begin(), campaign.file().tables.end());
  head.campaign = campaign.digest();
  head.spec = campaign.base().spec.digest;
  head.samples = campaign.size();
  head.shard = shard;
  for (const VariedSlot& slot : campaign.keys()) {
    head.inputs.push_back({slot.key.name, "input." + slot.key.name, slot.unit});
  }
  for (const Expectation& expected : campaign.base().spec.expectations) {
    head.expectations.push_back({expected.id, "margin." + expected.id, name_of(expected.kind)});
  }
  for (const Measure& measure : campaign.file().measures) {
    head.measures.push_back({measure.id, "measure." + measure.id,
                             kMeasureNames[static_cast<std::size_t>(measure.kind)]});
  }
  return head;
}

ResultsFile::ResultsFile(const std::string& path) : database_(path, Database::Access::kRead) {
  require_ours();
  read_head();
}

ResultsFile::ResultsFile(const std::string& path, const ResultsHead& head, bool resumes)
    : database_(path, Database::Access::kCreate) {
  // This also puts in order what a killed writer left.
  const bool empty = database_.number("SELECT count(*) FROM sqlite_master") == 0;
  if (!empty && !resumes) {
    throw Error(
        ExitCode::kEnvironment,
        fmt::format("{}: exists; go on with it by --resume, or choose another --output", path));
  }
  database_.run("PRAGMA journal_mode = DELETE");
  if (!empty) require_ours();
  begin();
  writes_ = true;
  if (database_.number("SELECT count(*) FROM sqlite_master") == 0) {
    create(head);
    commit();
  } else {
    read_head();
    require_same(head);
    head_.samples = head.samples;
    Statement update = database_.prepare("UPDATE campaign SET value = ?1 WHERE key = 'samples'");
    update.bind(1, head.samples);
    update.step();
  }
  const std::size_t count = kFixedColumns + columns_in_order(head_).size();
  std::string marks;
  for (std::size_t i = 1; i <= count; ++i) marks += fmt::format("{}?{}", i == 1 ? "" : ", ", i);
  insert_.emplace(database_.prepare(
      fmt::format("INSERT INTO sample ({}) VALUES ({})", column_list(head_), marks)));
}

/// What was not committed is lost, as in a kill.
ResultsFile::~ResultsFile() = default;

/// From here on no other program writes.
void ResultsFile::begin() {
  database_.run("PRAGMA busy_timeout = 0");
  database_.run("BEGIN IMMEDIATE");
  database_.run("PRAGMA busy_timeout = 30000");
}

void ResultsFile::commit() {
  TACTUS_ASSERT(writes_, "a file that is written");
  if (insert_) insert_->reset();
  database_.run("COMMIT");
  begin();
}

void ResultsFile::create(const ResultsHead& head) {
  head_ = head;
  database_.run(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, kFormat));
  database_.run(
      "CREATE TABLE campaign (key TEXT PRIMARY KEY, value);"
      "CREATE TABLE file (name TEXT PRIMARY KEY, content TEXT);"
      "CREATE TABLE result_column (position INTEGER PRIMARY KEY, kind TEXT, id TEXT, "
      "column_name TEXT, about TEXT);"
      "CREATE TABLE note (position INTEGER PRIMARY KEY, text TEXT)");
  Statement set = database_.prepare("INSERT INTO campaign VALUES (?1, ?2)");
  const auto add = [&set](std::string_view key, auto value) {
    set.bind(1, key);
    set.bind(2, value);
    set.step();
    set.reset();
  };
  using Text = std::string_view;
  add("tactus_version", Text(head.version));
  add("commit", Text(head.build.commit));
  add("compiler", Text(head.build.compiler));
  add("name", Text(head.name));
  add("file", Text(head.file));
  add("campaign_text", Text(head.campaign_text));
  add("resolved_spec", Text(head.resolved_spec));
  const std::string campaign = to_hex(head.campaign);
  const std::string spec = to_hex(head.spec);
  add("campaign_digest", Text(campaign));
  add("spec_digest", Text(spec));
  add("samples", head.samples);
  add("shard", head.shard.shard);
  add("shards", head.shard.shards);
  add("search", Text(head.search));
  Statement file = database_.prepare("INSERT INTO file VALUES (?1, ?2)");
  for (const AttachedFile& one : head.files) {
    file.bind(1, Text(one.name));
    file.bind(2, Text(one.content));
    file.step();
    file.reset();
  }
  create_samples(head);
}

void ResultsFile::create_samples(const ResultsHead& head) {
  Statement column = database_.prepare("INSERT INTO result_column VALUES (?1, ?2, ?3, ?4, ?5)");
  std::int64_t position = 0;
  const auto add = [&](std::string_view kind, const std::vector<ResultColumn>& columns) {
    for (const ResultColumn& one : columns) {
      column.bind(1, position++);
      column.bind(2, kind);
      column.bind(3, std::string_view(one.id));
      column.bind(4, std::string_view(one.column));
      column.bind(5, std::string_view(one.about));
      column.step();
      column.reset();
    }
  };
  add("input", head.inputs);
  add("expectation", head.expectations);
  add("measure", head.measures);
  std::string sql =
      "CREATE TABLE sample (sample INTEGER PRIMARY KEY, seed INTEGER, outcome TEXT, "
      "exit_code INTEGER, reason TEXT, failure TEXT, end_us INTEGER, flight_digest TEXT, "
      "spec_digest TEXT";
  // Without a type a value is stored as it is: a column of a type would turn reals into integers.
  for (const ResultColumn& one : columns_in_order(head)) sql += ", " + sql_name(one.column);
  database_.run(sql + ")");
}

void ResultsFile::require_ours() {
  if (database_.number("PRAGMA application_id") != kApplicationId) {
    throw bad_file(path(), "is no file of results of a campaign");
  }
  const std::int64_t format = database_.number("PRAGMA user_version");
  if (format == kFormat) return;
  throw bad_file(path(), fmt::format("has format {}, this version of Tactus ({}) has format {}",
                                     format, kVersion, kFormat));
}

void ResultsFile::read_head() {
  Statement all = database_.prepare("SELECT key, value FROM campaign");
  while (all.step()) {
    const std::string key = all.text(0);
    const auto whole = [&] { return static_cast<std::uint64_t>(all.integer(1)); };
    if (key == "tactus_version") head_.version = all.text(1);
    if (key == "commit") head_.build.commit = all.text(1);
    if (key == "compiler") head_.build.compiler = all.text(1);
    if (key == "name") head_.name = all.text(1);
    if (key == "file") head_.file = all.text(1);
    if (key == "campaign_text") head_.campaign_text = all.text(1);
    if (key == "resolved_spec") head_.resolved_spec = all.text(1);
    if (key == "campaign_digest") head_.campaign = digest_from_hex(all.text(1));
    if (key == "spec_digest") head_.spec = digest_from_hex(all.text(1));
    if (key == "samples") head_.samples = whole();
    if (key == "shard") head_.shard.shard = whole();
    if (key == "shards") head_.shard.shards = whole();
    if (key == "search") head_.search = all.text(1);
  }
  Statement files = database_.prepare("SELECT name, content FROM file ORDER BY rowid");
  while (files.step()) head_.files.push_back({files.text(0), files.text(1)});
  Statement columns =
      database_.prepare("SELECT kind, id, column_name, about FROM result_column ORDER BY position");
  while (columns.step()) {
    const std::string kind = columns.text(0);
    ResultColumn column{columns.text(1), columns.text(2), columns.text(3)};
    (kind == "input"         ? head_.inputs
     : kind == "expectation" ? head_.expectations
                             : head_.measures)
        .push_back(std::move(column));
  }
  require_sound();
}

/// Any program can write into it.
void ResultsFile::require_sound() {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53U;
  const Shard& shard = head_.shard;
  bool sound = shard.shards > 0 && shard.shard < shard.shards && head_.samples <= kMost;
  if (sound) {
    Statement strange = database_.prepare(
        "SELECT count(*) FROM sample WHERE sample < 0 OR sample >= ?1 OR sample % ?2 <> ?3");
    strange.bind(1, head_.samples);
    strange.bind(2, shard.shards);
    strange.bind(3, shard.shard);
    sound = strange.step() && strange.integer(0) == 0;
  }
  if (sound) return;
  throw bad_file(path(),
                 "its samples are not those of its campaign; was it edited? Start again "
                 "with another --output");
}

void ResultsFile::require_same(const ResultsHead& head) {
  const std::string other_output = "; choose another --output";
  if (head_.version != head.version) {
    throw bad_file(path(), fmt::format("was begun by Tactus {}, this is {}: their flights differ{}",
                                       head_.version, head.version, other_output));
  }
  if (head_.search != head.search) {
    const auto what = [](const ResultsHead& of) {
      return of.search.empty() ? std::string("samples of a design") : "a search: " + of.search;
    };
    throw bad_file(path(),
                   fmt::format("holds {} and not {}{}", what(head_), what(head), other_output));
  }
  if (head_.campaign != head.campaign) {
    const char* const what = head_.spec != head.spec ? "its spec has changed"
                             : head_.campaign_text != head.campaign_text
                                 ? "the campaign file has changed"
                                 : "--set or --samples differ";
    throw bad_file(path(),
                   fmt::format("was begun with another campaign: {}. `tactus sweep show {}` prints "
                               "what it was{}",
                               what, path(), other_output));
  }
  if (head_.shard != head.shard) {
    throw bad_file(path(), fmt::format("holds shard {}/{} and not {}/{}{}", head_.shard.shard + 1,
                                       head_.shard.shards, head.shard.shard + 1, head.shard.shards,
                                       other_output));
  }
  if (head.samples < head_.samples) {
    throw bad_file(path(),
                   fmt::format("was begun with {} samples; give at least as many", head_.samples));
  }
}

void ResultsFile::add(const SampleResult& result) {
  TACTUS_ASSERT(insert_ && result.applied.size() == head_.inputs.size() &&
                    result.margins.size() == head_.expectations.size() &&
                    result.measures.size() == head_.measures.size(),
                "a result of this campaign");
  Statement& row = *insert_;
  row.reset();
  using Text = std::string_view;
  int position = 1;
  row.bind(position++, result.index);
  row.bind(position++, result.seed);
  row.bind(position++, Text(to_text(result.outcome)));
  row.bind(position++, std::int64_t{static_cast<int>(result.code)});
  row.bind(position++, Text(result.reason));
  row.bind(position++, Text(result.failure));
  row.bind(position++, result.end.us);
  if (result.got_to_an_end()) {
    const std::string digest = to_hex(result.digest);
    row.bind(position++, Text(digest));
  } else {
    row.bind_null(position++);
  }
  const std::string spec = to_hex(result.spec_digest);
  row.bind(position++, Text(spec));
  for (const AppliedValue& value : result.applied) {
    if (value.number) {
      row.bind(position++, *value.number);
    } else {
      row.bind(position++, Text(value.text));
    }
  }
  bind_values(row, position, result.margins);
  bind_values(row, position, result.measures);
  row.step();
}

void ResultsFile::end_at(std::uint64_t samples) {
  Statement drop = database_.prepare("DELETE FROM sample WHERE sample >= ?1");
  drop.bind(1, samples);
  drop.step();
  Statement update = database_.prepare("UPDATE campaign SET value = ?1 WHERE key = 'samples'");
  update.bind(1, samples);
  update.step();
  head_.samples = samples;
}

void ResultsFile::set_stopped_by(const std::string& rule) {
  Statement set = database_.prepare("INSERT OR REPLACE INTO campaign VALUES ('stopped_by', ?1)");
  set.bind(1, std::string_view(rule));
  set.step();
}

std::string ResultsFile::stopped_by() {
  Statement rule = database_.prepare("SELECT value FROM campaign WHERE key = 'stopped_by'");
  return rule.step() ? rule.text(0) : std::string();
}

std::uint64_t ResultsFile::forget_lost() {
  const std::int64_t lost = database_.number("SELECT count(*) FROM sample WHERE outcome = 'lost'");
  if (lost > 0) database_.run("DELETE FROM sample WHERE outcome = 'lost'");
  return static_cast<std::uint64_t>(lost);
}

void ResultsFile::set_notes(const std::vector<std::string>& notes) {
  database_.run("DELETE FROM note");
  Statement add = database_.prepare("INSERT INTO note VALUES (?1, ?2)");
  for (std::size_t i = 0; i < notes.size(); ++i) {
    add.bind(1, std::uint64_t{i});
    add.bind(2, std::string_view(notes[i]));
    add.step();
    add.reset();
  }
}

std::vector<std::string> ResultsFile::notes() {
  std::vector<std::string> notes;
  Statement all = database_.prepare("SELECT text FROM note ORDER BY position");
  while (all.step()) notes.push_back(all.text(0));
  return notes;
}

std::uint64_t ResultsFile::count() {
  return static_cast<std::uint64_t>(database_.number("SELECT count(*) FROM sample"));
}

DoneSamples ResultsFile::done() {
  DoneSamples done(head_.shard);
  Statement all = database_.prepare("SELECT sample FROM sample ORDER BY sample");
  while (all.step()) {
    const auto index = static_cast<std::uint64_t>(all.integer(0));
    if (!head_.shard.has(index)) {
      throw bad_file(path(), fmt::format("is damaged: sample {} is not of its shard", index));
    }
    done.add(index);
  }
  return done;
}

Statement ResultsFile::select(const std::string& rest) {
  return database_.prepare(fmt::format("SELECT {} FROM sample {}", column_list(head_), rest));
}

SampleResult ResultsFile::row(const Statement& statement) const {
  SampleResult result;
  int column = 0;
  result.index = static_cast<std::uint64_t>(statement.integer(column++));
  result.seed = static_cast<std::uint64_t>(statement.integer(column++));
  result.outcome = outcome_from(statement.text(column++));
  result.code = static_cast<ExitCode>(statement.integer(column++));
  result.reason = statement.text(column++);
  result.failure = statement.text(column++);
  result.end = TimeUs(static_cast<std::uint64_t>(statement.integer(column++)));
  const std::string digest = statement.text(column++);
  if (!digest.empty()) result.digest = digest_from_hex(digest);
  result.spec_digest = digest_from_hex(statement.text(column++));
  for (std::size_t i = 0; i < head_.inputs.size(); ++i, ++column) {
    AppliedValue& value = result.applied.emplace_back();
    value.number = statement.number(column);
    if (!value.number) value.text = statement.text(column);
  }
  for (std::size_t i = 0; i < head_.expectations.size(); ++i) {
    result.margins.push_back(statement.number(column++));
  }
  for (std::size_t i = 0; i < head_.measures.size(); ++i) {
    result.measures.push_back(statement.number(column++));
  }
  return result;
}

std::optional<SampleResult> ResultsFile::sample(std::uint64_t index) {
  Statement one = select("WHERE sample = ?1");
  one.bind(1, index);
  if (!one.step()) return std::nullopt;
  return row(one);
}

void ResultsFile::for_each(const std::function<void(const SampleResult&)>& see) {
  Statement all = select("ORDER BY sample");
  while (all.step()) see(row(all));
}

Digest128 ResultsFile::content_digest() {
  Digest digest;
  digest.add(head_.campaign.high);
  digest.add(head_.campaign.low);
  for_each([&digest](const SampleResult& result) { add_to(digest, result); });
  return digest.result();
}

Campaign campaign_of(const Files& files, const ResultsFile& results) {
  const ResultsHead& head = results.head();
  if (head.version != kVersion) {
    throw bad_file(results.path(),
                   fmt::format("was flown by Tactus {}, this is {}: their flights differ",
                               head.version, kVersion));
  }
  Campaign campaign(files, {.text = head.campaign_text,
                            .file = head.file,
                            .samples = head.samples,
                            .explores = !head.search.empty(),
                            .resolved_spec = head.resolved_spec,
                            .attached = head.files});
  if (campaign.digest() == head.campaign) return campaign;
  throw bad_file(results.path(), "its campaign, read again, is another one; the file is damaged");
}

}  // namespace tactus::sweep
