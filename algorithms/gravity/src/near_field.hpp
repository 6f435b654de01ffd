// The sources of gravity on one place, and what they do to the points: the points themselves or, in a periodic box, with images. On
// ranks: rank_near_field.hpp.
//
//   NearField<order, Points> near(points, options, trait, carried)
//                                  of the masses carried(n), in units, of n rows of the input
//   near.walk(trait)          (c)  Felt: accelerations and potentials, by position
//   near.far()                     the pull of each point beside that: in a periodic box of what is too far to be an image
//   extent_to_measure(points, options)
//                                  the length that unit_of_length() is of
//
// (c): collective, on ranks, as the constructor is.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithm.hpp"
#include "far_field.hpp"
#include "images.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/call_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T, class P>
struct Felt {
    ArrayOn<P, Vec<3, T>> acceleration;
    ArrayOn<P, T> potential;
};

/// The largest extent of a tree's points, by its coarsest plane.
template <class T, class P>
double extent_of(P& place, Tree<T, P> const& tree) {
    auto const top = tree.template plane<3>(tree.planes.size() - 1);
    std::vector<T> lo(top.nodes), hi(top.nodes);
    double most = 0;
    for (int j = 0; j < 3; ++j) {
        place.download(lo.data(), top.lo_from(j, 0), lo.size());
        place.download(hi.data(), top.hi_from(j, 0), hi.size());
        most = std::max(most, double(*std::max_element(hi.begin(), hi.end())) -
                                  double(*std::min_element(lo.begin(), lo.end())));
    }
    return most;
}
template <class T, class P>
double extent_to_measure(CallPoints<T, P>& points, GravityOptions const& o) {
    if (points.size() == 0) return 0;
    if (is_periodic(o)) return double(points.period()[0]);
    return extent_of(points.place(), points.prepared().tree);
}

template <int order, class Points>
class NearField;

template <int order, class T, class P>
class NearField<order, CallPoints<T, P>> {
    using Points = CallPoints<T, P>;

  public:
    template <class Carried>
    NearField(Points& points, GravityOptions const& o, Gravity<order, T> const& trait,
              Carried const& carried)
        : points_(points), tree_(&points.prepared().tree) {
        std::vector<PointMass<T>> const rows = carried(points.rows_here());
        masses_ = {points.place(), std::span<PointMass<T> const>(rows), tree_->input};
        points.end_phase("masses");
        if (!is_periodic(o) || rows.empty()) return;
        see_from_afar();
        if constexpr (!is_device<P>) add_images(trait, rows);
    }
    NearField(NearField const&) = delete;
    NearField& operator=(NearField const&) = delete;

    Felt<T, P> walk(Gravity<order, T> trait) {
        P& place = points_.place();
        std::size_t const n = points_.size_here();
        Felt<T, P> felt{place.template buffer<Vec<3, T>>(n), place.template buffer<T>(n)};
        if (n > 0) {
            trait.acceleration = felt.acceleration.data();
            trait.potential = felt.potential.data();
            WalkInputs<Gravity<order, T>> inputs{masses_.view(), masses_.view()};
            std::vector<T> period;
            if (far_ && is_device<P>) period = points_.period();  // the walk makes images
            if (!sources_.masses.empty()) {
                inputs.targets = sources_.targets;
                inputs.known = &sources_.known;
            }
            points_.note_walk(
                CompiledWalk<Gravity<order, T>, P>::run(place, trait, period, *tree_, *tree_, inputs));
        }
        points_.end_phase("walk");
        masses_ = {};
        return felt;
    }
    [[nodiscard]] ArrayOn<P, Pull<T>> far() {
        if (!far_) return {};
        auto pulls =
            pulls_from_afar(points_.place(), *far_, points_.prepared().tree, points_.size_here());
        points_.end_phase("lattice");
        return pulls;
    }

  private:
    void see_from_afar() {
        auto const& own = points_.prepared();
        far_.emplace(own.period, in_unit(own.extent, own.unit));
        far_->moments = lattice_moments(points_.place(), far_->frame, own.tree,
                                        masses_.view().template column<0>(), own.tree.size());
        points_.end_phase("lattice");
    }
    /// On threads; a device makes them where it walks (walks.hpp).
    void add_images(Gravity<order, T> const& trait, std::vector<PointMass<T>> const& rows) {
        P& place = points_.place();
        std::vector<PointMass<T>> masses(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) masses[i] = rows[tree_->input[i]];
        sources_ = with_images(place, trait, *tree_, std::span<PointMass<T> const>(masses), far_->box);
        tree_ = &sources_.tree;
        masses_ = {place, std::span<PointMass<T> const>(sources_.masses)};
        points_.end_phase("images");
    }

    Points& points_;
    Tree<T, P> const* tree_;            // that is walked
    std::optional<FarMasses> far_;      // in a periodic box
    GravitySources<order, T> sources_;  // there, on threads: with images
    ColumnsOn<PointMass<T>, P> masses_;
};

}}}  // namespace zwalk::v0::detail
