// Radius search on MPI ranks: sorted over ranks, what is needed brought in, then the driver of one process.
#include <limits>
#include <numeric>
#include <optional>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/radius/radius_mpi.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/queries.hpp"
#include "zwalk/run/rank_lists.hpp"
#include "zwalk/run/rank_within.hpp"

namespace zwalk::inline v0::detail {
namespace {

/// Shows a user's object lists of rows of the input instead of a rank's numbers.
template <class T>
struct NamedRows {
    ListVisitor<T> visitor;
    index_t const* row;

    void operator()(index_t number, NearestFirst<T> const& list) const {
        visitor.call(visitor.object, row[number], list);
    }
};

/// A search. Members are collective.
template <class T>
class RadiusRanks {
  public:
    RadiusRanks(Comm& comm, Cpu const& cpu, RadiusOptions const& o, RadiusWork work,
                ListVisitor<T> const& visitor)
        : comm_(comm), cpu_(cpu), o_(o), work_(work), visitor_(visitor) {}

    RadiusOnRanks<T> run(RankInput<T> const& sources, Points<T> const* queries) {
        agree_on(comm_, {{"the radius", o_.radius},
                         {"exclude_self", o_.exclude_self},
                         {"distances", o_.distances},
                         {"order", int(o_.order)},
                         {"having queries", bool(queries)}});
        int const columns = comm_.attempt([&] {
            check_radius_options<T>(o_, bool(queries));
            if (queries) check_query_columns(queries->dim, sources.dim);
            return compiled_columns<Cpu>(CpuDims{}, sources.dim);
        });
        sources_.emplace(comm_, cpu_, sources, columns, o_.box, o_.tree, r_.stats);
        if (queries) queries_.emplace(*sources_, *queries, r_.stats);
        with_dim<void>(CpuDims{}, sources.dim, [&]<int D>() { find<D>(); });
        if (queries && o_.order == Order::z) r_.source_order = sources_->take_input_index();
        asking().hand_over(r_, o_.order, [&] { bring_home(); });
        return std::move(r_);
    }

  private:
    [[nodiscard]] RankPoints<T>& asking() { return queries_ ? *queries_ : *sources_; }

    template <int D>
    void find() {
        // A trait counts in 32 bits: more sources than that must all be brought in, which is checked.
        if (work_ == RadiusWork::count && sources_->size() <= std::numeric_limits<pos_t>::max()) {
            auto all = import_counted_within(asking(), *sources_, T(o_.radius));
            return search<D>(all, &all.known);
        }
        auto all = import_within(asking(), *sources_, T(o_.radius));
        search<D>(all, nullptr);
    }
    template <int D>
    void search(ImportedPoints<T>& all, KnownNodes<Empty> const* known) {
        sources_->drop_tree();
        asking().drop_tree();
        sources_->run_on(all.tree, [&](RunPoints<T, Cpu>& kept) {
            auto const names = sources_->names_of(all, o_.order);
            RadiusTask<T, Cpu> task{.options = o_, .work = work_, .visitor = visitor_};
            task.options.order = Order::z;
            // Nodes of others that came without points can't be told from those of a target by position; take() leaves the
            // point itself out.
            if (work_ == RadiusWork::count) task.options.exclude_self = false;
            NamedRows<T> const named{visitor_, asking().own().points.input_index.data()};
            if (visitor_ && o_.order == Order::input) task.visitor = make_list_visitor<T>(named);
            auto const queries = asking().own().points.points();
            if (queries_) task.queries = &queries;
            task.part = {queries_ ? TargetNodes{} : all.targets, asking().size_here(), names.data(),
                         known};
            Cpu place = cpu_;
            take(Instance<RadiusAlgorithm, D, T, Cpu>::run(place, kept, task));
        });
        asking().end_phase("walk");
    }
    void take(RadiusResult<T>&& found) {
        auto& counts = r_.stats.counts;
        counts.insert(counts.end(), found.stats.counts.begin(), found.stats.counts.end());
        r_.counts = std::move(found.counts);
        r_.offsets = std::move(found.offsets);
        r_.indices = std::move(found.indices);
        r_.distances = std::move(found.distances);
        r_.found = found.found;
        if (work_ != RadiusWork::count || !o_.exclude_self) return;
        for (index_t& n : r_.counts) --n;
        r_.found -= r_.counts.size();
    }
    void bring_home() {
        if (work_ == RadiusWork::count) {
            asking().bring_home(r_.counts);
            r_.found = std::accumulate(r_.counts.begin(), r_.counts.end(), size_type(0));
        } else if (work_ == RadiusWork::search) {
            auto lists = lists_home<T>(
                comm_, cpu_, asking().own().points.travel, asking().rows(),
                {std::move(r_.offsets), std::move(r_.indices), std::move(r_.distances)}, o_.distances);
            r_.offsets = std::move(lists.offsets);
            r_.indices = std::move(lists.rows);
            r_.distances = std::move(lists.distances);
            r_.found = r_.indices.size();
        }
    }

    Comm& comm_;
    Cpu const& cpu_;
    RadiusOptions const& o_;
    RadiusWork work_;
    ListVisitor<T> const& visitor_;
    std::optional<RankPoints<T>> sources_, queries_;
    RadiusOnRanks<T> r_;
};

}  // namespace

template <class T>
RadiusOnRanks<T> find_radius(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                             RadiusOptions const& o, Mpi const& mpi, Cpu const& cpu, RadiusWork work,
                             ListVisitor<T> const& visitor) {
    Comm comm(mpi);
    return RadiusRanks<T>(comm, cpu, o, work, visitor).run(sources, queries);
}

#define ZWALK_RADIUS_ON_RANKS(T)                                                                       \
    template RadiusOnRanks<T> find_radius(RankInput<T> const&, Points<T> const*, RadiusOptions const&, \
                                          Mpi const&, Cpu const&, RadiusWork, ListVisitor<T> const&);
ZWALK_RADIUS_ON_RANKS(float)
ZWALK_RADIUS_ON_RANKS(double)

}  // namespace zwalk::inline v0::detail
