# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tactus)
install(TARGETS tactus_floating_point tactus_simulation tactus_files tactus_recording tactus_link
                tactus tactus_sweep EXPORT tactusTargets)
install(TARGETS tactus_cli)
install(TARGETS tactus_conductor LIBRARY DESTINATION ${TACTUS_CONDUCTOR_FOLDER})
# Headers with documents of a JSON library are for our sources only.
install(DIRECTORY tactus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN "json_text.h" EXCLUDE PATTERN "flight_document.h" EXCLUDE)
# With the pages that the README links to.
install(FILES LICENSE README.md HACKING.md CONTRIBUTING.md CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES aircraft/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/aircraft)

# What `tactus run NAME` looks up.
install(DIRECTORY aircraft missions scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/tactus)

install(EXPORT tactusTargets NAMESPACE tactus:: DESTINATION ${package_dir})
configure_package_config_file(cmake/tactusConfig.cmake.in tactusConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(tactusConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES cmake/refuse_fast_math.cmake ${PROJECT_BINARY_DIR}/tactusConfig.cmake
              ${PROJECT_BINARY_DIR}/tactusConfigVersion.cmake DESTINATION ${package_dir})
