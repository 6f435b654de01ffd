#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "file.hpp"
#include "unfinished.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannot_write(fs::path const& path, int error) {
    throw Error(fmt::format("cannot write {}: {}", quoted(path), std::strerror(error)));
}

/// "out/" and "out" name the same directory; links are followed so that they stay links.
fs::path resolved(fs::path path) {
    if (!path.has_filename() && path.has_parent_path()) path = path.parent_path();
    std::error_code ec;
    fs::path full = fs::weakly_canonical(path, ec);
    return ec ? path : full;
}

std::string temporary_suffix() { return fmt::format(".tmp-{}", getpid()); }

void rename_checked(fs::path const& from, fs::path const& to) {
    std::error_code ec;
    fs::rename(from, to, ec);
    if (ec) cannot_write(to, ec.value());
}

/// The final path for messages about a temporary one.
fs::path without_suffix(fs::path const& path) {
    std::string s = path.string();
    if (auto const at = s.rfind(temporary_suffix()); at != s.npos)
        s.erase(at, temporary_suffix().size());
    return fs::path(s).lexically_normal();  // "dir//file" where the suffix was a name
}

/// Calls write_some(first byte, bytes) until all bytes are written: it writes some of them, and returns how many.
template <class WriteSome>
void write_all(fs::path const& path, void const* data, std::size_t bytes, WriteSome const& write_some) {
    auto const* p = static_cast<char const*>(data);
    while (bytes > 0) {
        ssize_t const n = write_some(p, std::min(bytes, std::size_t(1) << 30));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) cannot_write(without_suffix(path), errno);
        p += n;
        bytes -= std::size_t(n);
    }
}

/// Some file systems report a full disk only here.
void close_checked(fs::path const& path, int& file) {
    if (::close(std::exchange(file, -1)) != 0) cannot_write(without_suffix(path), errno);
}

}  // namespace

Writer::Writer(fs::path const& path) : path_(path) {
    file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) cannot_write(without_suffix(path_), errno);
}

Writer::~Writer() {
    if (file_ >= 0) ::close(file_);
}

void Writer::write(void const* data, std::size_t bytes) {
    write_all(path_, data, bytes,
              [&](char const* from, std::size_t n) { return ::write(file_, from, n); });
}

void Writer::close() { close_checked(path_, file_); }

void SizedFile::create(fs::path const& path, std::string const& head, std::uint64_t size) {
    Writer out(path);
    out.write(head);
    out.close();
    if (::truncate(path.c_str(), off_t(size)) != 0) cannot_write(without_suffix(path), errno);
}

SizedFile::SizedFile(fs::path const& path, std::uint64_t size) : path_(path) {
    file_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) cannot_write(without_suffix(path_), errno);
    if (std::error_code ec; fs::file_size(path_, ec) == size && !ec) return;
    ::close(file_);
    throw Error(fmt::format("cannot write {}: its size isn't the one that it was made with",
                            quoted(without_suffix(path_))));
}

SizedFile::~SizedFile() {
    if (file_ >= 0) ::close(file_);
}

void SizedFile::write(std::uint64_t at, void const* data, std::size_t bytes) {
    write_all(path_, data, bytes, [&](char const* from, std::size_t n) {
        auto const offset = at + std::uint64_t(from - static_cast<char const*>(data));
        return ::pwrite(file_, from, n, off_t(offset));
    });
}

void SizedFile::close() { close_checked(path_, file_); }

OutputFile::OutputFile(fs::path const& target, bool force)
    : target_(resolved(target)), temporary_(target_.string() + temporary_suffix()) {
    std::error_code ec;
    auto const status = fs::status(target_, ec);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw InputError(fmt::format("cannot write {}: it is {}", quoted(target),
                                     fs::is_directory(status) ? "a directory" : "no regular file"));
    if (fs::exists(status) && !force)
        throw InputError(fmt::format("{} exists; --force replaces it", quoted(target)));
    slot_ = unfinished::add(temporary_.c_str(), false);
    try {
        Writer(temporary_).close();  // fails now, not after the work
    } catch (...) {
        unfinished::drop(slot_);
        throw;
    }
}

OutputFile::~OutputFile() { unfinished::remove(slot_); }

void OutputFile::commit() {
    unfinished::Hold const hold;
    rename_checked(temporary_, target_);
    unfinished::drop(slot_);
}

OutputDirectory::OutputDirectory(fs::path const& target, bool force) : target_(resolved(target)) {
    std::error_code ec;
    auto const status = fs::status(target_, ec);
    exists_ = fs::exists(status);
    if (exists_ && !fs::is_directory(status))
        throw InputError(fmt::format("cannot write {}: it is no directory", quoted(target)));
    if (exists_ && !force && !fs::is_empty(target_, ec) && !ec)
        throw InputError(fmt::format(
            "{} exists and is not empty; --force replaces the files that zwalk writes", quoted(target)));
    // Inside a directory that exists (it may be a mount point), beside one that does not.
    temporary_ = exists_ ? target_ / "" : target_;
    temporary_ += temporary_suffix();
    slots_.push_back(unfinished::add(temporary_.c_str(), true));
    fs::create_directory(temporary_, ec);
    if (ec) {
        unfinished::drop(slots_[0]);
        cannot_write(target, ec.value());
    }
}

OutputDirectory::~OutputDirectory() {
    // Files were added after their directory, and go before it.
    for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot) unfinished::remove(*slot);
}

fs::path OutputDirectory::file(std::string const& name) {
    fs::path const path = temporary_ / name;
    names_.push_back(name);
    slots_.push_back(unfinished::add(path.c_str(), false));
    return path;
}

bool OutputDirectory::is_parent_of(fs::path const& path) const {
    return resolved(path).parent_path() == target_;
}

std::uint64_t OutputDirectory::bytes() const {
    std::uint64_t sum = 0;
    for (auto const& name : names_) {
        std::error_code ec;
        auto const size = fs::file_size(temporary_ / name, ec);
        if (!ec) sum += size;
    }
    return sum;
}

void OutputDirectory::commit() {
    unfinished::Hold const hold;
    if (exists_) {
        for (auto const& name : names_) rename_checked(temporary_ / name, target_ / name);
    } else {
        rename_checked(temporary_, target_);
        for (auto slot : slots_) unfinished::drop(slot);
    }
}

SideFile::SideFile(fs::path const& target, OutputDirectory* directory, bool force) {
    if (directory && directory->is_parent_of(target)) {
        path_ = directory->file(target.filename().string());
    } else {
        file_ = std::make_unique<OutputFile>(target, force);
        path_ = file_->path();
    }
}

void SideFile::commit() {
    if (file_) file_->commit();
}

}  // namespace zwalk::io
