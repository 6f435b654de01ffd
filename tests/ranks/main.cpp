// The main function of tests that run on MPI ranks. All ranks run all cases; rank 0 sums up; every rank's exit status
// is 1 if any of them failed. What stops a case on one rank alone (REQUIRE, an exception) ends the program, since the
// others would wait for ever.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

namespace {

int rank_of_world() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// doctest's usual reporter, which says what it has to say of a failure before it ends the program.
class RankReporter : public doctest::ConsoleReporter {
  public:
    explicit RankReporter(doctest::ContextOptions const& options) : ConsoleReporter(options) {}

    void log_assert(doctest::AssertData const& data) override {
        ConsoleReporter::log_assert(data);
        if (data.m_failed) say_which(doctest::failureString(data.m_at));
        if (data.m_failed && (data.m_at & doctest::assertType::is_require)) stop();
    }
    void test_case_exception(doctest::TestCaseException const& e) override {
        ConsoleReporter::test_case_exception(e);
        stop();
    }
    void test_run_end(doctest::TestRunStats const& stats) override {
        unsigned long long own[] = {static_cast<unsigned long long>(stats.numAsserts),
                                    static_cast<unsigned long long>(stats.numAssertsFailed)};
        unsigned long long all[] = {0, 0};
        MPI_Reduce(own, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        int size = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (rank_of_world() == 0)
            std::printf("%d ranks: %u cases, %llu assertions, %llu failed\n", size,
                        stats.numTestCasesPassingFilters, all[0], all[1]);
    }

  private:
    static void say_which(char const* what) { std::printf("%s on rank %d\n", what, rank_of_world()); }
    [[noreturn]] static void stop() {
        say_which("stopped");
        std::fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, 1);
        std::abort();
    }
};
DOCTEST_REGISTER_REPORTER("ranks", 0, RankReporter);

}  // namespace

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    doctest::Context context(argc, argv);
    context.setOption("reporters", "ranks");
    context.setOption("minimal", true);
    context.setOption("no-colors", true);  // the ranks' terminals are mpirun's
    int const own = context.run();
    int all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return all;
}
