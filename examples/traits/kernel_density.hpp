// A kernel density with an error that is guaranteed: far or tight groups of sources count as a whole, where the kernel differs
// little among them.
#pragma once
#include <cmath>
#include <string>

#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

/// For each target the sum of exp(-d^2 / 2 h^2) over all sources, off by at most `error` times their number.
template <int D, class T>
struct KernelDensity : Types<D, T, Empty, Empty, double> {
    using Base = Types<D, T, Empty, Empty, double>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr Uses uses{.state = true};

    double scale;  ///< -1 / (2 h^2)
    double error;
    double* sum;

    ZWALK_HD double kernel(T d2) const { return std::exp(scale * double(d2)); }
    ZWALK_HD Decision decide(Node const&, Node const&, Range<T> d) const {
        double const most = kernel(d.lo2), least = kernel(d.hi2);
        if (most <= error) return Decision::discard;
        return most - least <= 2 * error ? Decision::accept : Decision::descend;
    }
    // What accepted sources add to all points of a node.
    ZWALK_HD double top_state() const { return 0; }
    ZWALK_HD double inherit(double sum_above, Node const&, Node const&) const { return sum_above; }
    ZWALK_HD void absorb(double& own, Node const&, Node const& s, Range<T> d) const {
        own += double(s.count) * (kernel(d.lo2) + kernel(d.hi2)) / 2;
    }

    using Fold = double;
    ZWALK_HD Fold begin(Target const&, double accepted) const { return accepted; }
    ZWALK_HD void visit(Fold& f, Target const&, Point const&, T d2) const { f += kernel(d2); }
    ZWALK_HD void end(Fold const& f, Target const& p) const { sum[p.index] = f; }

    /// For pages of a walk (zwalk/walk/trace.hpp), on the host.
    [[nodiscard]] std::string describe(Node const& node) const {
        return "sum of accepted sources: " + std::to_string(node.state);
    }
};

}  // namespace zwalk::examples
