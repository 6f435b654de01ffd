// What temporary files without a name take on disk.
#pragma once
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace test {

/// Bytes of those that this process has open in a directory. On Linux.
inline double bytes_of_unnamed_files(std::filesystem::path const& directory) {
    std::string const begin = std::filesystem::canonical(directory).string() + "/";
    double bytes = 0;
    for (auto const& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        auto const name = std::filesystem::read_symlink(entry, gone).string();
        struct stat of {};
        if (!gone && name.starts_with(begin) && stat(entry.path().c_str(), &of) == 0)
            bytes += double(of.st_blocks) * 512;
    }
    return bytes;
}

}  // namespace test
