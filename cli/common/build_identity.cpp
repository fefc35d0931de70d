// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cli/common/build_identity.h"

#include "cli/common/commit.h"

namespace tactus::cli {
namespace {

#if defined(__clang__)
constexpr char kCompiler[] = "clang++ " __clang_version__;
#else
constexpr char kCompiler[] = "g++ " __VERSION__;
#endif

}  // namespace

BuildIdentity build_identity() { return {kCommit, kCompiler}; }

}  // namespace tactus::cli
