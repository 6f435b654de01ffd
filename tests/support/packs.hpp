// Functions of numbers and of packs, which must have the same bits.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "zwalk/exec/isa.hpp"
#include "zwalk/exec/pack.hpp"

namespace test {
using namespace zwalk;

/// f of numbers and of packs of an instruction set, if this CPU has it.
template <Isa isa, class T, class F>
void check_packs_of(std::vector<T> x, F const& f) {
    bool here = false;
    if (isa <= best_isa()) with_isa(isa, [&]<Isa i>() { here = i == isa; });
    if (!here) return;
    CAPTURE(name_of(isa));
    using V = Pack<T, isa>;
    x.resize(x.size() / V::width * V::width);
    std::vector<T> y(x.size());
    with_isa(isa, [&]<Isa i>() {
        if constexpr (i == isa)
            for (std::size_t c = 0; c < x.size(); c += V::width) {
                V const found = f(V::load(x.data() + c));
                std::copy(found.lane, found.lane + V::width, y.data() + c);
            }
    });
    for (std::size_t i = 0; i < x.size(); ++i) {
        T const alone = f(x[i]);
        REQUIRE((y[i] == alone || (std::isnan(y[i]) && std::isnan(alone))));
    }
}
/// The same of each instruction set.
template <class T, class F>
void check_packs(std::vector<T> const& x, F const& f) {
    check_packs_of<Isa::baseline>(x, f);
    check_packs_of<Isa::avx2>(x, f);
    check_packs_of<Isa::avx512>(x, f);
}

}  // namespace test
