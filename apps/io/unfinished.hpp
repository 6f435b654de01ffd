// The list of temporaries that must not outlive the program. Fixed memory, because a signal handler
// reads it.
#pragma once
#include <cstddef>

namespace zwalk::io::unfinished {

/// Puts a path on the list before it is created. @return its slot
std::size_t add(char const* path, bool is_directory);
/// Takes it off the list: it is finished, or never came to be.
void drop(std::size_t slot);
/// Removes it from the disk, if it is there, and from the list.
void remove(std::size_t slot);

/// While one exists, signals wait: renaming is not interrupted half-way.
class Hold {
  public:
    Hold();
    Hold(Hold const&) = delete;
    Hold& operator=(Hold const&) = delete;
    ~Hold();
};

}  // namespace zwalk::io::unfinished
