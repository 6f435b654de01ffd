// What the commands share: options, progress, timing.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../io/points.hpp"
#include "command_line.hpp"
#include "sphere.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"

namespace zwalk::apps {

/// Options of every command that computes, as text.
struct Common {
    std::string box, precision, device = "auto", threads = "0", memory_budget, order = "input", stats,
                                dataset = "PartType1/Coordinates", columns, sphere;
    bool wrap = false, quiet = false, force = false;
};
void add_common_options(Command& command, Common& common);

/// Adds the options that choose the points in a file: --dataset and --columns, also for commands that only read.
void add_reading_options(Command& command, std::string& dataset, std::string& columns);
/// How files are read by the values of these options and of --precision.
/// @throws InputError  they make no sense
io::ReadOptions read_options(std::string const& precision, std::string const& dataset,
                             std::string const& columns);

/// Help for the argument INPUT.
inline constexpr char const* input_help =
    "Points: .npy, .hdf5, .h5, or text: .csv, .txt, .tsv, .dat, .xyz, .asc, .pts (.gz); -: from stdin";

/// Period per axis for the library: from --box, else from the file's header; empty if all is open.
std::vector<double> box_of(Common const& common, io::PointSet const& points);
/// Why an HDF5 file gives no period, where --box doesn't give one; "" if that isn't so.
std::string box_note(Common const& common, io::PointSet const& points);

/// What the common options settle before a file is read.
struct CommonPlan {
    Order order = Order::input;
    int threads = 0;
    std::uint64_t budget = 0;  ///< 0: none
    io::ReadOptions read;
    Sphere sphere;
    std::string device;           ///< auto, cpu or cuda
    std::optional<Cuda> of_rank;  ///< on MPI ranks: the GPU of this one, if it is to work on one

    [[nodiscard]] Cpu cpu() const { return Cpu(threads, budget); }
    [[nodiscard]] Cuda cuda() const { return of_rank ? *of_rank : Cuda{.memory_budget = budget}; }
};
/// @throws InputError  an option that makes no sense
CommonPlan common_plan(Common const& common);
/// The sphere that --sphere describes, with --precision.
/// @throws InputError  there is a box, too
Sphere sphere_of(Common const& common, int threads);

/// @throws InputError  a file of so many columns has more than one number per row
void check_column(std::string const& file, int columns);
/// One number per row of a file, in double.
/// @throws InputError  there are more columns
std::vector<double> read_column(std::string const& file, std::string const& dataset);
/// The dataset of a snapshot's masses, by that of its coordinates.
std::string masses_beside(std::string const& dataset);
/// @throws InputError  they aren't one for each of so many points
void check_masses(std::string const& file, io::PointSet const& masses, std::uint64_t points);

/// Moves the coordinates of periodic axes into [0, L), in the precision of the points.
void wrap_into_box(io::PointSet& points, std::vector<double> const& box);

/// The value of --device: auto, cpu or cuda. Refuses cuda where no GPU can be used.
std::string asked_device(Common const& common);

/// What `auto` stands for with points of `dim` columns: a GPU where there is one, and kernels for them.
/// @return cpu or cuda
std::string device_for(std::string const& asked, int dim);

/// The phase at work on one line of stderr, if that is a terminal.
class Progress {
  public:
    explicit Progress(bool quiet);
    Progress(Progress const&) = delete;
    Progress& operator=(Progress const&) = delete;
    ~Progress() { clear(); }
    void phase(std::string const& what);
    void clear();

  private:
    bool shown_;
};

class Timer {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Prints the notes of a file's reader on stderr.
void print_notes(io::PointSet const& points, bool quiet);
/// Prints the notes on further points (`name`: queries, ...), which were read in the precision of the points.
/// @param asked  --precision: if it is given, rounding is meant
void print_notes(io::PointSet const& more, char const* name, std::optional<io::Precision> asked,
                 bool quiet);
/// One line on stderr, unless it is empty.
void print_note(std::string const& note, bool quiet);

/// @throws InputError  the queries have other columns than the points
void check_queries(int query_columns, int columns);

}  // namespace zwalk::apps
