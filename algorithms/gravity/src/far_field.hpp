// What points in a periodic box feel of all that is too far for a walk: lattice.hpp for points of a tree, on any place.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "lattice.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/tree/extent.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Masses in a periodic box, as they are seen from afar.
struct FarMasses {
    ImageBox box;
    LatticeFrame frame;
    LatticeCoefficients moments{};

    /// @param extent  of all points
    template <class T>
    FarMasses(std::vector<T> const& period, Extent<T> const& extent)
        : box(period), frame(box.sides, middle_of(extent)) {}

  private:
    template <class T>
    static Vec<3, double> middle_of(Extent<T> const& extent) {
        Vec<3, double> middle{};
        for (std::size_t j = 0; j < 3; ++j) {
            double const lo = double(extent.lo[j]), hi = double(extent.hi[j]);
            middle[int(j)] = lo + (hi - lo) / 2;
        }
        return middle;
    }
};

/// Points of a tree in such a frame.
template <class T>
struct PointsInFrame {
    T const* x;
    std::size_t stride;
    LatticeFrame frame;

    template <class P>
    PointsInFrame(Tree<T, P> const& tree, LatticeFrame const& in)
        : x(tree.x.data()), stride(tree.stride), frame(in) {}
    [[nodiscard]] ZWALK_HD Vec<3, double> at(std::size_t i) const {
        return frame.scaled({double(x[i]), double(x[stride + i]), double(x[2 * stride + i])});
    }
};

/// For Place::for_each: of a row of coefficients and a part of the points, what the part adds to the row. A thread for each, as sums of all
/// coefficients are more than a thread has registers for; those of a warp take eight parts, and so nearly the same way through a row.
/// In the order of lattice_moments(), so they have its bits.
template <class T>
struct AddMoments {
    PointsInFrame<T> points;
    T const* mass;
    std::size_t n;
    LatticeInverses inverse;
    double* sums;
    static constexpr std::size_t together = 8;  ///< parts, of four rows that are about as long

    static std::size_t parts(std::size_t n) { return (n + lattice_part - 1) / lattice_part; }
    static std::size_t threads(std::size_t n) {
        return (parts(n) + together - 1) / together * together * LatticeRow::count;
    }
    ZWALK_HD void operator()(std::size_t e) const {
        constexpr std::size_t all_rows = together * LatticeRow::count;
        std::size_t const part = e / all_rows * together + e % together, begin = part * lattice_part;
        if (begin >= n) return;
        LatticeRow const row(int(e % all_rows / together));
        double sum[lattice_order + 1] = {};
        for (std::size_t at = begin; at < min_of(n, begin + lattice_part); ++at) {
            double const m = double(mass[at]);
            row.each(points.at(at), inverse, [&](int i, double monomial) { sum[i] += m * monomial; });
        }
        double* const all = sums + part * std::size_t(LatticeCoefficients::count);
        ZWALK_UNROLL
        for (int i = 0; i <= lattice_order; ++i)
            if (i <= row.last()) all[row.index(i)] = sum[i];
    }
};
/// For each coefficient: the sum over all parts.
struct JoinMoments {
    double const* sums;
    std::size_t parts;
    double* moments;
    ZWALK_HD void operator()(std::size_t k) const {
        double sum = 0;
        for (std::size_t p = 0; p < parts; ++p)
            sum += sums[p * std::size_t(LatticeCoefficients::count) + k];
        moments[k] = sum;
    }
};

/// The moments of the first n points with these masses. Call inside Cpu::run.
template <class T, class P>
LatticeCoefficients lattice_moments(P& place, LatticeFrame const& frame, Tree<T, P> const& tree,
                                    T const* mass, std::size_t n) {
    PointsInFrame<T> const points(tree, frame);
    if constexpr (is_device<P>) {
        constexpr std::size_t count = std::size_t(LatticeCoefficients::count);
        std::size_t const parts = AddMoments<T>::parts(n);
        auto sums = place.template buffer<double>(parts * count),
             all = place.template buffer<double>(count);
        place.for_each(AddMoments<T>::threads(n),
                       AddMoments<T>{points, mass, n, LatticeInverses(), sums.data()});
        place.for_each(count, JoinMoments{sums.data(), parts, all.data()});
        LatticeCoefficients moments;
        place.download(moments.at, all.data(), count);
        return moments;
    } else {
        return lattice_moments(n, [&](std::size_t i) {
            return LatticeMass{points.at(i), double(mass[i])};
        });
    }
}

/// For Place::for_each: what each point feels of a field.
template <class T>
struct FeelLattice {
    PointsInFrame<T> points;
    double const* field;
    Pull<T>* pulls;
    ZWALK_HD void operator()(std::size_t i) const {
        auto const pull = lattice_pull(field, points.at(i), points.frame.per_length);
        pulls[i] = {T(pull.sum), {T(pull.gradient[0]), T(pull.gradient[1]), T(pull.gradient[2])}};
    }
};
/// What the first n points of a tree feel of all images that are too far for a walk.
template <class T, class P>
ArrayOn<P, Pull<T>> pulls_from_afar(P& place, FarMasses const& far, Tree<T, P> const& tree,
                                    std::size_t n) {
    auto const field = copy_to(place, lattice_field(far.box, far.moments));
    auto pulls = place.template buffer<Pull<T>>(n);
    place.for_each(n, FeelLattice<T>{{tree, far.frame}, field.data(), pulls.data()});
    return pulls;
}

}}}  // namespace zwalk::v0::detail
