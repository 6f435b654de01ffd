// A directory for one test, and small helpers to fill it.
#pragma once
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace zwalk::tests {

class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "zwalk-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    TemporaryDirectory(TemporaryDirectory const&) = delete;
    TemporaryDirectory& operator=(TemporaryDirectory const&) = delete;
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }

    std::filesystem::path operator/(std::string const& name) const { return path_ / name; }
    [[nodiscard]] std::size_t entries() const {
        std::size_t n = 0;
        for (auto const& e : std::filesystem::directory_iterator(path_)) n += e.exists();
        return n;
    }
    /// Writes a file and returns its path.
    std::filesystem::path file(std::string const& name, std::string const& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path_ / name;
    }

  private:
    std::filesystem::path path_;
};

inline std::string content_of(std::filesystem::path const& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace zwalk::tests
