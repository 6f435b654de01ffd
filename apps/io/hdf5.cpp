#include "hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "file.hpp"
#include "hdf5_source.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

/// The names of a snapshot's files, which differ by a number.
class FileNames {
  public:
    explicit FileNames(std::filesystem::path const& path) : folder_(path.parent_path()) {
        std::string const name = path.filename().string(), zero = ".0" + path.extension().string();
        auto const star = name.find('*');
        std::error_code ec;
        if (star != name.npos && !std::filesystem::exists(path, ec)) {
            starred_ = numbered_ = true;
            before_ = name.substr(0, star);
            after_ = name.substr(star + 1);
        } else if (name.ends_with(zero)) {
            numbered_ = true;
            after_ = path.extension().string();
            before_ = name.substr(0, name.size() - after_.size() - 1);
        } else {
            after_ = name;
        }
    }
    [[nodiscard]] std::filesystem::path file(std::size_t i) const {
        return folder_ / (before_ + (numbered_ ? std::to_string(i) : "") + after_);
    }
    /// How many there are, by the header of the first.
    [[nodiscard]] std::size_t count(hid_t first) const {
        std::size_t const n = numbered_ ? files_of_snapshot(first) : 1;
        if (starred_ && n == 1)
            throw InputError(
                fmt::format("{}: its Header/NumFilesPerSnapshot names no further files: give it by this "
                            "name, without *",
                            quoted(file(0))));
        return n;
    }

  private:
    std::filesystem::path folder_;
    std::string before_, after_;
    bool starred_ = false, numbered_ = false;
};

/// What is in one of several files. A file has no group of a kind of particles of which it has none.
FileRows rows_in(std::filesystem::path const& path, ReadOptions const& options) {
    auto const group = group_of(options.dataset);
    if (group.find_first_not_of('/') != group.npos && !hdf5_path_exists(open_hdf5_file(path), group))
        return {};
    Hdf5Source const source(path, options);
    return {source.rows(), source.item_bytes()};
}

bool has_particles(FileRows const& file) { return file.item_bytes > 0; }

/// What is in each of the files. One file alone has the particles, and so has one at least of several.
std::vector<FileRows> rows_of_all(FileNames const& names, hid_t header, ReadOptions const& options) {
    std::size_t const count = names.count(header);
    std::vector<FileRows> files;
    for (std::size_t i = 0; i < count && count > 1; ++i)
        files.push_back(rows_in(names.file(i), options));
    if (std::none_of(files.begin(), files.end(), has_particles)) {
        Hdf5Source const first(names.file(0), options);  // or the error that it throws
        files.assign(1, {first.rows(), first.item_bytes()});
    }
    return files;
}

std::size_t first_with_particles(std::vector<FileRows> const& files) {
    auto const first = std::find_if(files.begin(), files.end(), has_particles);
    return first == files.end() ? 0 : std::size_t(first - files.begin());
}

/// Notes on which files were read, and on numbers of two precisions.
void note_files(FileNames const& names, hid_t header, std::vector<FileRows> const& files,
                ReadOptions const& options, PointSet& set) {
    auto const name = quoted(names.file(0));
    if (auto const count = files_of_snapshot(header); count > 1)
        set.notes.push_back(
            files.size() > 1
                ? fmt::format("{} is the first of {} files of a snapshot; all of them are read", name,
                              count)
                : fmt::format("{} is one of {} files of a snapshot; only its own points are read (the "
                              "first, NAME.0.hdf5, stands for all)",
                              name, count));
    std::size_t const first = first_with_particles(files);
    auto const other = std::find_if(files.begin(), files.end(), [&](FileRows const& f) {
        return has_particles(f) && f.item_bytes != files[first].item_bytes;
    });
    if (other == files.end() || options.precision) return;
    bool const single = files[first].item_bytes == 4;
    set.notes.push_back(fmt::format("{} is {}, but {} is {}, in which all are read{}",
                                    quoted(names.file(std::size_t(other - files.begin()))),
                                    single ? "float64" : "float32", quoted(names.file(first)),
                                    single ? "float32" : "float64",
                                    single ? " (rounded; --precision f8 keeps all digits)" : ""));
}

/// Rows of the part that the options name, from the files that have them.
template <class T>
Buffer<T> read_rows(FileNames const& names, Hdf5Source const& first, std::size_t number_of_first,
                    ReadOptions const& options, std::vector<FileRows> const& files,
                    std::uint64_t total) {
    std::uint64_t const begin = options.part.begin(total), end = options.part.end(total),
                        columns = first.columns();
    Buffer<T> rows((end - begin) * columns);
    std::uint64_t file_begin = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        std::uint64_t const file_end = file_begin + files[i].rows;
        std::uint64_t const from = std::max(begin, file_begin), to = std::min(end, file_end);
        auto const read = [&](Hdf5Source const& source) {
            if (source.columns() != columns || source.rows() != files[i].rows)
                throw InputError(fmt::format("{} has shape ({}, {}), but ({}, {}) is expected",
                                             source.where(), source.rows(), source.columns(),
                                             files[i].rows, columns));
            source.read(from - file_begin, to - from, rows.data() + (from - begin) * columns);
        };
        if (from < to && i == number_of_first) read(first);
        else if (from < to) read(Hdf5Source(names.file(i), options));
        file_begin = file_end;
    }
    return rows;
}

}  // namespace

std::vector<FileRows> rows_of_hdf5_files(std::filesystem::path const& path, ReadOptions const& options) {
    FileNames const names(path);
    return rows_of_all(names, open_hdf5_file(names.file(0)), options);
}

PointSet read_hdf5_points(std::filesystem::path const& path, ReadOptions const& options) {
    FileNames const names(path);
    Handle const header = open_hdf5_file(names.file(0));
    auto const files =
        options.rows_of_files.empty() ? rows_of_all(names, header, options) : options.rows_of_files;
    std::size_t const number = first_with_particles(files);
    Hdf5Source const first(names.file(number), options);
    PointSet set;
    for (FileRows const& file : files) set.total += file.rows;
    set.size = options.part.end(set.total) - options.part.begin(set.total);
    set.dim = int(first.columns());
    set.stored_as = first.item_bytes() == 4 ? "float32" : "float64";
    if (options.precision.value_or(first.item_bytes() == 4 ? Precision::f4 : Precision::f8) ==
        Precision::f4)
        set.rows = read_rows<float>(names, first, number, options, files, set.total);
    else set.rows = read_rows<double>(names, first, number, options, files, set.total);
    for (std::size_t i = 0; i < files.size() && options.part.index == 0; ++i)
        set.file_bytes += std::filesystem::file_size(names.file(i));
    auto box = box_of_header(header, quoted(names.file(0)), set.dim);
    set.box = std::move(box.lengths);
    set.box_note = std::move(box.note);
    note_files(names, header, files, options, set);
    return set;
}

}  // namespace zwalk::io
