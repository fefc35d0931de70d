// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// An SQLite file: statements with values, and errors that say what to do. SQLite's header is
// included by database.cpp alone.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace tactus::sweep {

/// `name` in double quotes, as a name of a column.
std::string sql_name(std::string_view name);

class Statement {
 public:
  /// Positions count from 1.
  void bind(int position, std::int64_t value);
  void bind(int position, std::uint64_t value);
  void bind(int position, double value);
  void bind(int position, std::string_view text);
  void bind(int position, const std::optional<double>& value);
  void bind_null(int position);

  /// True: there is a row. Throws Error, as all that follow.
  bool step();
  /// For the next use; the values stay bound.
  void reset();

  /// Columns of the row count from 0.
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::optional<double> number(int column) const;
  [[nodiscard]] bool is_text(int column) const;

 private:
  friend class Database;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(class Database& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}

  class Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

class Database {
 public:
  enum class Access : std::uint8_t {
    kRead,    ///< it must exist; what a killed writer left is put in order if this user may
    kWrite,   ///< it must exist
    kCreate,  ///< made if it does not
  };

  /// Throws Error(kEnvironment), or kBadInput for a file that is something else.
  Database(std::string path, Access access);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Statement prepare(std::string_view sql);
  /// Statements without values.
  void run(const std::string& sql);
  /// The one number of a statement.
  [[nodiscard]] std::int64_t number(std::string_view sql);

 private:
  friend class Statement;
  struct Closer {
    void operator()(sqlite3* database) const;
  };
  void check(int code);
  [[noreturn]] void fail(int code);

  std::string path_;
  std::unique_ptr<sqlite3, Closer> database_;
};

}  // namespace tactus::sweep
