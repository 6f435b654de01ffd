#include "zwalk/core/whole_file.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(fs::path const& path, std::string const& why) {
    throw Error(detail::text("cannot write '{}': {}", path.string(), why));
}

/// Unlike that of any other process or thread.
fs::path temporary_name(fs::path const& path) {
    static std::atomic<unsigned> files{0};
    return path.string() + detail::text(".tmp-{}-{}", getpid(), files++);
}

/// Removes a file unless it has been renamed.
struct Temporary {
    fs::path name;
    ~Temporary() {
        std::error_code ignored;
        fs::remove(name, ignored);
    }
};

}  // namespace

void write_whole_file(fs::path const& path, std::function<void(std::ostream&)> const& write) {
    Temporary const temporary{temporary_name(path)};
    std::ofstream file(temporary.name, std::ios::binary | std::ios::trunc);
    if (!file) cannot_write(path, std::strerror(errno));
    write(file);
    file.close();  // some file systems report a full disk only here
    if (!file) cannot_write(path, std::strerror(errno));
    std::error_code error;
    fs::rename(temporary.name, path, error);
    if (error) cannot_write(path, error.message());
}

void read_named_file(fs::path const& path, std::function<void(std::istream&)> const& read) {
    std::ifstream file(path, std::ios::binary);
    try {
        if (!file) throw InputError(std::strerror(errno));
        read(file);
    } catch (InputError const& error) {
        throw InputError(detail::text("cannot read '{}': {}", path.string(), error.what()));
    }
}

}}  // namespace zwalk::v0
