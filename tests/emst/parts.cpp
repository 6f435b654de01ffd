// Rounds of a spanning tree whose searches go over targets of one part each, and sources put together from all
// parts; as ranks will do it.
#include "support/parts.hpp"
#include "emst/rounds.hpp"
#include "zwalk/emst/trait.hpp"

using namespace test;

namespace {

template <class T>
using Known = ColumnsView<FragmentPoint<T>>;

/// What the trait holds of targets, in no more memory than they need, and of components.
template <class T>
struct Held {
    std::vector<T> margin2;
    std::vector<Key<T>> candidate, hint, proven;
    std::vector<pos_t> least;

    Held(pos_t targets, pos_t components)
        : margin2(targets),
          candidate(targets),
          hint(targets),
          proven(targets, {T(-1), 0}),
          least(components, no_pos) {
        for (pos_t i = 0; i < targets; ++i) margin2[i] = T(i % 2);
    }
    /// Of targets whose first one is at a position.
    Fragments<T> view(pos_t first) {
        return {.margin2 = margin2.data(),
                .candidate = candidate.data(),
                .hint = hint.data(),
                .proven = proven.data(),
                .least = least.data(),
                .first = first};
    }
};

/// One round, of which each part offers what its own points find. @param component  by position, from 0 on without gaps
template <int D, class T, class Space, class Walker>
std::vector<Edge<T>> least_edges(Walker const& walker, Space const& space, Parts<D, T> const& parts,
                                 std::vector<pos_t> const& component, std::vector<T> const& core2) {
    pos_t const n = parts.whole.size(),
                names = *std::max_element(component.begin(), component.end()) + 1;
    std::vector<Edge<T>> least(names);
    auto padded = component;
    padded.resize(n + simd_width<float>);
    for (std::size_t p = 0; p < parts.targets.size(); ++p) {
        pos_t const begin = parts.begin[p], end = parts.begin[p + 1];
        Held<T> held(end - begin, names);
        LeastEdges<D, T> trait;
        trait.fragments = held.view(begin);
        std::vector<std::uint8_t> wanted(n);
        std::fill(wanted.begin() + begin, wanted.begin() + end, 1);
        Known<T> const known{
            {{padded.data()}, {wanted.data()}, {core2.empty() ? nullptr : core2.data()}}};
        WalkInputs<LeastEdges<D, T>> inputs{known, known};
        inputs.targets = parts.targets[p];
        walker(trait, space, parts.together, parts.together, inputs);
        for (pos_t c = 0; c < names; ++c) least[c] = std::min(least[c], trait.fragments.least_of(c));
    }
    return least;
}

template <int D, class T, class Space, class Walker>
EdgeRows<T> grow(Cpu const& cpu, Walker const& walker, Space const& space, Parts<D, T> const& parts,
                 std::vector<T> const& core2) {
    pos_t const n = parts.whole.size();
    auto root = links_init(cpu, n);
    Links const links{root.data()};
    EdgeRows<T> found;
    while (found.size() + 1 < n) {
        std::vector<pos_t> name(n), component(n);
        pos_t names = 0;
        for (pos_t i = 0; i < n; ++i) {
            if (root[i] == i) name[i] = names++;
            component[i] = name[root[i]];
        }
        for (auto const& e : least_edges(walker, space, parts, component, core2)) {
            REQUIRE(e.b != no_pos);
            REQUIRE(component[e.a] != component[e.b]);
            if (links.root(e.a) == links.root(e.b)) continue;
            links.link(e.a, e.b);
            found.push_back({std::sqrt(e.w2), e.a, e.b});
        }
        links_settle(cpu, root);
    }
    std::sort(found.begin(), found.end());
    return found;
}

template <int D, class T, Ways ways = Ways::all, class Space>
void check(Space const& space, Rows<D, T> const& rows, int min_samples,
           std::vector<double> const& box = {}) {
    std::vector<T> core2;
    if (min_samples > 1)
        core2 = brute_core2(view<D>(rows), z_order(view<D>(rows)), std::size_t(min_samples), box);
    check_everywhere<ways>(expected_edges<D>(rows, min_samples, box),
                           [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
                               Parts<D, T> const parts(cpu, rows, options);
                               return grow(cpu, walker, space, parts, core2);
                           });
}

}  // namespace

TEST_CASE("EMST trait: searches over parts find the tree") {
    for (auto const& kind : plain_kinds())
        for (int m : {1, 4}) {
            CAPTURE(kind);
            CAPTURE(m);
            check<3, float>(Open<3, float>{}, make_points<3, float>(kind, 150, 23), m);
        }
    for (int m : {1, 4})
        check<2, double, Ways::few>(Periodic<2, double>{{1, 1}},
                                    make_points<2, double>("uniform", 200, 24), m, {1, 1});
}
