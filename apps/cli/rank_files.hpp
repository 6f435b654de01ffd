// Files that ranks read and write together: each its own rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "../io/points.hpp"
#include "../io/table.hpp"
#include "zwalk/ranks/comm.hpp"

namespace zwalk::apps {

/// This rank's part of the points of a file: of P ranks rank r has rows [N r / P, N (r + 1) / P). Collective; what is wrong
/// on one rank is the same exception on all.
io::PointSet read_own_points(Comm& comm, std::string const& path, io::ReadOptions options);

/// A directory of results (io::OutputDirectory), which rank 0 makes and puts in its place. Members are collective unless
/// noted otherwise.
class RankDirectory {
  public:
    /// @param target  empty: nothing is written but side files
    /// @throws InputError, Error  as OutputDirectory; some rank doesn't see what rank 0 has made
    RankDirectory(Comm& comm, std::string const& target, bool force);

    /// For what has to be agreed on between files.
    [[nodiscard]] Comm& comm() { return comm_; }
    template <class F>
    auto agree(F const& f) {
        return comm_.agree(f);
    }
    /// The sum of such numbers of lower ranks.
    [[nodiscard]] std::uint64_t before(std::uint64_t own) {
        return comm_.offsets(own)[std::size_t(comm_.rank())];
    }
    /// Whether no other rank's rows come behind this one's. Not collective.
    [[nodiscard]] bool is_last() const { return comm_.rank() + 1 == comm_.size(); }
    /// An array of which each rank has consecutive rows of `columns` columns (0: of one dimension), in the order of ranks.
    template <class T>
    void write(std::string const& name, Buffer<T> const& own, std::size_t columns = 0);
    /// A table (io/table.hpp) of which each rank has consecutive rows, in the order of ranks. All have the same columns.
    void write_table(std::string const& name, io::Table const& own, std::string const& group);
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
    /// HDF5's library writes with one process: rank 0 gets all rows.
    void write_hdf5_table(std::string const& name, std::string const& group, io::Table const& own);

    Comm& comm_;
    std::optional<io::OutputDirectory> directory_;
    std::vector<SideFile> beside_;  // of rank 0
};

/// A file of which each rank has consecutive bytes, in the order of ranks, behind a head. Ranks write it together, in as many pieces
/// as they like. Members are collective.
class RankFile {
  public:
    /// Makes it.
    /// @param begin  where behind the head the bytes of each rank begin, and the end: as Comm::offsets()
    RankFile(RankDirectory& directory, std::string const& name, std::string const& head,
             std::vector<std::uint64_t> begin);
    /// @param at  the number of the first one among this rank's bytes
    void write(std::uint64_t at, std::span<std::byte const> own);
    /// Writes all of this rank's bytes in one piece, so that no positions are needed.
    void write_all(std::span<std::byte const> own);

  private:
    /// @param first  where in the file the piece of each rank begins
    void write(std::uint64_t const* first, std::span<std::byte const> own);

    Comm& comm_;
    std::string path_;
    std::vector<std::uint64_t> begin_;  // where each rank's bytes are in the file, and its end
    std::vector<std::uint64_t> from_;   // where each rank begins to write
};

/// A file of an array, of which each rank has consecutive rows, which come batch by batch. Members are collective.
template <class T>
class RankArray {
  public:
    /// @param shape  of this rank's rows, in all
    RankArray(RankDirectory& directory, std::string const& name, std::vector<std::uint64_t> shape)
        : comm_(directory.comm()), row_bytes_(sizeof(T)) {
        auto const step = comm_.step("write");
        for (std::size_t i = 1; i < shape.size(); ++i) row_bytes_ *= shape[i];
        auto begin = comm_.offsets(shape[0]);
        shape[0] = begin.back();
        auto const head = comm_.agree([&] { return io::npy_header_of<T>(shape); });
        for (auto& b : begin) b *= row_bytes_;
        file_.emplace(directory, name, head, std::move(begin));
    }
    /// @param first  the number of the first row among this rank's
    void write(std::uint64_t first, std::span<T const> values) {
        auto const step = comm_.step("write");
        file_->write(first * row_bytes_, std::as_bytes(values));
    }
    /// All of this rank's rows.
    void write_all(std::span<T const> values) {
        auto const step = comm_.step("write");
        file_->write_all(std::as_bytes(values));
    }

  private:
    Comm& comm_;
    std::uint64_t row_bytes_;
    std::optional<RankFile> file_;
};

template <class T>
void RankDirectory::write(std::string const& name, Buffer<T> const& own, std::size_t columns) {
    std::vector<std::uint64_t> shape{own.size()};
    if (columns > 0) shape = {own.size() / columns, columns};
    RankArray<T>(*this, name, std::move(shape)).write_all(own);
}

}  // namespace zwalk::apps
