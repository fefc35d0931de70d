// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/results/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"

namespace tactus::sweep {
namespace {

/// Readers of a file that is written to have to wait for a commit, and a commit for readers.
constexpr int kLongestWait_ms = 30'000;

int flags_of(Database::Access access) {
  return access == Database::Access::kCreate ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                             : SQLITE_OPEN_READWRITE;
}

/// What is wrong and what to do about it.
std::string advice_of(int code, const char* says) {
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another program is using it; wait until it is done, or choose another --output";
    case SQLITE_NOTADB: return "is no SQLite database";
    case SQLITE_CORRUPT:
      return fmt::format(
          "is damaged ({}); `sqlite3 FILE .recover` saves what can be read; start "
          "again with another --output",
          says);
    case SQLITE_FULL:
      return "there is no room left on the disk; what was committed is kept: make room and go on "
             "with --resume";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
      return fmt::format(
          "cannot be written to or read ({}); look at the rights of the file and of "
          "its folder",
          says);
    case SQLITE_IOERR:
      return fmt::format(
          "{}; what was committed is kept: look at the disk (is it full?) and go on "
          "with --resume",
          says);
    default: return says;
  }
}

}  // namespace

std::string sql_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::bind(int position, std::int64_t value) {
  database_->check(sqlite3_bind_int64(statement_.get(), position, value));
}

void Statement::bind(int position, std::uint64_t value) {
  TACTUS_ASSERT(value >> 63U == 0, "integers of a table have a sign");
  bind(position, static_cast<std::int64_t>(value));
}

void Statement::bind(int position, double value) {
  database_->check(sqlite3_bind_double(statement_.get(), position, value));
}

void Statement::bind(int position, std::string_view text) {
  database_->check(sqlite3_bind_text64(statement_.get(), position, text.data(), text.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind(int position, const std::optional<double>& value) {
  value ? bind(position, *value) : bind_null(position);
}

void Statement::bind_null(int position) {
  database_->check(sqlite3_bind_null(statement_.get(), position));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

/// What went wrong was reported by step().
void Statement::reset() { sqlite3_reset(statement_.get()); }

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

std::optional<double> Statement::number(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_double(statement_.get(), column);
}

bool Statement::is_text(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT;
}

void Database::Closer::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(std::string path, Access access) : path_(std::move(path)) {
  constexpr std::uintmax_t kHeader = 100;  // what is shorter SQLite takes for a new one
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path_, ignored);
  if (exists && !std::filesystem::is_regular_file(path_, ignored)) {
    throw Error(ExitCode::kBadInput, fmt::format("{}: is no plain file", path_));
  }
  const std::uintmax_t size = exists ? std::filesystem::file_size(path_, ignored) : 0;
  if (size > 0 && size < kHeader) {
    throw Error(ExitCode::kBadInput, fmt::format("{}: is no SQLite database", path_));
  }
  sqlite3* opened = nullptr;
  int code = sqlite3_open_v2(path_.c_str(), &opened, flags_of(access), nullptr);
  database_.reset(opened);
  if (opened == nullptr) throw Error(ExitCode::kEnvironment, "out of memory");
  const bool may_not_write = (code & 0xFF) == SQLITE_CANTOPEN || (code & 0xFF) == SQLITE_READONLY;
  if (may_not_write && access == Access::kRead) {
    code = sqlite3_open_v2(path_.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(opened);
  }
  check(code);
  sqlite3_busy_timeout(opened, kLongestWait_ms);
}

Statement Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  return {*this, statement};
}

void Database::run(const std::string& sql) {
  check(sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t Database::number(std::string_view sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Database::check(int code) {
  if (code != SQLITE_OK) fail(code);
}

void Database::fail(int code) {
  const std::string message =
      fmt::format("{}: {}", path_, advice_of(code, sqlite3_errmsg(database_.get())));
  throw Error((code & 0xFF) == SQLITE_NOTADB ? ExitCode::kBadInput : ExitCode::kEnvironment,
              message);
}

}  // namespace tactus::sweep
