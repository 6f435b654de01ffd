// A file that tests on ranks write and read together.
#pragma once
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "zwalk/ranks/comm.hpp"

namespace zwalk::test {

/// A file that all ranks see, gone with the object.
struct SharedFile {
    Comm& comm;
    std::filesystem::path path;

    explicit SharedFile(Comm& c) : comm(c) {
        auto const process = comm.broadcast(std::int64_t(getpid()));
        path = std::filesystem::temp_directory_path() / ("zwalk_rank_index_" + std::to_string(process));
    }
    SharedFile(SharedFile const&) = delete;
    SharedFile& operator=(SharedFile const&) = delete;
    ~SharedFile() {
        comm.agree([] {});  // nobody reads any more
        std::error_code ignored;
        if (comm.rank() == 0) std::filesystem::remove(path, ignored);
    }
    [[nodiscard]] std::string bytes() const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(std::string const& bytes) const {
        comm.agree([&] {
            if (comm.rank() != 0) return;
            std::ofstream(path, std::ios::binary) << bytes;
        });
    }
};

}  // namespace zwalk::test
