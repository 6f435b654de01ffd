// Points that are kept: what zwalk.KDTree stands on.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bind.hpp"
#include "kept.hpp"
#include "neighbours.hpp"
#include "pairs.hpp"
#include "shared_ints.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/run/queries.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

/// The least coordinate on each axis, and the largest one; none in open space.
template <class T>
nb::tuple extent_of(Index<T> const& index) {
    auto const& extent = index.points().extent;
    auto const dim = std::size_t(index.points().period.empty() ? 0 : index.dim());
    return nb::make_tuple(std::vector<T>(extent.lo.begin(), extent.lo.begin() + dim),
                          std::vector<T>(extent.hi.begin(), extent.hi.begin() + dim));
}

/// Pairs (i, j > i) that a search meets, kept by the thread that meets them: one walk, and no lists of both directions.
template <class T>
class CollectPairs {
  public:
    /// Thrown where threads have met more than `most` together.
    struct TooMany {};

    explicit CollectPairs(std::size_t most) : most_(most) {}

    void operator()(index_t row, NearestFirst<T> const& list) const {
        Part& part = parts_.local();
        std::size_t const before = part.partners.size();
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list.index(i) > row) part.partners.push_back(list.index(i));
        std::size_t const count = part.partners.size() - before;
        part.rows.push_back({row, count});
        if (met_.fetch_add(count, std::memory_order_relaxed) + count > most_) throw TooMany();
    }

    /// One behind the other, those with the least i first, and of these the nearest.
    [[nodiscard]] Buffer<index_t> pairs(std::size_t points, Cpu const& cpu) const {
        std::vector<std::size_t> begin(points + 1);
        std::vector<Part const*> parts;
        for (Part const& part : parts_) {
            parts.push_back(&part);
            for (auto const& [row, count] : part.rows) begin[std::size_t(row) + 1] = count;
        }
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        Buffer<index_t> all(2 * begin[points]);
        cpu.for_each(parts.size(), [&](std::size_t p) {
            index_t const* partner = parts[p]->partners.data();
            for (auto const& [row, count] : parts[p]->rows) {
                index_t* to = all.data() + 2 * begin[std::size_t(row)];
                for (index_t const* const end = partner + count; partner != end; ++partner) {
                    *to++ = row;
                    *to++ = *partner;
                }
            }
        });
        return all;
    }

  private:
    struct Part {
        std::vector<index_t> partners;
        std::vector<std::pair<index_t, std::size_t>> rows;  // and how many partners each has
    };
    std::size_t most_;
    mutable std::atomic<std::size_t> met_ = 0;
    mutable tbb::enumerable_thread_specific<Part> parts_;
};

/// An array of pairs, or None if there are more than `most`.
template <class T>
nb::object pairs_within(Index<T> const& index, double radius, std::size_t most) {
    auto pairs = run(heavy(index.size(), 8), [&]() -> std::optional<Buffer<index_t>> {
        CollectPairs<T> const collect(most);
        try {
            radius_visit(index, collect, {.radius = radius});
        } catch (typename CollectPairs<T>::TooMany const&) {
            return std::nullopt;
        }
        return collect.pairs(index.size(), index.place().apart());
    });
    if (!pairs) return nb::none();
    std::size_t const n = pairs->size() / 2;
    return to_numpy(std::move(*pairs), {n, 2});
}

/// What few rows have within a radius, or within one of their own, as lists; None if they are too many for a search of each by itself,
/// or one of them finds much.
template <class T>
nb::object few_lists(Index<T> const& index, PointArray<T> const& rows, Radius const& radius,
                     bool by_index) {
    auto const all = view<T>(rows);
    zwalk::detail::RadiusAsked asked;
    set_radius(radius, asked);
    asked.distances = false;
    auto const found = run(heavy(all.size * std::size_t(all.dim), 16),
                           [&] { return zwalk::detail::search_few<T>(index, all, asked); });
    if (!found) return nb::none();
    SharedInts ints(index.size());
    auto const row = [&](std::size_t i) {
        index_t const* const indices = found->indices.data();
        return std::pair(indices + found->offsets[i], indices + found->offsets[i + 1]);
    };
    return lists_of_rows(all.size, row, ints, by_index);
}

/// Whether all rows are inside a box that begins at `begin` and has those lengths; 0: an open axis.
template <class T>
bool lie_inside(PointArray<T> const& rows, Column<T> const& begin, Column<T> const& length) {
    std::size_t const dim = rows.shape(1);
    for (std::size_t i = 0; i < rows.shape(0); ++i)
        for (std::size_t axis = 0; axis < dim; ++axis) {
            T const least = begin.data()[axis], side = length.data()[axis],
                    x = rows.data()[i * dim + axis];
            if (side != 0 && !(x >= least && x - least <= side)) return false;
        }
    return true;
}

/// Refuses queries that aren't finite or don't fit into the box, before any are searched for.
template <class T>
void check_queries(Index<T> const& index, PointArray<T> const& queries) {
    run(false, [&] {
        zwalk::detail::check_query_columns(int(queries.shape(1)), index.dim());
        auto const& points = index.points();
        auto const asked = zwalk::detail::Preparation<T, Cpu>::bring(
            index.place().apart(), view<T>(queries), "queries", !points.period.empty());
        zwalk::detail::check_fit(points, asked.extent, asked.largest, "queries");
        return 0;
    });
}

template <class T>
void bind(nb::module_& m, char const* name) {
    using I = Index<T>;
    nb::class_<I> index(m, name);
    index
        .def_static(
            "build",
            [](PointArray<T> const& points, Box const& box, int threads, std::uint64_t memory_budget) {
                return run(heavy(points.shape(0)), [&] {
                    return at_rest(I(view<T>(points), {.box = box}, Cpu(threads, memory_budget)));
                });
            },
            "points"_a.noconvert(), "box"_a, "threads"_a, "memory_budget"_a)
        .def_prop_ro("size", &I::size)
        .def_prop_ro("dim", &I::dim)
        .def_prop_ro("box", &I::box)
        .def("data", &data_of<T>)
        .def("extent", &extent_of<T>)
        .def("few_lists", &few_lists<T>, "rows"_a.noconvert(), "radius"_a, "by_index"_a)
        .def("check_queries", &check_queries<T>, "queries"_a.noconvert())
        .def("pairs_within", &pairs_within<T>);
    def(m, "lie_inside", &lie_inside<T>);
    bind_files(index);
    FunctionsOf<I>::template bind<Knn, RadiusLists, RadiusCounts, Pairs>(index);
}

}  // namespace

void bind_index(nb::module_& m) {
    bind<float>(m, "Index32");
    bind<double>(m, "Index64");
    m.def("index_item_bytes", [](std::string const& path) { return index_item_bytes(path); });
}

}  // namespace zwalk::python
