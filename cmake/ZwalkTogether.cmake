# Builds from nothing compile files together that instantiate much of the same: half to nine tenths of the time that they take one by one
# (docs/notes/compile-time.md).
# For builds that change, this is off: a change to one file would compile all of its group again.
#
# CMAKE_UNITY_BUILD asks for it. Only what was tried together is joined, whatever a parent project has: files of one group share
# their unnamed namespaces.
set(ZWALK_TOGETHER ${CMAKE_UNITY_BUILD})
set(CMAKE_UNITY_BUILD OFF)

# zwalk_together(TARGET GROUP SOURCE...): these files are compiled as one; by their full paths, if the target is another folder's. CMake
# leaves out those with options or include folders of their own.
function(zwalk_together target group)
    if(ZWALK_TOGETHER)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
        set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
        # To g++ what is included is a header, where unnamed namespaces would be a mistake.
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
    endif()
endfunction()
