// A file that is read: the checks that every format needs, once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace zwalk::io {

/// Text of a user's as it may stand in a message, which is one line and leaves terminals alone: control characters as \r or \x1b.
std::string escaped(std::string_view text);

/// A path as it appears in messages: 'data/points.npy'.
std::string quoted(std::filesystem::path const& path);

/// The name of an input: "-" stands for the standard input.
bool is_standard_input(std::filesystem::path const& path);
/// The name of an input as it appears in messages.
std::string name_of_input(std::filesystem::path const& path);

/// Lower-case extension with its dot: ".npy".
std::string extension_of(std::filesystem::path const& path);

/// Checks that the path names a readable, regular file that is not empty.
/// @throws InputError
void check_input_file(std::filesystem::path const& path);

/// An open input file of known size.
class InputFile {
  public:
    /// @throws InputError  missing, a directory, unreadable or empty
    explicit InputFile(std::filesystem::path const& path);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] std::string name() const { return quoted(path_); }

    /// Reads exactly `bytes` bytes.
    /// @throws InputError  the file ends before that
    void read(void* to, std::size_t bytes);
    /// The next byte to read is this one.
    void seek(std::uint64_t position);

  private:
    struct Close {
        void operator()(std::FILE* f) const { std::fclose(f); }
    };
    std::filesystem::path path_;
    std::unique_ptr<std::FILE, Close> file_;
    std::uint64_t size_ = 0, position_ = 0;
};

}  // namespace zwalk::io
