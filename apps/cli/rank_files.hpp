// Files that ranks read and write together: each its own rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "../io/points.hpp"
#include "../io/table.hpp"
#include "zwalk/dist/comm.hpp"

namespace zwalk::apps {

/// This rank's part of the points of a file: of P ranks rank r has rows [N r / P, N (r + 1) / P). Collective; what is wrong
/// on one rank is the same exception on all.
io::PointSet read_own_points(Comm& comm, std::string const& path, io::ReadOptions options);

/// The same of queries, in the precision and with as many columns as `points` have; rank 0 prints notes on them.
/// @throws InputError  on all ranks: another number of columns
io::PointSet read_own_queries(Comm& comm, std::string const& path, io::ReadOptions options,
                              io::PointSet const& points, bool quiet);

/// The same of a file with one number for each of `rows` rows that all ranks have together, which are called `name`.
/// @throws InputError  on all ranks: another number of rows, or of columns
std::vector<double> read_own_column(Comm& comm, std::string const& path, std::string const& dataset,
                                    std::uint64_t rows, char const* name);

/// A directory of results (io::OutputDirectory), which rank 0 makes and puts in its place. Members are collective unless
/// they say otherwise.
class RankDirectory {
  public:
    /// @param target  empty: nothing is written but side files
    /// @throws InputError, Error  as OutputDirectory; some rank doesn't see what rank 0 has made
    RankDirectory(Comm& comm, std::string const& target, bool force);

    /// For what has to be agreed on between files.
    [[nodiscard]] Comm& comm() { return comm_; }
    /// An array of which each rank has consecutive rows, in the order of ranks. `shape` is that of this rank's.
    template <class T>
    void write_npy(std::string const& name, std::vector<std::uint64_t> shape, std::span<T const> values);
    /// A table (io/table.hpp) of which each rank has consecutive rows, in the order of ranks. All have the same columns.
    void write_npy_table(std::string const& name, io::Table const& own);
    void write_csv_table(std::string const& name, io::Table const& own);
    /// The same for HDF5, whose library one process writes with: rank 0 gets all rows.
    void write_hdf5_table(std::string const& name, std::string const& group, io::Table const& own);
    /// f(io::OutputDirectory&) on rank 0: files that it writes alone.
    template <class F>
    void write_by_first(F const& f) {
        comm_.agree([&] {
            if (directory_) f(*directory_);
        });
    }
    /// A file that appears with the directory (io::SideFile). @return where to write it, on all ranks
    /// @throws InputError  as SideFile
    std::string add_side_file(std::string const& target, bool force);
    /// Bytes in the files written so far. Rank 0's, and not collective.
    [[nodiscard]] std::uint64_t bytes() const;
    /// Rank 0's directory; others have none. Not collective.
    [[nodiscard]] io::OutputDirectory* of_first() { return directory_ ? &*directory_ : nullptr; }
    /// Not collective: for Comm::agree, when all ranks are through.
    void commit() {
        if (directory_) directory_->commit();
        for (SideFile& beside : beside_) beside.file.commit();
    }

  private:
    struct SideFile {
        io::SideFile file;
        bool in_directory;
    };
    /// Rows that are text, or bytes, behind a head that is the same on all ranks.
    void write_rows(std::string const& name, std::string const& head, std::string const& own);
    /// @param begin  where each rank's bytes are in the file, and its end
    void write(std::string const& name, std::string const& head, std::vector<std::uint64_t> const& begin,
               std::span<std::byte const> own);

    Comm& comm_;
    std::optional<io::OutputDirectory> directory_;
    std::vector<SideFile> beside_;  // of rank 0
};

template <class T>
void RankDirectory::write_npy(std::string const& name, std::vector<std::uint64_t> shape,
                              std::span<T const> values) {
    auto const step = comm_.step("write");
    auto begin = comm_.offsets(values.size_bytes());
    shape[0] = comm_.offsets(shape[0]).back();
    auto const head = comm_.agree([&] { return io::npy_header_of<T>(shape); });
    for (auto& b : begin) b += head.size();
    write(name, head, begin, std::as_bytes(values));
}

}  // namespace zwalk::apps
