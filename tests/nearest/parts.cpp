// The neighbours of targets among sources that were put together from parts.
#include "support/parts.hpp"
#include "support/sanitized.hpp"

#include "zwalk/nearest/trait.hpp"

using namespace test;

namespace {

/// Keeps the keys of the neighbours, by target.
struct KeepKeys {
    Key<float>* row;
    pos_t k;
    void operator()(auto const& target, auto const& found) const {
        for (int i = 0; i < int(found.size()); ++i)
            row[target.index * k + pos_t(i)] = {found.d2(i), found.position(i)};
    }
};

}  // namespace

TEST_CASE("nearest: neighbours among sources that were put together from parts") {
    for (auto const* kind : some({"clustered", "uniform", "sites40", "grid", "equal", "line"}, 2))
        for (pos_t k : {1, 9}) {
            CAPTURE(kind);
            CAPTURE(k);
            auto const rows = make_points<3, float>(kind, 250, 3);
            for (bool exclude_self : {false, true})
                check_parts<3, float>(rows, [&](auto const& walker, auto const& tree,
                                                TargetNodes targets, pos_t begin, pos_t end) {
                    using Trait = Nearest<3, float, KeepKeys>;
                    std::vector<Key<float>> keys((end - begin) * k);
                    Trait trait(k, {keys.data(), k});
                    trait.exclude_self = exclude_self;
                    WalkInputs<Trait> inputs;
                    inputs.targets = targets;
                    walker(trait, Open<3, float>{}, tree, tree, inputs);
                    return keys;
                });
        }
}
