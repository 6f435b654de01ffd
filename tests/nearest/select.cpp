// Choosing the k smallest keys, on every instruction set that the CPU has, beside std::sort.
#include "zwalk/nearest/detail/select.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/points.hpp"
#include "zwalk/nearest/detail/collector.hpp"

using namespace zwalk;

namespace {

constexpr int kinds = 9;

/// Distances of one kind: spread, many ties, all equal, over all magnitudes, infinite ones among them; and some of which few, many or
/// nearly all have the same upper bits.
template <class T>
T distance_of(int kind, test::Random& r) {
    constexpr T eps = std::numeric_limits<T>::epsilon();
    switch (kind) {
        case 0:
            return T(r.uniform());
        case 1:
            return T(r.below(5));
        case 2:
            return T(.25);
        case 3:
            return std::numeric_limits<T>::denorm_min() * T(r.below(3));
        case 4:
            return T(std::pow(2., double(r.below(200)) - 100));
        case 5:
            return r.below(3) ? T(r.uniform()) : infinity<T>;
        case 6:
            return 1 + eps * T(r.below(1 << 14));
        case 7:
            return 1 + eps * T(r.below(1 << 11));
        default:
            return 1 + eps * T(r.below(1 << 7));
    }
}

template <class T>
void check_selector(Isa isa, pos_t k, int kind, std::uint64_t seed) {
    test::Random r(seed);
    auto const selector = make_selector<T>(isa, k);
    std::vector<unsigned char> memory(Collector<T>::bytes(k, selector));
    Collector<T> best(memory.data(), k, &selector);
    std::vector<Key<T>> all;
    for (pos_t n = pos_t(r.below(4 * k + 200)), i = 0; i < n; ++i) {
        // Positions in any order, each once: the same d2 may come first with a larger one.
        Key<T> const key{distance_of<T>(kind, r), i ^ 5U};
        all.push_back(key);
        best.add(key);
        if (i % 64 != 0) continue;
        auto const seen = std::size_t(
            std::count_if(all.begin(), all.end(), [&](Key<T> const& a) { return a <= best.worst(); }));
        REQUIRE(seen >= std::min<std::size_t>(k, all.size()));
    }
    best.finish();
    std::sort(all.begin(), all.end());
    REQUIRE(best.size() == std::min<std::size_t>(k, all.size()));
    for (int i = 0; i < int(best.size()); ++i)
        REQUIRE(Key<T>{best.d2(i), best.position(i)} == all[std::size_t(i)]);
}

/// One call of choose for any number of keys, of which the first `before` are chosen already.
template <class T>
void check_choice(Isa isa, pos_t k, pos_t n, pos_t before, int kind, std::uint64_t seed) {
    test::Random r(seed);
    auto const selector = make_selector<T>(isa, k);
    std::vector<T> d2(n + Selector<T>::padding);
    std::vector<pos_t> position(n + Selector<T>::padding);
    std::vector<Key<T>> all;
    for (pos_t i = 0; i < n; ++i) all.push_back({distance_of<T>(kind, r), i ^ 5U});
    std::sort(all.begin(), all.begin() + before);
    for (pos_t i = 0; i < n; ++i) d2[i] = all[i].d2, position[i] = all[i].pos;
    Chosen<T> chosen;
    selector.choose(d2.data(), position.data(), before, n, k, chosen);
    std::sort(all.begin(), all.end());
    REQUIRE(chosen.count >= k);
    REQUIRE(all[k - 1] <= chosen.worst);
    selector.finish(d2.data(), position.data(), chosen.count, chosen.count, k);
    for (pos_t i = 0; i < k; ++i) REQUIRE(Key<T>{d2[i], position[i]} == all[i]);
}

}  // namespace

TEST_CASE("selectors: any number of keys at once, also where some were chosen before") {
    for (Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
        if (isa > best_isa()) continue;
        for (pos_t k : {1, 3, 8, 9, 16, 17, 32})
            for (pos_t n = k; n <= k + 90; ++n)
                for (int kind = 0; kind < kinds; ++kind)
                    for (pos_t before : {pos_t(0), k}) {
                        CAPTURE(name_of(isa));
                        CAPTURE(k);
                        CAPTURE(n);
                        CAPTURE(kind);
                        CAPTURE(before);
                        check_choice<float>(isa, k, n, before, kind, n);
                        check_choice<double>(isa, k, n, before, kind, n);
                    }
    }
}

TEST_CASE("selectors: the k smallest keys, in order, of any number, with any ties") {
    for (Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
        if (isa > best_isa()) continue;
        for (pos_t k :
             {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 168, 1000, 2000})
            for (int kind = 0; kind < kinds; ++kind)
                for (std::uint64_t seed = 1; seed <= (k < 200 ? 20 : 3); ++seed) {
                    CAPTURE(name_of(isa));
                    CAPTURE(k);
                    CAPTURE(kind);
                    CAPTURE(seed);
                    check_selector<float>(isa, k, kind, seed);
                    check_selector<double>(isa, k, kind, seed);
                }
    }
}
