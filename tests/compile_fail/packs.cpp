// Leaf actions that make sense for a number and none for a pack.
#include "zwalk/exec/pack.hpp"

using namespace zwalk;

template <class V>
void visit(V& sum, V d2) {
#if defined(CASE_if)
    if (d2 > 0) sum += d2;
#elif defined(CASE_and)
    if (d2 > 0 && d2 < 1) sum += d2;
#elif defined(CASE_not_equal)
    sum += select(d2 != 0, d2, 0);
#else
    sum += select((d2 > 0) & (d2 < 1), min_of(max_of(d2, .5f), d2), 0);
#endif
}

int main() {
    Pack<float, Isa::baseline> sum, d2(1);
    visit(sum, d2);
    return int(sum_of(sum));
}
