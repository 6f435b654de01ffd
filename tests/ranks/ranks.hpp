// What the tests on MPI ranks have in common.
#pragma once
#include <cstddef>
#include <new>
#include <string>

#include "zwalk/core/error.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"

namespace zwalk::test {

/// Every byte a message of its own; some records in pieces; the usual.
inline constexpr std::size_t message_sizes[] = {1, 100, std::size_t(1) << 30};

inline Mpi world(std::size_t message_bytes = Mpi{}.message_bytes) {
    return {MPI_COMM_WORLD, message_bytes};
}

/// "TYPE: words" of what f() throws, "nothing" if it returns.
template <class F>
std::string thrown_by(F const& f) {
    try {
        f();
    } catch (InputError const& e) {
        return std::string("InputError: ") + e.what();
    } catch (Error const& e) {
        return std::string("Error: ") + e.what();
    } catch (std::bad_alloc const&) {
        return "bad_alloc";
    }
    return "nothing";
}

}  // namespace zwalk::test
