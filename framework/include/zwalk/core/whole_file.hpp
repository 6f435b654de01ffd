// A file that appears whole or not at all.
#pragma once
#include <filesystem>
#include <functional>
#include <iosfwd>

namespace zwalk { inline namespace v0 {

/// Calls write(stream) on a binary file under a temporary name beside `path`, and renames it when
/// all is written; a file of that name is replaced. Errors, also those that `write` throws, leave
/// nothing behind.
/// @throws Error  it can't be created, written or renamed
void write_whole_file(std::filesystem::path const& path,
                      std::function<void(std::ostream&)> const& write);

}}  // namespace zwalk::v0
