// An index on MPI ranks: points that are sorted over them once, for any number of calls. In the library zwalk::mpi.
//
//   zwalk::RankIndex const index(own_rows, {.box = {1}}, zwalk::Mpi{});
//   auto const groups = zwalk::fof(index, {.linking_length = 0.02});
//   index.save("points.index");                                           // for any number of ranks, or one process
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/detail/rank_call.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk { inline namespace v0 {

/// Points of all ranks that are ready for algorithms. Each rank has a range of their z-order, and passes rows of the input.
/// It holds copies of the coordinates, so the input may go.
///
/// Results are those of a call with the points, bit for bit. Members but size() and the like, and all calls, are collective.
template <class T>
class RankIndex {
  public:
    using real = T;

    /// Sorts the points of all ranks, of which each passes its own rows (any number, also none).
    /// Memory of a rank: N/P (2 D sizeof(T) + 20) bytes and a tenth for nodes, where D is the compiled dimension.
    /// @param mpi, cpu  the ranks, whose communicator must outlive the index, and the threads of this rank: of calls, too
    /// @throws InputError  on all ranks: as Index(); ranks disagree on the box
    RankIndex(Points<T> local, IndexOptions const& options, Mpi const& mpi, Cpu const& cpu = Cpu());

    RankIndex(RankIndex&&) noexcept;
    RankIndex& operator=(RankIndex&&) noexcept;
    ~RankIndex();

    [[nodiscard]] std::uint64_t size() const;  ///< N, of all ranks
    [[nodiscard]] std::size_t rows() const;    ///< rows of the input that this rank passes
    [[nodiscard]] int dim() const;             ///< columns of the points
    /// One period per axis, 0 on open ones; empty in open space.
    [[nodiscard]] std::vector<double> box() const;
    /// The rows of the input, of all ranks, that this rank's points are, in z-order.
    [[nodiscard]] std::span<index_t const> z_order() const;
    /// The statistics of making or loading it, on this rank, with what was sent.
    [[nodiscard]] Stats const& stats() const { return stats_; }

    /// Writes the file that Index<T>::save() writes of all points, byte for byte, with a part from each rank. It appears whole
    /// or not at all, and replaces one that exists.
    ///
    /// Nodes are cut on rank 0, which needs 7 bytes of memory for each point of all for that.
    /// @throws InputError  on all ranks: more than 2^31 - 256 points
    /// @throws Error       on all ranks: it can't be written; some rank doesn't see what rank 0 has begun; memory
    void save(std::filesystem::path const& path) const;
    /// Writes the same bytes as save(), into a file that may be left behind unfinished if the program is killed: for callers
    /// that rename it.
    void write(std::filesystem::path const& path) const;

    /// The index in a file that any number of ranks or one process has saved. Rank r of P passes rows
    /// [N r / P, N (r + 1) / P) of its input.
    /// @throws InputError  on all ranks: as Index<T>::load()
    static RankIndex load(std::filesystem::path const& path, Mpi const& mpi, Cpu const& cpu = Cpu());

    [[nodiscard]] Mpi const& mpi() const { return mpi_; }
    /// The threads of this rank. Between calls it may get others: index.cpu() = Cpu(4).
    [[nodiscard]] Cpu const& cpu() const { return cpu_; }
    [[nodiscard]] Cpu& cpu() { return cpu_; }
    /// The points, for algorithms, which leave them as they are.
    [[nodiscard]] detail::KeptRankPoints<T>& kept() const { return *kept_; }

  private:
    RankIndex(Mpi const& mpi, Cpu const& cpu);

    Mpi mpi_;
    Cpu cpu_;
    std::unique_ptr<detail::KeptRankPoints<T>> kept_;  // lends its tree to drivers
    Stats stats_;
};

template <PointRows Rows>
RankIndex(Rows const&, IndexOptions const&, Mpi const&, Cpu const& = Cpu()) -> RankIndex<RealOf<Rows>>;

extern template class RankIndex<float>;
extern template class RankIndex<double>;

}}  // namespace zwalk::v0
