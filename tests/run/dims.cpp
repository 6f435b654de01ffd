// The compiled dimension of a call.
#include "zwalk/run/dims.hpp"

#include <doctest/doctest.h>

#include "zwalk/core/error.hpp"

using namespace zwalk;

namespace {

/// Has no default, and can't be copied.
struct Result {
    explicit Result(int d) : dim(d) {}
    Result(Result&&) = default;
    int dim;
};

template <class Dims>
int chosen(Dims dims, int columns) {
    int calls = 0;
    auto const r = detail::with_dim<Result>(dims, columns, [&]<int D>() {
        ++calls;
        return Result(D);
    });
    return calls == 1 ? r.dim : -1;
}

}  // namespace

TEST_CASE("dims: the least dimension that holds the columns, called once") {
    detail::Dims<1, 3, 8> const dims;
    int const expected[] = {1, 1, 3, 3, 8, 8, 8, 8, 8};
    for (int columns = 0; columns <= 8; ++columns) CHECK(chosen(dims, columns) == expected[columns]);
    CHECK_THROWS_WITH_AS((void)chosen(dims, 9),
                         doctest::Contains("9 columns, but this build has kernels for at most 8"),
                         InputError);
}

TEST_CASE("dims: without dimensions nothing is compiled") {
    auto const kernels = []<int D>() {
        static_assert(D < 0, "no kernels are there to be linked");
        return D;
    };
    CHECK_THROWS_WITH_AS((void)detail::with_dim<int>(detail::Dims<>{}, 3, kernels),
                         doctest::Contains("at most 0"), InputError);
}
