// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// What writing and reading files of HDF5 share: the library's calls, its handles and types. Its own
// header stays in the sources.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "tactus/record/table.h"

namespace tactus::hdf5 {

/// One call of the library at a time, and silently: its error stack is printed unless each thread
/// says otherwise.
class Call {
 public:
  Call();

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

/// Closes what the library hands out.
class Handle {
 public:
  explicit Handle(std::int64_t id) : id_(id) {}
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] bool ok() const { return id_ >= 0; }
  [[nodiscard]] std::int64_t get() const { return id_; }
  std::int64_t release() { return std::exchange(id_, -1); }

 private:
  std::int64_t id_;
};

/// What the operating system reported, or else the library's own message.
std::string reason();

/// How files are opened.
Handle file_access();

/// A type of the file.
Handle type_of(FieldKind kind, std::size_t width);

}  // namespace tactus::hdf5
