// Files that gzip has packed.
#pragma once
#include <filesystem>

#include "zwalk/core/buffer.hpp"

namespace zwalk::io {

/// What is in a .gz file.
/// @throws InputError  it isn't one, or is damaged; also when the program was built without zlib
Buffer<char> read_gzip(std::filesystem::path const& path);

}  // namespace zwalk::io
