// Cartesian expansions of the field of masses in three dimensions: what a fast multipole method shifts and evaluates.
//
// With x^n = x0^n0 x1^n1 x2^n2, n! = n0! n1! n2! and |n| = n0 + n1 + n2 for a multi-index n, masses m_i at c + s_i have the
// moments M_n = sum_i m_i (-s_i)^n / n! about c. At c + r + b their potential is, for G(r) = 1 / sqrt(r^2 + softening^2),
//
//   - sum_i m_i G(r + b - s_i) = - sum_n b^n / n! L_n,   L_n = sum_m M_m d^(n+m)G(r),   |n| + |m| <= P
//
// (Dehnen 2002, J. Comput. Phys. 179, 27, eqs. 2 to 4). All loops over indices are unrolled, so that indices are constants.
// What runs outside of kernels that are compiled for an instruction set (exec/isa.hpp) has no fma_of: there that may be a call.
#pragma once
#include <cmath>
#include <cstddef>
#include <utility>

#include "zwalk/core/config.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/inverse_sqrt.hpp"
#include "zwalk/exec/pack.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

/// A constant array whose elements are constants in device code, too (std::array's operator is the host's).
template <class E, int n>
struct Table {
    E at[n];
};

}  // namespace detail

/// The multi-indices n with |n| <= P, by |n|, then in descending order.
template <int P>
struct MultiIndices {
    static constexpr int count = (P + 1) * (P + 2) * (P + 3) / 6;
    struct Powers {
        int i, j, k;
        [[nodiscard]] ZWALK_HD constexpr int sum() const { return i + j + k; }
        /// The first axis with a power.
        [[nodiscard]] ZWALK_HD constexpr int axis() const { return i > 0 ? 0 : j > 0 ? 1 : 2; }
        [[nodiscard]] ZWALK_HD constexpr int of(int a) const { return a == 0 ? i : a == 1 ? j : k; }
        [[nodiscard]] ZWALK_HD constexpr Powers less(int a) const {
            return {i - (a == 0), j - (a == 1), k - (a == 2)};
        }
    };
    /// Where (i, j, k) is among them: it doesn't depend on P.
    static ZWALK_HD constexpr int index(int i, int j, int k) {
        int const sum = i + j + k, rest = j + k;
        return sum * (sum + 1) * (sum + 2) / 6 + rest * (rest + 1) / 2 + k;
    }
    static ZWALK_HD constexpr int index(Powers const& n) { return index(n.i, n.j, n.k); }
    static constexpr detail::Table<Powers, count> powers = [] {
        detail::Table<Powers, count> all{};
        for (int i = 0; i <= P; ++i)
            for (int j = 0; i + j <= P; ++j)
                for (int k = 0; i + j + k <= P; ++k) all.at[index(i, j, k)] = {i, j, k};
        return all;
    }();
};

/// A number for each multi-index up to order P.
template <int P, class T>
struct Coefficients {
    static constexpr int count = MultiIndices<P>::count;
    T at[count];
};

namespace detail {

template <class V>
inline constexpr bool is_pack = false;
template <class T, Isa isa>
inline constexpr bool is_pack<Pack<T, isa>> = true;

/// f.operator()<I>() for I = 0, ..., count - 1, one after the other.
template <int count, class F>
ZWALK_HD inline void unrolled(F const& f) {
    // In the order of a list in braces: clang takes a fold of 256 at most.
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        [[maybe_unused]] bool const done[] = {true, (f.template operator()<int(I)>(), true)...};
    }
    (std::make_index_sequence<std::size_t(count)>{});
}

/// The pairs of multi-indices n, m with |n| + |m| <= P, and where n + m is. n changes fastest, so that sums for one n after
/// the other don't wait for each other.
/// @tparam dipoles  whether those with |m| = 1 are wanted
/// @tparam grouped  those with |n| <= 2 come first, then by |n|: so the registers of a CPU hold the sums of a group while m changes
template <int P, bool dipoles, bool grouped = false>
struct IndexPairs {
    using N = MultiIndices<P>;
    struct Pair {
        int n, m, sum;
    };
    static constexpr int group_of(typename N::Powers const& n) {
        return grouped && n.sum() > 2 ? n.sum() : 0;
    }
    static constexpr bool has(typename N::Powers const& n, typename N::Powers const& m) {
        return n.sum() + m.sum() <= P && (dipoles || m.sum() != 1);
    }
    static constexpr int count = [] {
        int found = 0;
        for (auto const& n : N::powers.at)
            for (auto const& m : N::powers.at) found += has(n, m);
        return found;
    }();
    static constexpr Table<Pair, count> all = [] {
        Table<Pair, count> pairs{};
        int next = 0;
        for (int group = 0; group <= P; ++group)
            for (auto const& m : N::powers.at)
                for (auto const& n : N::powers.at)
                    if (group_of(n) == group && has(n, m))
                        pairs.at[next++] = {N::index(n), N::index(m),
                                            N::index(n.i + m.i, n.j + m.j, n.k + m.k)};
        return pairs;
    }();
};

}  // namespace detail

/// x^n / n! for all n.
template <int P, class T>
ZWALK_HD inline Coefficients<P, T> monomials(Vec<3, T> const& x) {
    using N = MultiIndices<P>;
    Coefficients<P, T> r;
    r.at[0] = T(1);
    detail::unrolled<N::count - 1>([&]<int I>() {
        constexpr auto n = N::powers.at[I + 1];
        constexpr int axis = n.axis(), power = n.of(axis), below = N::index(n.less(axis));
        if constexpr (power == 1) r.at[I + 1] = r.at[below] * x[axis];
        else r.at[I + 1] = r.at[below] * (x[axis] * T(1. / power));
    });
    return r;
}

/// The derivatives d^n G at r.
///
/// With R = sqrt(r^2 + softening^2) these are R^-(|n|+1) times those of 1 / |r| at r / R, as if that were of length one:
/// so that powers of R are all that can become large or small. These follow from d^m G / d(r^2 / 2)^m =
/// (-1)^m (2 m - 1)!! by the recurrence of McMurchie and Davidson (1978, J. Comput. Phys. 26, 218).
template <int P, class T>
ZWALK_HD inline Coefficients<P, T> derivatives(Vec<3, T> const& r, T softening2) {
    using N = MultiIndices<P>;
    T r2 = softening2;
    ZWALK_AXES_LOOP
    for (int i = 0; i < 3; ++i) r2 = fma_of(r[i], r[i], r2);
    T const inverse = inverse_sqrt_of(r2);
    Vec<3, T> const u{r[0] * inverse, r[1] * inverse, r[2] * inverse};
    // Those of d^m G / d(r^2 / 2)^m, of order up to P - m, from those for m + 1; from the last one down, in place.
    Coefficients<P, T> d{};
    detail::unrolled<P + 1>([&]<int step>() {
        constexpr int m = P - step, count = MultiIndices<step>::count;
        detail::unrolled<count - 1>([&]<int back>() {
            constexpr int at = count - 1 - back;
            constexpr auto n = N::powers.at[at];
            constexpr int axis = n.axis();
            constexpr auto below = n.less(axis);
            d.at[at] = u[axis] * d.at[N::index(below)];
            if constexpr (below.of(axis) > 0)
                d.at[at] = fma_of(T(below.of(axis)), d.at[N::index(below.less(axis))], d.at[at]);
        });
        constexpr int factor = [] {
            int f = 1;
            for (int i = 1; i <= m; ++i) f *= -(2 * i - 1);
            return f;
        }();
        d.at[0] = T(factor);
    });
    T power[P + 1];
    power[0] = inverse;
    ZWALK_AXES_LOOP
    for (int i = 1; i <= P; ++i) power[i] = power[i - 1] * inverse;
    detail::unrolled<N::count>([&]<int I>() { d.at[I] = d.at[I] * power[N::powers.at[I].sum()]; });
    return d;
}

/// Adds the moments about c + d of masses that have the moments `from` about c.
template <int P, class T>
ZWALK_INLINE void shift_moments(Coefficients<P, T>& to, Coefficients<P, T> const& from,
                                Vec<3, T> const& d) {
    auto const power = monomials<P>(d);
    using Pairs = detail::IndexPairs<P, true>;
    detail::unrolled<Pairs::count>([&]<int I>() {
        constexpr auto p = Pairs::all.at[I];
        to.at[p.sum] += from.at[p.n] * power.at[p.m];
    });
}
/// Adds the moments about c + d of a mass at c.
template <int P, class T>
ZWALK_INLINE void add_moments(Coefficients<P, T>& to, T mass, Vec<3, T> const& d) {
    auto const power = monomials<P>(d);
    detail::unrolled<power.count>([&]<int I>() { to.at[I] += mass * power.at[I]; });
}
/// Adds L_n, the field at c + r of masses that have the moments `from` about c, their centre of mass: they have no dipole.
template <int P, class T>
ZWALK_HD inline void add_field(Coefficients<P, T>& to, Coefficients<P, T> const& from,
                               Vec<3, T> const& r, T softening2) {
    auto const d = derivatives<P>(r, softening2);
    using Pairs = detail::IndexPairs<P, false, detail::is_pack<T>>;
    detail::unrolled<Pairs::count>([&]<int I>() {
        constexpr auto p = Pairs::all.at[I];
        to.at[p.n] = fma_of(from.at[p.m], d.at[p.sum], to.at[p.n]);
    });
}
/// Adds to each coefficient the sum over lanes.
template <int P, class V>
ZWALK_HD inline void add_sums(Coefficients<P, double>& to, Coefficients<P, V> const& from) {
    detail::unrolled<Coefficients<P, V>::count>([&]<int I>() { to.at[I] += sum_of(from.at[I]); });
}
/// The coefficients about c + d of the field that has the coefficients `from` about c.
template <int P, class T>
ZWALK_INLINE Coefficients<P, T> shift_field(Coefficients<P, T> const& from, Vec<3, T> const& d) {
    auto const power = monomials<P>(d);
    Coefficients<P, T> to{};
    using Pairs = detail::IndexPairs<P, true>;
    detail::unrolled<Pairs::count>([&]<int I>() {
        constexpr auto p = Pairs::all.at[I];
        to.at[p.n] += from.at[p.sum] * power.at[p.m];
    });
    return to;
}

/// A sum over masses of mass times G, and its gradient: minus the potential, and the acceleration.
template <class T>
struct Pull {
    T sum;
    Vec<3, T> gradient;
};
/// The sums at c + b, where the field has the coefficients `field` about c.
template <int P, class T>
ZWALK_INLINE Pull<T> evaluate(Coefficients<P, T> const& field, Vec<3, T> const& b) {
    using N = MultiIndices<P>;
    auto const power = monomials<P>(b);
    Pull<T> r{};
    detail::unrolled<N::count>([&]<int I>() {
        constexpr auto n = N::powers.at[I];
        r.sum += field.at[I] * power.at[I];
        if constexpr (n.sum() < P) {
            r.gradient[0] += field.at[N::index(n.i + 1, n.j, n.k)] * power.at[I];
            r.gradient[1] += field.at[N::index(n.i, n.j + 1, n.k)] * power.at[I];
            r.gradient[2] += field.at[N::index(n.i, n.j, n.k + 1)] * power.at[I];
        }
    });
    return r;
}

}}  // namespace zwalk::v0
