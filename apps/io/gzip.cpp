#include "gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include "file.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {

Buffer<char> read_gzip(std::filesystem::path const& path) {
    check_input_file(path);
    struct Close {
        void operator()(gzFile_s* file) const { gzclose(file); }
    };
    std::unique_ptr<gzFile_s, Close> const file(gzopen(path.c_str(), "rb"));
    if (!file) throw InputError(fmt::format("cannot read {}: {}", quoted(path), std::strerror(errno)));
    constexpr unsigned piece = 1U << 20;
    std::vector<char> all;
    for (int got = 1; got > 0;) {
        std::size_t const have = all.size();
        all.resize(have + piece);
        got = gzread(file.get(), all.data() + have, piece);
        all.resize(have + std::size_t(std::max(got, 0)));
        // zlib hands on what isn't packed as it is.
        if (gzdirect(file.get()))
            throw InputError(fmt::format("{} is not packed by gzip", quoted(path)));
        int error = Z_OK;  // also at an end that comes too early, where gzread() just ends
        (void)gzerror(file.get(), &error);
        if (got < 0 || error != Z_OK)
            throw InputError(fmt::format("cannot read {}: it is truncated or damaged", quoted(path)));
    }
    if (all.empty()) throw InputError(fmt::format("{} holds no numbers", quoted(path)));
    Buffer<char> text(all.size());
    std::copy(all.begin(), all.end(), text.begin());
    return text;
}

}  // namespace zwalk::io
