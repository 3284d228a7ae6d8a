# find_package(setwise) defines the targets setwise::setwise (shared) and setwise::static.
get_filename_component(_setwise_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
find_path(_setwise_include setwise.h PATHS "${_setwise_lib}/../include" NO_DEFAULT_PATH)
if(NOT _setwise_include)
  find_path(_setwise_include setwise.h REQUIRED)
endif()
if(NOT TARGET setwise::static)
  if(NOT WIN32)
    find_package(Threads REQUIRED)
  endif()
  # The system libraries that Rust's standard library needs.
  if(WIN32)
    set(_setwise_system ws2_32 ntdll userenv bcrypt)
  else()
    set(_setwise_system Threads::Threads ${CMAKE_DL_LIBS} m)
  endif()
  add_library(setwise::static STATIC IMPORTED)
  set_target_properties(setwise::static PROPERTIES
    IMPORTED_LOCATION "${_setwise_lib}/libsetwise.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_setwise_include}"
    INTERFACE_LINK_LIBRARIES "${_setwise_system}")
  if(EXISTS "${_setwise_lib}/libsetwise.so")
    add_library(setwise::setwise SHARED IMPORTED)
    set_target_properties(setwise::setwise PROPERTIES
      IMPORTED_LOCATION "${_setwise_lib}/libsetwise.so"
      INTERFACE_INCLUDE_DIRECTORIES "${_setwise_include}")
  else()
    add_library(setwise::setwise ALIAS setwise::static)
  endif()
endif()
