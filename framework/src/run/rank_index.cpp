#include "zwalk/run/rank_index.hpp"

#include <unistd.h>

#include <string>

#include "compiled_dims.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/ranks/rank_tree_file.hpp"
#include "zwalk/run/rank_points.hpp"
#include "zwalk/tree/copy_tree.hpp"

namespace zwalk { inline namespace v0 {

using namespace detail;

template <class T>
RankIndex<T>::RankIndex(Mpi const& mpi, Cpu const& cpu) : mpi_(mpi), cpu_(cpu) {}
template <class T>
RankIndex<T>::RankIndex(RankIndex&&) noexcept = default;
template <class T>
RankIndex<T>& RankIndex<T>::operator=(RankIndex&&) noexcept = default;
template <class T>
RankIndex<T>::~RankIndex() = default;

template <class T>
RankIndex<T>::RankIndex(Points<T> local, IndexOptions const& options, Mpi const& mpi, Cpu const& cpu)
    : RankIndex(mpi, cpu) {
    Comm comm(mpi);
    int const columns = comm.agree([&] {
        kept_ = std::make_unique<KeptRankPoints<T>>();
        return compiled_columns<Cpu>(CpuDims{}, local.dim);
    });
    RankPoints<T> points(comm, cpu_, local, columns, options.box, options.tree, stats_);
    *kept_ = std::move(points).take();
    comm.agree([&] { stats_.steps = comm.stats(); });
}

template <class T>
std::uint64_t RankIndex<T>::size() const {
    return kept_->own.points.ranks.size();
}

template <class T>
std::size_t RankIndex<T>::rows() const {
    return kept_->rows;
}
template <class T>
int RankIndex<T>::dim() const {
    return kept_->prepared.dim;
}
template <class T>
std::span<index_t const> RankIndex<T>::z_order() const {
    return kept_->own.points.input_index;
}

template <class T>
std::vector<double> RankIndex<T>::box() const {
    return lengths_of_box(kept_->prepared.period, kept_->prepared.unit);
}

template <class T>
void RankIndex<T>::write(std::filesystem::path const& path) const {
    Comm comm(mpi_);
    auto const lengths = comm.agree([&] { return box(); });
    auto const& unit = kept_->prepared.unit;
    Tree<T, Cpu> in_unit_of_input;
    if (!unit.is_plain())
        comm.agree([&] {
            Cpu cpu = cpu_;
            in_unit_of_input = copy_tree(cpu, cpu, kept_->own.tree);
            multiply(cpu, in_unit_of_input, unit.unit());
        });
    write_tree(comm, cpu_, kept_->own.points, unit.is_plain() ? kept_->own.tree : in_unit_of_input,
               lengths, kept_->prepared.options, path);
}

template <class T>
void RankIndex<T>::save(std::filesystem::path const& path) const {
    Comm comm(mpi_);
    auto const process = comm.broadcast(std::int64_t(getpid()));
    auto const temporary = comm.agree(
        [&] { return std::filesystem::path(path.string() + detail::text(".tmp-{}", process)); });
    write(temporary);
    comm.agree([&] {
        if (comm.rank() != 0) return;
        std::error_code error, ignored;
        std::filesystem::rename(temporary, path, error);
        if (!error) return;
        std::filesystem::remove(temporary, ignored);
        throw Error(detail::text("cannot write '{}': {}", path.string(), error.message()));
    });
}

template <class T>
RankIndex<T> RankIndex<T>::load(std::filesystem::path const& path, Mpi const& mpi, Cpu const& cpu) {
    Comm comm(mpi);
    RankIndex index(mpi, cpu);
    RunPhases<Cpu const> phases(index.cpu_);
    TreeHeader header;
    auto points = read_tree<T>(comm, path, header);
    auto const own = points.points();
    auto extent = find_extent(comm, cpu, own);
    comm.agree([&] {
        index.stats_.seconds.reserve(2);
        phases.end(index.stats_, "load");
        index.kept_ = std::make_unique<KeptRankPoints<T>>();
        auto& kept = *index.kept_;
        check_span(extent.lo.data(), extent.hi.data(), header.dim);
        kept.prepared.largest = largest_of(extent);
        kept.prepared.unit = unit_for(kept.prepared.largest);
        auto const& unit = kept.prepared.unit;
        if (!unit.is_plain())
            cpu.for_each(points.rows.size(), MultiplyAll<T>{points.rows.data(), unit.inverse()});
        kept.prepared.dim = header.dim;
        kept.prepared.period = in_unit(checked_period(header.box, extent), unit);
        kept.prepared.extent = std::move(extent);
        kept.prepared.options = header.options;
        kept.rows = points.travel.row.size();
        kept.own = make_rank_tree(cpu, std::move(points), compiled_columns<Cpu>(CpuDims{}, header.dim),
                                  header.options);
        phases.end(index.stats_, "planes");
        index.stats_.steps = comm.stats();
    });
    return index;
}

template class RankIndex<float>;
template class RankIndex<double>;

}}  // namespace zwalk::v0
