#include "side_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "zwalk/core/error.hpp"

namespace zwalk::apps {

void write_side_file(std::string const& path, std::string const& name,
                     std::function<void(std::ostream&)> const& write) {
    std::ofstream out(path, std::ios::binary);
    if (out) write(out);
    out.close();
    if (!out) throw Error(fmt::format("cannot write '{}': {}", name, std::strerror(errno)));
}

}  // namespace zwalk::apps
