// Limits of control groups, on folders that look like /proc and /sys.
#include "zwalk/core/available_memory.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "support/temporary.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/core/keep_memory.hpp"

using namespace zwalk;

namespace {

/// A machine with 8000 KiB left.
class Machine {
  public:
    Machine() { file("proc/meminfo", "MemTotal: 16000 kB\nMemAvailable:    8000 kB\n"); }

    void file(std::string const& name, std::string const& content) const {
        std::filesystem::create_directories((dir_ / name).parent_path());
        std::ofstream(dir_ / name) << content;
    }
    /// The process is in a group; version 2, mounted as systemd does it.
    void own_group(std::string const& group) const {
        file("proc/self/mountinfo",
             "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
             "30 21 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
        file("proc/self/cgroup", "0::" + group + "\n");
    }
    /// A group of version 2.
    void group(std::string const& name, std::string const& limit, std::string const& usage,
               std::string const& cache = "0") const {
        file("sys/fs/cgroup" + name + "/memory.max", limit + "\n");
        file("sys/fs/cgroup" + name + "/memory.current", usage + "\n");
        file("sys/fs/cgroup" + name + "/memory.stat",
             "anon 12\ninactive_file " + cache + "\nactive_file 7\n");
    }
    [[nodiscard]] std::uint64_t left() const { return available_memory(dir_ / ""); }

  private:
    tests::TemporaryDirectory dir_;
};

constexpr std::uint64_t all = 8000 * 1024;

}  // namespace

TEST_CASE("available memory: what is kept for later calls counts as free") {
    Machine const machine;
    keep_memory(3 << 20);
    (void)Buffer<char>(3 << 20);
    CHECK(machine.left() == all + kept_memory());
    keep_memory(0);
    CHECK(machine.left() == all);
}

TEST_CASE("available memory: the machine's, without groups or without limits") {
    Machine const machine;
    CHECK(machine.left() == all);
    machine.own_group("/");  // the root has no files
    CHECK(machine.left() == all);
    machine.own_group("/a/b");
    CHECK(machine.left() == all);
    machine.group("/a", "max", "1000");
    machine.group("/a/b", "9223372036854771712", "1000");
    CHECK(machine.left() == all);
}

TEST_CASE("available memory: a limit of the own group, less what it holds but unused page cache") {
    Machine const machine;
    machine.own_group("/job");
    machine.group("/job", "5000", "2000");
    CHECK(machine.left() == 3000);
    machine.group("/job", "5000", "2000", "500");
    CHECK(machine.left() == 3500);
    machine.group("/job", "5000", "2000", "9000");
    CHECK(machine.left() == 5000);
    machine.group("/job", "5000", "6000");
    CHECK(machine.left() == 0);
    machine.group("/other", "1", "0");
    machine.group("/job", "max", "6000");
    CHECK(machine.left() == all);
    machine.file("sys/fs/cgroup/job/memory.max", "garbage");
    CHECK(machine.left() == all);
}

TEST_CASE("available memory: the tightest limit on the way up") {
    Machine const machine;
    machine.own_group("/a/b/c");
    machine.group("/a/b/c", "max", "10");
    machine.group("/a", "7000", "5000");
    CHECK(machine.left() == 2000);
    machine.group("/a/b", "4000", "2500");
    CHECK(machine.left() == 1500);
    machine.group("/a/b/c", "1000", "10");
    CHECK(machine.left() == 990);
    machine.group("", "800", "10");  // a container sees its own group as the root
    CHECK(machine.left() == 790);
}

TEST_CASE("available memory: groups of version 1") {
    Machine const machine;
    auto const mount = [&](std::string const& group) {
        machine.file("proc/self/mountinfo",
                     "31 21 0:27 " + group + " /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" +
                         "32 21 0:28 " + group +
                         " /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory,hugetlb\n");
    };
    machine.file("proc/self/cgroup", "5:memory,hugetlb:/docker/12\n2:cpu:/x\n0::/user\n");
    machine.file("sys/fs/cgroup/memory/docker/12/memory.limit_in_bytes", "5000\n");
    machine.file("sys/fs/cgroup/memory/docker/12/memory.usage_in_bytes", "3000\n");
    machine.file("sys/fs/cgroup/memory/docker/12/memory.stat",
                 "inactive_file 1\ntotal_inactive_file 100\n");
    mount("/");
    CHECK(machine.left() == 2100);
    machine.file("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "600\n");
    CHECK(machine.left() == 600);
    // Inside a container the group is mounted as if it were the root.
    machine.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "500\n");
    machine.file("sys/fs/cgroup/memory/memory.usage_in_bytes", "40\n");
    for (auto const* group : {"/docker/12", "/docker/1", "/elsewhere"}) {
        mount(group);
        CHECK(machine.left() == 460);
    }
    mount("/docker");
    machine.file("sys/fs/cgroup/memory/12/memory.limit_in_bytes", "30\n");
    CHECK(machine.left() == 30);
}

TEST_CASE("available memory: of this machine") {
    CHECK(available_memory() > 0);
    CHECK(available_memory("/nowhere") > 0);
}
