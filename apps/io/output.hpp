// Outputs that appear whole or not at all.
//
// Everything is written under a temporary name on the same file system and renamed when it is
// complete. Errors remove the temporaries (destructors), and so do SIGINT, SIGTERM and SIGHUP.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace zwalk::io {

/// Makes SIGINT, SIGTERM and SIGHUP remove what is unfinished before they end the program.
void remove_unfinished_on_signals();

/// A file that is written front to back; every write and the close are checked.
class Writer {
  public:
    /// @throws Error  cannot create it
    explicit Writer(std::filesystem::path const& path);
    Writer(Writer const&) = delete;
    Writer& operator=(Writer const&) = delete;
    ~Writer();

    /// @throws Error  e.g. no space left on device
    void write(void const* data, std::size_t bytes);
    void write(std::string const& text) { write(text.data(), text.size()); }
    void close();

  private:
    std::filesystem::path path_;
    int file_ = -1;
};

/// A file with a size before it has content, which several processes write, each its part.
class SizedFile {
  public:
    /// Creates it: `head`, and what others will write.
    /// @throws Error  cannot create it
    static void create(std::filesystem::path const& path, std::string const& head, std::uint64_t size);

    /// Opens one that create() has made.
    /// @throws Error  it isn't there, or has another size
    SizedFile(std::filesystem::path const& path, std::uint64_t size);
    SizedFile(SizedFile const&) = delete;
    SizedFile& operator=(SizedFile const&) = delete;
    ~SizedFile();

    /// @throws Error  e.g. no space left on device
    void write(std::uint64_t at, void const* data, std::size_t bytes);
    void close();

  private:
    std::filesystem::path path_;
    int file_ = -1;
};

/// One output file: write to path(), then commit().
class OutputFile {
  public:
    /// @throws InputError  the file exists (and not `force`), or can't be replaced by a file
    OutputFile(std::filesystem::path const& target, bool force);
    OutputFile(OutputFile const&) = delete;
    OutputFile& operator=(OutputFile const&) = delete;
    ~OutputFile();

    [[nodiscard]] std::filesystem::path const& path() const { return temporary_; }
    void commit();

  private:
    std::filesystem::path target_, temporary_;
    std::size_t slot_;
};

/// A directory of output files: write each to file(name), then commit().
///
/// A new directory appears by one rename. In a directory that exists (empty, or `force`) the files
/// are renamed one by one, so what else is in it stays.
class OutputDirectory {
  public:
    /// @throws InputError  it exists and is not empty (and not `force`), or is no directory
    /// @throws Error       it can't be created
    OutputDirectory(std::filesystem::path const& target, bool force);
    OutputDirectory(OutputDirectory const&) = delete;
    OutputDirectory& operator=(OutputDirectory const&) = delete;
    ~OutputDirectory();

    /// Where to write the file that will be called `name`.
    std::filesystem::path file(std::string const& name);
    /// Where the file will be in the end.
    [[nodiscard]] std::filesystem::path final_path(std::string const& name) const {
        return target_ / name;
    }
    /// Where it is until then.
    [[nodiscard]] std::filesystem::path const& temporary() const { return temporary_; }
    [[nodiscard]] bool is_parent_of(std::filesystem::path const& path) const;
    /// Bytes in the files written so far.
    [[nodiscard]] std::uint64_t bytes() const;
    void commit();

  private:
    std::filesystem::path target_, temporary_;
    bool exists_ = false;
    std::vector<std::string> names_;
    std::vector<std::size_t> slots_;
};

/// An output file that may lie in the output directory, and then appears with it.
class SideFile {
  public:
    /// @param directory  null: there is none
    /// @throws InputError  as OutputFile
    SideFile(std::filesystem::path const& target, OutputDirectory* directory, bool force);

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }
    /// To be called when the directory has been committed.
    void commit();

  private:
    std::filesystem::path path_;
    std::unique_ptr<OutputFile> file_;  ///< none if it goes with the directory
};

}  // namespace zwalk::io
