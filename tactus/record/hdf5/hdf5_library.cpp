// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/hdf5_library.h"

#include <hdf5.h>

#include <algorithm>
#include <string_view>

namespace tactus::hdf5 {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

std::recursive_mutex& mutex() {
  static std::recursive_mutex instance;
  return instance;
}

herr_t deepest_text(unsigned, const H5E_error2_t* error, void* out) {
  auto& text = *static_cast<std::string*>(out);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

}  // namespace

Call::Call() : lock_(mutex()) {
  // Everything is closed by its owner. What could not be, because its file was truncated or the
  // memory is used up, would be closed again at the exit of the program, and crash there.
  static const herr_t without_exit_handler = H5dont_atexit();
  (void)without_exit_handler;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle::~Handle() {
  if (id_ >= 0) H5Idec_ref(id_);
}

std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, deepest_text, &text);
  const std::string_view mark = "error message = '";
  const std::size_t begin = text.find(mark);
  if (begin == std::string::npos) return text.empty() ? "no reason given" : text;
  const std::size_t from = begin + mark.size();
  return text.substr(from, text.find('\'', from) - from);
}

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  // Some file systems cannot lock; a lock only guards against our own mistakes.
  H5Pset_file_locking(access.get(), true, true);
  // A reader of a file that is being written looks again where a checksum is wrong, and waits twice
  // as long each time, from 1 ns on: the library's 100 times would not end on a damaged file.
  H5Pset_metadata_read_attempts(access.get(), 16);
  return Handle(access.release());
}

Handle type_of(FieldKind kind, std::size_t width) {
  switch (kind) {
    case FieldKind::kReal: return Handle(H5Tcopy(H5T_IEEE_F64LE));
    case FieldKind::kBool:
    case FieldKind::kU8: return Handle(H5Tcopy(H5T_STD_U8LE));
    case FieldKind::kI32: return Handle(H5Tcopy(H5T_STD_I32LE));
    case FieldKind::kU32: return Handle(H5Tcopy(H5T_STD_U32LE));
    case FieldKind::kU64: return Handle(H5Tcopy(H5T_STD_U64LE));
    case FieldKind::kText: break;
  }
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), std::max<std::size_t>(width, 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return Handle(type.release());
}

}  // namespace tactus::hdf5

// The library loses a few hundred bytes each time it meets a damaged file, which is not ours to
// mend; builds with the address sanitizer look this function up by its name.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
