// A kernel density with an error that is guaranteed: far or tight groups of sources count as a whole, where the kernel differs
// little among them. How little depends on what others have left of the error.
#pragma once
#include <cmath>
#include <string>

#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

/// What is known of a node's targets.
struct Budget {
    double sum;    ///< what accepted sources add to each
    double slack;  ///< of the error allowed for these sources, what they haven't used
    double left;   ///< number of sources that aren't accepted yet
};

/// For each target the sum of exp(-d^2 / 2 h^2) over all sources, off by at most `error` times their number.
///
/// Each source may add `error`. Most that are accepted add far less; the rest goes down the tree as slack, a part of the
/// state. Those that are left share it: each may add `error` and slack / left more, so that all pairs of a step together
/// can't spend more than there is. The slack is never negative. So what is accepted at the top, where it is 0, is accepted
/// with any other state, as a monotone decision must be.
template <int D, class T>
struct KernelDensity : Types<D, T, Empty, Empty, Budget> {
    using Base = Types<D, T, Empty, Empty, Budget>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr Uses uses{.state = true};

    double scale;    ///< -1 / (2 h^2)
    double error;    ///< for each source
    double sources;  ///< their number
    double* sum;

    ZWALK_HD double kernel(T d2) const { return std::exp(scale * double(d2)); }
    /// A source counts as the middle of what it may be, and is off by half the difference.
    ZWALK_HD double off_by(Range<T> d) const { return (kernel(d.lo2) - kernel(d.hi2)) / 2; }
    ZWALK_HD Decision decide(Node const& t, Node const&, Range<T> d) const {
        double const allowed = error + t.state.slack / t.state.left;
        return off_by(d) <= allowed ? Decision::accept : Decision::descend;
    }

    ZWALK_HD Budget top_state() const { return {0, 0, sources}; }
    ZWALK_HD Budget inherit(Budget const& above, Node const&, Node const&) const { return above; }
    ZWALK_HD void absorb(Budget& own, Node const&, Node const& s, Range<T> d) const {
        own.sum += double(s.count) * (kernel(d.lo2) + kernel(d.hi2)) / 2;
        own.slack = max_of(own.slack + double(s.count) * (error - off_by(d)), 0.);
        own.left -= double(s.count);
    }

    using Fold = double;
    ZWALK_HD Fold begin(Target const&, Budget const& all) const { return all.sum; }
    ZWALK_HD void visit(Fold& f, Target const&, Point const&, T d2) const { f += kernel(d2); }
    ZWALK_HD void end(Fold const& f, Target const& p) const { sum[p.index] = f; }

    /// For pages of a walk (zwalk/walk/trace.hpp), on the host.
    [[nodiscard]] std::string describe(Node const& node) const {
        return "sum of accepted sources: " + std::to_string(node.state.sum);
    }
};

}  // namespace zwalk::examples
