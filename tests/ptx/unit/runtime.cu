// The runtime that executes PTX: kernels that this file's nvcc compiled, launched as any program does.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cuda/fake_runtime.hpp"
#include "ptx/machine.hpp"
#include "support/temporary.hpp"

namespace {

using zwalk::tests::content_of, zwalk::tests::TemporaryDirectory;

constexpr int n = 100, threads = 64;

struct Line {
    int slope, offset;
};
__global__ void add_line(int* y, Line line, int size) {
    int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < size) y[i] += line.slope * i + line.offset;
}
__global__ void copy(int* y, int const* x) { y[threadIdx.x] = x[threadIdx.x]; }

template <bool with_barrier>
__global__ void swap(int* y) {
    __shared__ int values[threads];
    values[threadIdx.x] = y[threadIdx.x];
    if (with_barrier) __syncthreads();
    y[threadIdx.x] = values[threads - 1 - threadIdx.x];
}
/// In which order blocks take numbers.
__global__ void take_numbers(int* number, int* count) {
    if (threadIdx.x == 0) number[blockIdx.x] = atomicAdd(count, 1);
}
__global__ void not_known(float* y) { asm("tanh.approx.f32 %0, %0;" : "+f"(*y)); }

/// Memory of the device, of int.
class Ints {
  public:
    explicit Ints(std::size_t size) : size_(size) {
        REQUIRE(cudaMalloc(&data_, size * sizeof(int)) == cudaSuccess);
    }
    explicit Ints(std::vector<int> const& values) : Ints(values.size()) {
        REQUIRE(cudaMemcpyAsync(data_, values.data(), size_ * sizeof(int), cudaMemcpyHostToDevice,
                                nullptr) == cudaSuccess);
    }
    Ints(Ints const&) = delete;
    Ints& operator=(Ints const&) = delete;
    ~Ints() { cudaFree(data_); }
    [[nodiscard]] int* data() const { return data_; }
    [[nodiscard]] std::vector<int> values() const {
        std::vector<int> there(size_);
        REQUIRE(cudaMemcpyAsync(there.data(), data_, size_ * sizeof(int), cudaMemcpyDeviceToHost,
                                nullptr) == cudaSuccess);
        return there;
    }

  private:
    int* data_ = nullptr;
    std::size_t size_;
};
std::vector<int> counted() {
    std::vector<int> values(threads);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

/// An environment variable, for as long as this is there.
class Variable {
  public:
    Variable(char const* name, std::string const& value) : name_(name) {
        setenv(name, value.c_str(), 1);
    }
    Variable(Variable const&) = delete;
    Variable& operator=(Variable const&) = delete;
    ~Variable() { unsetenv(name_); }

  private:
    char const* name_;
};

/// Whether something was found since the last time. All of it has these words.
bool found(std::initializer_list<char const*> words) {
    auto const findings = ptx::take_findings();
    for (auto const& [text, times] : findings) {
        CAPTURE(text);
        for (char const* word : words) CHECK(text.find(word) != std::string::npos);
    }
    return !findings.empty();
}
bool nothing_found() { return ptx::take_findings().empty(); }

/// Whether the last launch was refused, for a reason with this text.
bool refused(std::string const& text) {
    cudaError_t const error = cudaGetLastError();
    return error == cudaErrorLaunchFailure &&
           std::string(cudaGetErrorString(error)).find(text) != std::string::npos;
}

/// Runs f in a process of its own that ends well, but for what was found. Its status, and what it printed as errors.
template <class F>
std::pair<int, std::string> in_process(F const& f) {
    TemporaryDirectory const folder;
    auto const errors = folder / "errors.txt";
    pid_t const child = fork();
    if (child == 0) {
        if (!std::freopen(errors.c_str(), "w", stderr)) std::_Exit(3);
        f();
        std::exit(EXIT_SUCCESS);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    return {WEXITSTATUS(status), content_of(errors)};
}

}  // namespace

TEST_CASE("ptx runtime: kernels, their parameters, copies") {
    Ints const y(std::vector<int>(n, 5));
    add_line<<<(n + threads - 1) / threads, threads>>>(y.data(), {3, -2}, n);
    CHECK(cudaGetLastError() == cudaSuccess);
    std::vector<int> const values = y.values();
    for (int i = 0; i < n; ++i) CHECK(values[std::size_t(i)] == 5 + 3 * i - 2);
    CHECK(nothing_found());

    int architecture = 0;
    CHECK(cudaDeviceGetAttribute(&architecture, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess);
    CHECK(architecture == 8);
    cudaFuncAttributes attributes{};
    CHECK(cudaFuncGetAttributes(&attributes, swap<true>) == cudaSuccess);
    CHECK(attributes.ptxVersion == 80);
    CHECK(attributes.sharedSizeBytes == threads * sizeof(int));
}

TEST_CASE("ptx runtime: memory that isn't, or isn't any more") {
    std::size_t const before = fake_cuda::allocations();
    int* gone = nullptr;
    {
        Ints const x(counted()), y(std::vector<int>(threads, 0));
        copy<<<1, threads>>>(y.data(), x.data() + 1);
        CHECK(refused("read of 4 bytes"));
        CHECK(
            found({"kernel", "copy", "PTX line", "256 bytes behind the begin of an allocation of 256"}));
        copy<<<1, threads>>>(y.data(), x.data());
        CHECK(y.values() == counted());
        gone = x.data();
        int elsewhere[threads + 1];
        CHECK(cudaMemcpyAsync(elsewhere, x.data(), sizeof(elsewhere), cudaMemcpyDeviceToHost, nullptr) ==
              cudaErrorInvalidValue);
        CHECK(cudaMemsetAsync(x.data() + 1, 0, threads * sizeof(int), nullptr) == cudaErrorInvalidValue);
    }
    CHECK(fake_cuda::allocations() == before);
    Ints const y(threads), another(threads);
    int here[1];
    CHECK(cudaMemcpyAsync(here, gone, sizeof(here), cudaMemcpyDeviceToHost, nullptr) ==
          cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    copy<<<1, threads>>>(y.data(), gone);
    CHECK(refused("read of 4 bytes"));
    CHECK(found({"copy", "PTX line"}));
    CHECK(cudaFree(gone) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("ptx runtime: races are looked for where that is asked for") {
    Ints const y(counted());
    swap<false><<<1, threads>>>(y.data());
    CHECK(nothing_found());
    Variable const checks("ZWALK_PTX_CHECKS", "races");
    swap<true><<<1, threads>>>(y.data());
    CHECK(nothing_found());
    swap<false><<<1, threads>>>(y.data());
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(found({"kernel", "swap", "race of threads of one block", "PTX line"}));
}

TEST_CASE("ptx runtime: reads of what nobody wrote are looked for where that is asked for") {
    Ints const x(threads), y(threads);
    copy<<<1, threads>>>(y.data(), x.data());
    CHECK(nothing_found());
    Variable const checks("ZWALK_PTX_CHECKS", "unwritten");
    copy<<<1, threads>>>(y.data(), x.data());
    CHECK(found({"copy", "read of what nobody wrote"}));
    Ints const z(threads), set(threads);
    REQUIRE(cudaMemcpyAsync(z.data(), x.data(), threads * sizeof(int), cudaMemcpyDeviceToDevice,
                            nullptr) == cudaSuccess);
    copy<<<1, threads>>>(y.data(), z.data());
    CHECK(found({"copy", "read of what nobody wrote"}));
    REQUIRE(cudaMemsetAsync(set.data(), 0, threads * sizeof(int), nullptr) == cudaSuccess);
    copy<<<1, threads>>>(y.data(), set.data());
    CHECK(nothing_found());
    CHECK(y.values() == std::vector<int>(threads, 0));
}

TEST_CASE("ptx runtime: schedules at random, the same for the same seed") {
    auto const order = [](std::string const& seed) {
        Variable const variable("ZWALK_PTX_SEED", seed);
        Ints const number(threads), count(std::vector<int>(1, 0));
        take_numbers<<<threads, 32>>>(number.data(), count.data());
        CHECK(count.values()[0] == threads);
        return number.values();
    };
    CHECK(order("0") == counted());
    CHECK(order("1") != counted());
    CHECK(order("1") == order("1"));
    CHECK(order("1") != order("2"));
}

TEST_CASE("ptx runtime: what isn't known is refused by name") {
    Ints const y(1);
    not_known<<<1, 1>>>(reinterpret_cast<float*>(y.data()));
    CHECK(refused("tanh.approx.f32"));
    CHECK(found({"kernel", "not_known", "PTX line"}));
    for (auto const& [name, value, text] :
         {std::array{"ZWALK_PTX_SEED", "7x", "ZWALK_PTX_SEED=7x is no number"},
          std::array{"ZWALK_PTX_CHECKS", "races,all", "all is neither races nor unwritten"}}) {
        Variable const variable(name, value);
        copy<<<1, 1>>>(y.data(), y.data());
        CHECK(refused(text));
        CHECK(found({text}));
    }
}

TEST_CASE("ptx runtime: a program fails by what is found in its kernels") {
    auto const run = [](bool barrier) {
        return in_process([&] {
            setenv("ZWALK_PTX_CHECKS", "races", 1);
            Ints const y(counted());
            for (int times = 0; times < 2; ++times)
                barrier ? swap<true><<<1, threads>>>(y.data()) : swap<false><<<1, threads>>>(y.data());
        });
    };
    CHECK(run(true) == std::pair(EXIT_SUCCESS, std::string()));
    auto const [status, errors] = run(false);
    CHECK(status == EXIT_FAILURE);
    for (char const* words : {"64 times: kernel", "swap", "race of threads", "PTX line"})
        CHECK(errors.find(words) != std::string::npos);
    CHECK(in_process([] {
              Ints const y(threads);
              copy<<<1, threads>>>(y.data(), nullptr);
          }).first == EXIT_FAILURE);
}

TEST_CASE("ptx runtime: which kernels ran") {
    TemporaryDirectory const folder;
    auto const file = folder / "coverage.txt";
    for (int times : {1, 2}) {
        CAPTURE(times);
        CHECK(in_process([&] {
                  setenv("ZWALK_PTX_COVERAGE", file.c_str(), 1);
                  Ints const y(counted());
                  swap<true><<<1, threads>>>(y.data());
              }).first == EXIT_SUCCESS);
    }
    std::ifstream in(file);
    int rows = 0, never = 0, ran = 0;
    std::string name;
    for (long launches, instructions; in >> launches >> instructions >> name; ++rows) {
        CHECK((launches > 0) == (instructions > 0));
        if (name.find("not_known") != std::string::npos) never += launches == 0;
        if (name.find("swapILb1E") != std::string::npos) ran += launches > 0;
    }
    CHECK(rows == 2 * 6);
    CHECK(never == 2);
    CHECK(ran == 2);
}
