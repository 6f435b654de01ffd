#include "zwalk/run/queries.hpp"

#include <algorithm>

#include "zwalk/core/clock.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/tree/targets.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

void check_query_columns(int queries, int points) {
    if (queries != points)
        throw InputError(
            detail::text("queries have {} columns, but the points have {}", queries, points));
}

template <class T>
void sort_queries(Cpu const& cpu, Queries<T, Cpu>& queries) {
    double const start = now_seconds();
    queries.order = z_sort(cpu, queries.points);
    queries.sorting = now_seconds() - start;
}

template <class T>
Tree<T, Cpu> tree_of_queries(Cpu const& cpu, Points<T> queries, std::span<pos_t const> part,
                             PreparedPoints<T, Cpu> const& sources) {
    auto const dim = std::size_t(queries.dim);
    auto rows = cpu.buffer<T>(part.size() * dim);
    cpu.for_each(part.size(), [&](std::size_t i) {
        std::copy_n(queries.data + part[i] * dim, dim, rows.data() + i * dim);
    });
    return build_targets(cpu, Points<T>(rows.data(), part.size(), queries.dim), sources.tree,
                         sources.options, nullptr, true);
}

#define ZWALK_QUERIES(T)                                                                 \
    template void sort_queries(Cpu const&, Queries<T, Cpu>&);                            \
    template Tree<T, Cpu> tree_of_queries(Cpu const&, Points<T>, std::span<pos_t const>, \
                                          PreparedPoints<T, Cpu> const&);
ZWALK_QUERIES(float)
ZWALK_QUERIES(double)

}}}  // namespace zwalk::v0::detail
