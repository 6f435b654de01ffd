// What a rank may take of the machine that it shares with others.
#pragma once
#include "zwalk/ranks/comm.hpp"

namespace zwalk::apps {

/// Threads of this rank.
struct RankThreads {
    int threads = 1;
    int asked_for = 0;    ///< 0: nothing
    int least_cores = 1;  ///< that a rank may run on: of all ranks

    /// The note for the user; "" if all is well.
    [[nodiscard]] std::string note() const;
};

/// As many threads as `asked`; 0: the cores that its launcher lets it run on, or its share of the cores that all ranks of its
/// machine may use, if that is less. Collective.
RankThreads threads_of_rank(Comm& comm, int asked);

}  // namespace zwalk::apps
