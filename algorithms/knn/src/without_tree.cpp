// Queries of points that come with the call, answered without a tree.
#include <any>
#include <utility>

#include "algorithm.hpp"
#include "scan.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/knn/detail/scan_cost.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/planes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
std::optional<KnnResult<T>> KnnAlgorithm::without_tree(Cpu& cpu, Together<T, Cpu> const& all,
                                                       LengthUnit<T> const& unit, KnnAsked const& o) {
    if (!all.others || o.order == Order::z) return {};
    double const start = now_seconds();
    auto const &sources = all.points->points, &queries = all.others->points;
    NearestSearch const search{.k = o.k, .within = scaled_within(o.within, unit)};
    ScanTask<T> const task{
        .sources = sources,
        .targets = queries,
        .period = in_unit(checked_period_of_both(o.box, all.points->extent, all.extent), unit),
        .k = attainable_k(std::size_t(o.k), pos_t(sources.size)),
        .limit2 = search.limit2<T>()};
    ScanShape const shape{.sources = sources.size,
                          .queries = queries.size,
                          .dim = sources.dim,
                          .k = o.k,
                          .item_bytes = sizeof(T),
                          .threads = cpu.threads()};
    auto const near = [&] {
        double const share = share_near(task);
        return share < 0 ? usual_share(shape) : share;
    };
    if (!prefers_scan(shape, near)) return {};
    zwalk::check_options(o.tree);  // it makes no difference here, but is refused where there is a tree
    KnnResult<T> r;
    r.rows = queries.size;
    NearestRows<T> rows{std::size_t(o.k)};
    if (o.visitor.has_value()) {
        rows.visitor = in_unit<T, Cpu>(*std::any_cast<NeighbourVisitor<T> const*>(o.visitor), unit);
    } else {
        r.columns = rows.columns;
        r.indices = Buffer<index_t>(r.rows * r.columns);
        r.distances = Buffer<T>(r.rows * r.columns);
        rows.indices = r.indices.data();
        rows.distances = r.distances.data();
    }
    if (!scan_nearest(cpu, task, rows).all) return {};
    if (!unit.is_plain() && !o.visitor.has_value())
        Preparation<T, Cpu>::multiply(cpu, r.distances.data(), r.distances.size(), unit.unit());
    r.stats.seconds.emplace_back("scan", now_seconds() - start);
    r.stats.counts.emplace_back("scanned", 1);
    return r;
}

template std::optional<KnnResult<float>> KnnAlgorithm::without_tree(Cpu&, Together<float, Cpu> const&,
                                                                    LengthUnit<float> const&,
                                                                    KnnAsked const&);
template std::optional<KnnResult<double>> KnnAlgorithm::without_tree(Cpu&, Together<double, Cpu> const&,
                                                                     LengthUnit<double> const&,
                                                                     KnnAsked const&);

}}}  // namespace zwalk::v0::detail
