# Build rules that every folder shares: flags, one library per folder, one test binary per folder.
include_guard(GLOBAL)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CURLEW_CCACHE ccache)
if(CURLEW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Relative paths, so that clones in other folders share what was compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}"
      CCACHE_NOHASHDIR=1 "${CURLEW_CCACHE}")
endif()

# A comma-separated list for -fsanitize=, such as "address,undefined" or "thread".
set(CURLEW_SANITIZE "" CACHE STRING "Sanitizers to build with")

# Scores must come out equal to Lucene's, which never fuses a multiplication with an addition.
# g++ 12 reports overlapping copies inside std::string that cannot happen (its bug 105651).
add_compile_options(-Wall -Wextra -Werror -Wno-restrict -ffp-contract=off)
if(CURLEW_SANITIZE)
  add_compile_options(-fsanitize=${CURLEW_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=undefined)
  # g++ 12 warns of uninitialised reads that its own instrumentation introduces.
  add_compile_options(-Wno-maybe-uninitialized)
  add_link_options(-fsanitize=${CURLEW_SANITIZE})
endif()
find_program(CURLEW_LLD ld.lld)
if(CURLEW_LLD)
  add_link_options(-fuse-ld=lld)
endif()

# curlew_library(NAME SOURCES file... [DEPS target...])
# A static library whose includes start at the repository root.
function(curlew_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
endfunction()

# curlew_count_bits(TARGET): for code whose inner loops count bits and shuffle bytes: the level of
# instructions that x86 processors have had since 2009. The server says so when it starts on less.
function(curlew_count_bits target)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(${target} PRIVATE -march=x86-64-v2)
  endif()
endfunction()

# curlew_binary(NAME SOURCES file... [DEPS target...]): a program in build/<preset>/bin.
function(curlew_binary name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
endfunction()

# The test binaries of the label "engine", which use threads: all that a ThreadSanitizer run builds.
add_custom_target(engine_tests)

# curlew_test(NAME SOURCES file... [DEPS target...] [LABELS label...])
# A Catch2 binary whose every TEST_CASE is a test of ctest. The label "engine" is for tests of the
# engine that use threads: it puts them into the ThreadSanitizer run as well.
function(curlew_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} curlew_test_main)
  target_compile_definitions(${name} PRIVATE CURLEW_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(CURLEW_SANITIZE)
    # Optimising instrumented test code takes longer than running it does.
    target_compile_options(${name} PRIVATE -O0)
  endif()
  set(properties TIMEOUT 600)
  if("engine" IN_LIST ARG_LABELS)
    add_dependencies(engine_tests ${name})
  endif()
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  catch_discover_tests(${name} TEST_PREFIX "${name}: " DISCOVERY_MODE PRE_TEST
                       PROPERTIES ${properties})
endfunction()
