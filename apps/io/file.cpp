#include "file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "zwalk/core/error.hpp"

namespace zwalk::io {

namespace fs = std::filesystem;

std::string escaped(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (c == '\n') out += "\\n";
        else if (c == '\r') out += "\\r";
        else if (c == '\t') out += "\\t";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else out += c;
    }
    return out;
}

std::string quoted(fs::path const& path) { return fmt::format("'{}'", escaped(path.string())); }

bool is_standard_input(fs::path const& path) { return path == "-"; }

std::string name_of_input(fs::path const& path) {
    return is_standard_input(path) ? "the standard input" : quoted(path);
}

std::string extension_of(fs::path const& path) {
    std::string e = path.extension().string();
    std::transform(e.begin(), e.end(), e.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return e;
}

void check_input_file(fs::path const& path) {
    std::error_code ec;
    auto const status = fs::status(path, ec);
    if (ec) throw InputError(fmt::format("cannot read {}: {}", quoted(path), ec.message()));
    if (fs::is_directory(status))
        throw InputError(fmt::format("cannot read {}: it is a directory", quoted(path)));
    if (!fs::is_regular_file(status))
        throw InputError(fmt::format("cannot read {}: it is not a regular file", quoted(path)));
    auto const size = fs::file_size(path, ec);
    if (ec) throw InputError(fmt::format("cannot read {}: {}", quoted(path), ec.message()));
    if (size == 0) throw InputError(fmt::format("cannot read {}: the file is empty", quoted(path)));
}

InputFile::InputFile(fs::path const& path) : path_(path) {
    check_input_file(path);
    file_.reset(std::fopen(path.c_str(), "rb"));
    if (!file_) throw InputError(fmt::format("cannot read {}: {}", quoted(path), std::strerror(errno)));
    size_ = fs::file_size(path);
}

void InputFile::read(void* to, std::size_t bytes) {
    if (bytes == 0) return;
    if (std::fread(to, 1, bytes, file_.get()) != bytes) {
        if (std::ferror(file_.get()))
            throw Error(fmt::format("cannot read {}: {}", name(), std::strerror(errno)));
        throw InputError(fmt::format("{} is truncated: it ends after {} bytes", name(), size_));
    }
    position_ += bytes;
}

void InputFile::seek(std::uint64_t position) {
    if (fseeko(file_.get(), off_t(position), SEEK_SET) != 0)
        throw Error(fmt::format("cannot read {}: {}", name(), std::strerror(errno)));
    position_ = position;
}

}  // namespace zwalk::io
