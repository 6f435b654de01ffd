// A file beside a command's results, that an index or a model writes.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

namespace zwalk::apps {

/// Calls write(stream) on the file that add_side_file() gave; `name` is what it will be called.
/// @throws Error  it can't be written
void write_side_file(std::string const& path, std::string const& name,
                     std::function<void(std::ostream&)> const& write);

}  // namespace zwalk::apps
