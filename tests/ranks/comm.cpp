// Records between ranks, and errors on some of them.
#include "zwalk/ranks/comm.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "ranks/ranks.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// 11 bytes: no multiple of anything.
struct Record {
    std::uint8_t from, to, number;
    std::array<std::uint8_t, 8> tail;
    friend bool operator==(Record const&, Record const&) = default;
};
Record record(int from, int to, std::size_t i) {
    auto const byte = [](auto x) { return std::uint8_t(x); };
    return {byte(from), byte(to), byte(i), {1, 2, 3, 4, 5, 6, 7, byte(from ^ to)}};
}

/// How many records a rank has for another. Rank 1 has none, and nobody has any for the last one but itself.
std::size_t count(int from, int to, int size) {
    if (from == 1 || (to == size - 1 && from != to)) return 0;
    return std::size_t(from * 7 + to * 3 + 1) % 5 * 4;
}

Parts<Record> outbox(Comm const& comm) {
    Parts<Record> out;
    out.begin.push_back(0);
    for (int to = 0; to < comm.size(); ++to)
        out.begin.push_back(out.begin.back() + count(comm.rank(), to, comm.size()));
    out.records = Buffer<Record>(out.begin.back());
    for (int to = 0; to < comm.size(); ++to)
        for (std::size_t i = 0; i < out.of(to).size(); ++i) out.of(to)[i] = record(comm.rank(), to, i);
    return out;
}

}  // namespace

TEST_CASE("records come from every rank, in the order in which they were sent") {
    for (std::size_t message_bytes : message_sizes) {
        CAPTURE(message_bytes);
        Comm comm(world(message_bytes));
        for (int round = 0; round < 2; ++round) {
            auto const in = comm.exchange(outbox(comm));
            REQUIRE(in.begin.size() == std::size_t(comm.size()) + 1);
            for (int from = 0; from < comm.size(); ++from) {
                REQUIRE(in.of(from).size() == count(from, comm.rank(), comm.size()));
                for (std::size_t i = 0; i < in.of(from).size(); ++i)
                    REQUIRE(in.of(from)[i] == record(from, comm.rank(), i));
            }
        }
    }
}

TEST_CASE("answers go back over the same routes, rows of any width") {
    for (std::size_t message_bytes : message_sizes) {
        CAPTURE(message_bytes);
        Comm comm(world(message_bytes));
        auto const routes = comm.routes(outbox(comm).begin);
        std::vector<double> rows(3 * routes.sent.back());
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = comm.rank() + double(i) / 1024;
        auto there = comm.exchange(routes, std::span<double const>(rows), 3);
        REQUIRE(there.size() == 3 * routes.received.back());
        for (double& x : there) x = -x;
        auto const back = comm.exchange(routes.back(), std::span<double const>(there), 3);
        CHECK(std::equal(back.begin(), back.end(), rows.begin(), rows.end(),
                         [](double a, double b) { return a == -b; }));
    }
}

TEST_CASE("nothing at all can be exchanged and gathered") {
    Comm comm(world());
    std::vector<std::uint64_t> const none(std::size_t(comm.size()) + 1, 0);
    auto const in = comm.exchange(Parts<Record>{{}, none});
    CHECK(in.begin == none);
    CHECK(comm.gather_all(std::span<Record const>()).begin == none);
}

TEST_CASE("every rank gets the records of all") {
    for (std::size_t message_bytes : message_sizes) {
        CAPTURE(message_bytes);
        Comm comm(world(message_bytes));
        auto const many = [&](int rank) { return rank == 1 ? 0 : std::size_t(rank) * 5 % 7 + 1; };
        std::vector<Record> own;
        for (std::size_t i = 0; i < many(comm.rank()); ++i) own.push_back(record(comm.rank(), 0, i));
        auto const all = comm.gather_all(std::span<Record const>(own));
        std::uint64_t before = 0;
        for (int from = 0; from < comm.size(); ++from) {
            REQUIRE(all.begin[std::size_t(from)] == before);
            REQUIRE(all.of(from).size() == many(from));
            for (std::size_t i = 0; i < many(from); ++i) REQUIRE(all.of(from)[i] == record(from, 0, i));
            before += many(from);
        }
        CHECK(comm.offsets(own.size()) == all.begin);
        // What is long goes in messages of the length that was asked for.
        CHECK((comm.stats()[0].messages > 0) ==
              (all.begin.back() * sizeof(Record) > message_bytes && comm.size() > 1 && !own.empty()));
        auto const wide = comm.gather_all(std::span<Record const>(own).first(many(comm.rank()) ? 1 : 0),
                                          comm.offsets(many(comm.rank()) ? 1 : 0));
        for (Record const& r : wide) CHECK(r == record(r.from, 0, 0));
    }
}

TEST_CASE("values are folded in the order of ranks") {
    Comm comm(world());
    auto const op = [](std::uint64_t a, std::uint64_t b) { return a * 31 + b; };
    std::uint64_t expected = 5;
    for (int r = 1; r < comm.size(); ++r) expected = op(expected, std::uint64_t(r * r + 5));
    CHECK(comm.reduce_all(std::uint64_t(comm.rank() * comm.rank() + 5), op) == expected);
}

TEST_CASE("every rank can be the root of a broadcast") {
    for (std::size_t message_bytes : message_sizes) {
        Comm comm(world(message_bytes));
        for (int root = 0; root < comm.size(); ++root) {
            CHECK(comm.broadcast(comm.rank() * 3.5, root) == root * 3.5);
            std::vector<int> values(50, comm.rank());
            comm.broadcast(std::span<int>(values), root);
            CHECK(std::count(values.begin(), values.end(), root) == 50);
        }
    }
}

TEST_CASE("all ranks throw what the first one threw that did") {
    Comm comm(world());
    int const last = comm.size() - 1;
    std::string const where = " on rank " + std::to_string(comm.rank());
    using Throw = void (*)(std::string const&);
    std::pair<Throw, std::string> const errors[] = {
        {[](std::string const& s) { throw InputError("a" + s); }, "InputError: a on rank "},
        {[](std::string const& s) { throw Error("b" + s); }, "Error: b on rank "},
        {[](std::string const& s) { throw std::runtime_error("c" + s); }, "Error: c on rank "},
        {[](std::string const&) { throw std::bad_alloc(); }, "bad_alloc"},
        {[](std::string const&) { throw std::bad_array_new_length(); }, "bad_alloc"},
        {[](std::string const&) { throw 3; }, "Error: unknown error"},
    };
    for (auto const& [raise, words] : errors) {
        for (int first = 0; first <= last; ++first) {
            for (bool all_behind : {false, true}) {
                auto const heard = thrown_by([&] {
                    comm.agree([&] {
                        if (comm.rank() == first || (all_behind && comm.rank() > first)) raise(where);
                    });
                });
                CHECK(heard == words + (words.back() == ' ' ? std::to_string(first) : ""));
            }
        }
    }
    // The first one's, also where others throw something else.
    CHECK(thrown_by([&] { comm.agree([&] { errors[std::size_t(comm.rank()) % 2].first(where); }); }) ==
          "InputError: a on rank 0");
    CHECK(comm.agree([&] { return comm.rank() + 1; }) == comm.rank() + 1);
    auto const moved = comm.agree([] { return std::make_unique<int>(7); });
    CHECK(*moved == 7);
}

TEST_CASE("attempts: counts that are told next carry the failure, and all ranks throw it") {
    Comm comm(world());
    auto const size = std::size_t(comm.size());
    std::vector<std::uint64_t> const one_each = comm.offsets(1);
    auto const waits = [&] { return comm.stats()[0].collectives; };
    // By number: what follows the attempt, and whether it is right.
    auto const told_by = [&](int how) {
        if (how == 0) return comm.offsets(1) == one_each;
        if (how == 1) return comm.routes(one_each).received == one_each;
        if (how == 2) return comm.reduce_all(1, std::plus<>()) == comm.size();
        if (how == 3) return comm.agree([] { return 3; }) == 3;
        return comm.gather_all(std::span<int const>()).records.size() == 0;
    };
    for (int how = 0; how < 5; ++how)
        for (int first = 0; first <= comm.size(); ++first) {
            CAPTURE(how);
            CAPTURE(first);
            bool const fails = comm.rank() >= first;
            bool called = false, right = false;
            auto const before = waits();
            auto const heard = thrown_by([&] {
                auto const got = comm.attempt([&] {
                    if (fails) throw InputError("no, on rank " + std::to_string(comm.rank()));
                    return std::vector<int>(3);
                });
                CHECK(got.size() == (fails ? 0u : 3u));
                comm.attempt([&] { called = true; });  // not behind one that has failed
                right = told_by(how);
            });
            CHECK(right == (first == comm.size()));
            CHECK(called == !fails);
            CHECK(heard == (first < comm.size() ? "InputError: no, on rank " + std::to_string(first)
                                                : "nothing"));
            // One wait, and another to hear what is wrong; the records of gather_all have two more.
            CHECK(waits() - before == (first < comm.size() ? 2 : how == 4 ? 3 : 1));
        }
    CHECK(comm.offsets(2).back() == 2 * size);
}

TEST_CASE("long words are cut, not lost") {
    Comm comm(world(100));
    std::string const words(5000, 'x');
    CHECK(thrown_by([&] {
              comm.agree([&] {
                  if (comm.rank() == comm.size() - 1) throw InputError(words);
              });
          }) == "InputError: " + words.substr(0, 1000));
}

TEST_CASE("where there is no memory for what is to come, nothing is sent, and all ranks say so") {
    Comm comm(world());
    int const last = comm.size() - 1;
    std::uint64_t const too_many = std::uint64_t(1) << 50;
    std::vector<std::uint64_t> sent(std::size_t(comm.size()) + 1, 0);
    if (comm.rank() == 0) sent.back() = too_many;
    auto const routes = comm.routes(sent);
    REQUIRE(routes.received.back() == (comm.rank() == last ? too_many : 0));
    char const nothing = 0;
    std::span<char const> const values(&nothing, sent.back());  // never read
    auto const before = comm.stats()[0].messages;
    CHECK(thrown_by([&] { (void)comm.exchange(routes, values); }) == "bad_alloc");
    CHECK(comm.stats()[0].messages == before);
    CHECK(thrown_by([&] { (void)comm.gather_all(values); }) == "bad_alloc");
    CHECK(comm.broadcast(1, last) == 1);
}

TEST_CASE("what is to come can be refused before it is sent") {
    Comm comm(world());
    Parts<Record> out;
    for (int to = 0; to <= comm.size(); ++to) out.begin.push_back(std::uint64_t(to));
    out.records = Buffer<Record>(out.begin.back());
    std::uint64_t coming = 0;
    auto const messages = comm.stats()[0].messages;
    CHECK(thrown_by([&] {
              (void)comm.exchange(out, [&](std::uint64_t records) {
                  coming = records;
                  if (comm.rank() == comm.size() - 1) throw InputError("too many");
              });
          }) == "InputError: too many");
    CHECK(coming == std::uint64_t(comm.size()));
    CHECK(comm.stats()[0].messages == messages);
}

TEST_CASE("messages that are too small for the data are refused by all ranks") {
    Comm comm(world(1));
    std::vector<std::uint64_t> sent(std::size_t(comm.size()) + 1, 0);
    if (comm.rank() == 0) sent.back() = std::uint64_t(1) << 32;
    auto const heard = thrown_by([&] {
        auto const routes = comm.routes(sent);
        comm.agree([&] { comm.reserve(routes, 1); });
    });
    CHECK(heard.find("message_bytes is 1, make it larger") != std::string::npos);
}

TEST_CASE("ranks agree on the length of messages") {
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    auto const heard = thrown_by([&] { Comm comm(world(rank == size - 1 ? 99 : 100)); });
    CHECK(heard == (size == 1
                        ? "nothing"
                        : "InputError: ranks disagree on message_bytes (100 on rank 0, 99 on rank " +
                              std::to_string(size - 1) + ")"));
    CHECK(thrown_by([] { Comm comm(world(0)); }) ==
          "InputError: message_bytes is 0: a message needs at least one byte");
}

TEST_CASE("groups of ranks work on their own, and hosts know theirs") {
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    {
        Comm comm({half, 100});
        CHECK(comm.size() == (size + 1 - rank % 2) / 2);
        using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
        Name name{};
        int length = 0, beside = 0, before = 0;
        MPI_Get_processor_name(name.data(), &length);
        std::vector<Name> names(std::size_t(comm.size()));
        MPI_Allgather(name.data(), sizeof(Name), MPI_CHAR, names.data(), sizeof(Name), MPI_CHAR, half);
        for (int r = 0; r < comm.size(); ++r)
            if (names[std::size_t(r)] == name) ++beside, before += r < comm.rank();
        CHECK(comm.host_size() == beside);
        CHECK(comm.host_rank() == before);
        auto const add = [](int a, int b) { return a + b; };
        for (int i = 0; i < 3 + 2 * (rank % 2); ++i)
            CHECK(comm.reduce_all(rank % 2, add) == rank % 2 * comm.size());
    }
    MPI_Comm_free(&half);
}

TEST_CASE("steps are counted by name") {
    Comm comm(world(8));
    auto const others = std::uint64_t(comm.size() - 1);
    {
        auto const step = comm.step("outer");
        {
            auto const inner = comm.step("inner");
            std::vector<std::uint64_t> sent;  // 3 bytes for each rank
            for (int r = 0; r <= comm.size(); ++r) sent.push_back(std::uint64_t(r) * 3);
            std::vector<char> const bytes(sent.back() * 3, 'x');
            (void)comm.exchange(comm.routes(sent), std::span<char const>(bytes), 3);
        }
        (void)comm.broadcast('x');
    }
    REQUIRE(comm.stats().size() == 3);
    StepStats const &outer = comm.stats()[1], &inner = comm.stats()[2];
    CHECK(std::string(outer.name) == "outer");
    CHECK(outer.collectives == 1);
    CHECK(outer.messages == 0);
    CHECK(outer.bytes == (comm.rank() == 0 ? others : 0));
    CHECK(std::string(inner.name) == "inner");
    CHECK(inner.collectives == 3);        // counts, agreement, records
    CHECK(inner.messages == 2 * others);  // 9 bytes each
    CHECK(inner.bytes == 9 * others + 8 * others + sizeof(int));
}
