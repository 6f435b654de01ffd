// Stands in for gzip.cpp in builds without zlib.
#include "file.hpp"
#include "gzip.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {

Buffer<char> read_gzip(std::filesystem::path const& path) {
    check_input_file(path);
    throw InputError(
        "cannot read " + quoted(path) +
        ": this build has no zlib (configure with -DZWALK_ZLIB=ON, or unpack it: gzip -dk)");
}

}  // namespace zwalk::io
