// A file that appears whole or not at all, and one whose refusals name it.
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

/// Calls read(stream) on a binary file.
/// @throws InputError  it can't be opened; and what `read` throws as such, behind the name of the file
void read_named_file(std::filesystem::path const& path, std::function<void(std::istream&)> const& read);

}}  // namespace zwalk::v0
