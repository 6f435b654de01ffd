// fof() on MPI ranks: groups of each rank by the driver of one process, then links between them.
#include <algorithm>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "rank_catalogue.hpp"
#include "zwalk/dist/shared_groups.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0 {
namespace detail {
namespace {

/// The least row of a group, or of a part of it.
struct LeastRow {
    index_t row = std::numeric_limits<index_t>::max();

    void join(LeastRow const& o) { row = std::min(row, o.row); }
};

template <class T>
class FofRanks {
  public:
    FofRanks(Comm& comm, Cpu const& cpu, FofOptions const& o) : comm_(comm), cpu_(cpu), o_(o) {}

    /// @param catalogue  null: none is made
    FofWithCatalogue run(Points<T> local, CatalogueOptions<T> const* catalogue) {
        agree_on(comm_, {{"the linking length", o_.linking_length}, {"order", int(o_.order)}});
        int const columns = comm_.agree([&] {
            FofAlgorithm::check<T>(o_, local.size);
            if (catalogue && !catalogue->box.empty() && catalogue->box != o_.box)
                throw InputError("the catalogue has another box than the groups");
            return compiled_columns<Cpu>(CpuDims{}, local.dim);
        });
        Beside beside;
        if (catalogue) beside = check_catalogue_options(comm_, cpu_, local, *catalogue);
        RankPoints<T> points(comm_, cpu_, local, columns, o_.box, FofAlgorithm::tree_options<Cpu>(o_),
                             r_.stats);
        with_dim<void>(CpuDims{}, local.dim, [&]<int D>() { find<D>(points); });
        auto& sorted = points.own().points;
        label(sorted.input_index);
        points.end_phase("labels");
        if (catalogue) {
            RankGroups<T> const groups{sorted, points.period(), points.extent(), root_, shared_};
            r_.catalogue = make_catalogue(comm_, cpu_, groups, *catalogue, beside);
            points.end_phase("catalogue");
        }
        points.hand_over(r_, o_.order, [&] { points.bring_home(r_.labels); });
        return std::move(r_);
    }

  private:
    template <int D>
    void find(RankPoints<T>& points) {
        auto all = points.import_for(Fof<D, T>(T(o_.linking_length)));
        points.own().tree = {};
        first_ = all.first;
        own_ = pos_t(all.from[std::size_t(comm_.rank()) + 1]) - first_;
        base_ = points.ranks().positions_before(comm_.rank());
        points.run_on(all.tree, [&](RunPoints<T, Cpu>& kept) {
            FofOptions here = o_;
            here.order = Order::z;
            Cpu place = cpu_;
            root_ = Instance<FofAlgorithm, D, T, Cpu>::run(place, kept, here).root;
        });
        points.end_phase("walk");
        auto const names = settle_links(comm_, links_of(all));
        auto parts = comm_.agree([&] {
            keep_own_roots();
            return join_own_parts(names, base_, root_);
        });
        shared_ = SharedGroups(comm_, points.ranks(), std::move(parts));
        points.end_phase("links");
    }

    /// The name of an own group: the position of its first own point among all points.
    [[nodiscard]] std::uint64_t name_of(pos_t own_position) const {
        return base_ + (root_[first_ + own_position] - first_);
    }

    /// Links between own groups and points of higher ranks, by the names that these ranks have for their groups. As all
    /// points that were brought in are behind the own ones, a group that has own points has an own root.
    template <class Imported>
    std::vector<GroupLink> links_of(Imported const& all) {
        auto const out = comm_.agree([&] {
            Parts<GroupLink> found;
            std::vector<GroupLink> links;
            for (std::size_t r = 0; r + 1 < all.from.size(); ++r) {
                found.begin.push_back(links.size());
                if (r == std::size_t(comm_.rank())) continue;
                for (auto i = all.from[r]; i < all.from[r + 1]; ++i)
                    if (pos_t const root = root_[i]; root < first_ + own_)
                        links.push_back({base_ + (root - first_), all.position[i]});
            }
            found.begin.push_back(links.size());
            found.records = Buffer<GroupLink>(links.size());
            std::copy(links.begin(), links.end(), found.records.begin());
            return found;
        });
        auto const in = comm_.exchange(out);
        return comm_.agree([&] {
            std::vector<GroupLink> links(in.records.begin(), in.records.end());
            for (GroupLink& link : links) link.b = name_of(pos_t(link.b));
            return links;
        });
    }

    /// Forgets all roots but those of own points, which are own points.
    void keep_own_roots() {
        Buffer<pos_t> own(own_);
        cpu_.for_each(own_, [&](std::size_t i) { own[i] = root_[first_ + i] - first_; });
        root_ = std::move(own);
    }

    /// The least row of each group becomes the label of its points. A group counts where its first point is.
    void label(Buffer<index_t> const& input_index) {
        Buffer<LeastRow> least, of_parts;  // of own groups, at their roots; of those that span ranks
        comm_.agree([&] {
            r_.labels = Buffer<index_t>(own_);
            least = Buffer<LeastRow>(own_);
            std::fill(least.begin(), least.end(), LeastRow{});
            for (pos_t i = 0; i < own_; ++i) least[root_[i]].join({input_index[i]});
            of_parts = Buffer<LeastRow>(shared_.parts().size());
            for (std::size_t i = 0; i < of_parts.size(); ++i)
                of_parts[i] = least[shared_.parts()[i].root];
        });
        shared_.join(comm_, std::span<LeastRow>(of_parts));
        auto const groups = comm_.agree([&] {
            std::uint64_t first_points = 0;
            for (pos_t i = 0; i < own_; ++i) first_points += root_[i] == i;
            for (std::size_t i = 0; i < of_parts.size(); ++i) {
                auto const [group, root] = shared_.parts()[i];
                least[root] = of_parts[i];
                first_points -= group != base_ + root;
            }
            cpu_.for_each(own_, [&](std::size_t i) { r_.labels[i] = least[root_[i]].row; });
            return first_points;
        });
        r_.groups = comm_.reduce_all(groups, std::plus<>());
    }

    Comm& comm_;
    Cpu const& cpu_;
    FofOptions const& o_;
    Buffer<pos_t> root_;  // of all points here, by position; then of own ones, by own position
    pos_t first_ = 0, own_ = 0;
    std::uint64_t base_ = 0;  // number of the first own point among all points
    SharedGroups shared_;
    FofWithCatalogue r_;
};

}  // namespace
}  // namespace detail

template <class T>
FofOnRanks fof(Points<T> local, FofOptions const& options, Mpi const& mpi, Cpu const& cpu) {
    Comm comm(mpi);
    return detail::FofRanks<T>(comm, cpu, options).run(local, nullptr);
}
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cpu const& cpu) {
    Comm comm(mpi);
    return detail::FofRanks<T>(comm, cpu, options).run(local, &catalogue);
}

template FofOnRanks fof(Points<float>, FofOptions const&, Mpi const&, Cpu const&);
template FofOnRanks fof(Points<double>, FofOptions const&, Mpi const&, Cpu const&);
template FofWithCatalogue fof_with_catalogue(Points<float>, FofOptions const&,
                                             CatalogueOptions<float> const&, Mpi const&, Cpu const&);
template FofWithCatalogue fof_with_catalogue(Points<double>, FofOptions const&,
                                             CatalogueOptions<double> const&, Mpi const&, Cpu const&);

}  // namespace zwalk::inline v0
