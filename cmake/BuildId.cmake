# Writes the header with the build's identity: $CURLEW_BUILD, or the commit of SOURCE with a mark
# when files differ from it, or "unknown". Runs in every build; the file changes only when it says
# something else, so that nothing is built again for it.
#   cmake -DSOURCE=DIR -DOUT=FILE -P BuildId.cmake
cmake_minimum_required(VERSION 3.25)
set(id "$ENV{CURLEW_BUILD}")
find_package(Git QUIET)
if(NOT id AND GIT_FOUND)
  # --exclude: the commit, also where there are tags.
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE}" describe --always --abbrev=12
                          --exclude=* --dirty
                  OUTPUT_VARIABLE id OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT id)
  set(id "unknown")
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define CURLEW_BUILD \"@id@\"\n" @ONLY)
