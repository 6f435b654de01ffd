#include "knn_sources.hpp"

#include <filesystem>
#include <ostream>
#include <utility>

#include "../io/file.hpp"
#include "side_file.hpp"

namespace zwalk::apps {

io::PointSet OwnSources::read(OneProcess&, std::string const& file, KnnPlan& plan) {
    io::check_input_file(file);
    plan.device = device_for(plan.device, index_dim(file));
    io::PointSet points;
    auto const keep = [&]<class T>(auto index, T) {
        points.rows = Buffer<T>();
        points.size = points.total = index.size();
        points.dim = index.dim();
        points.box = index.box();
        points.file_bytes = std::filesystem::file_size(file);
        index_ = std::move(index);
    };
    auto const load = [&]<class T>(T zero) {
        if (plan.device == "cuda") keep(CudaIndex<T>::load(file, plan.cuda()), zero);
        else keep(Index<T>::load(file, plan.cpu()), zero);
    };
    if (index_item_bytes(file) == 4) load(0.F);
    else load(0.);
    return points;
}

template <class T>
void OwnSources::write(std::string const& path, std::string const& name) const {
    write_side_file(path, name, [&](std::ostream& out) { std::get<Index<T>>(index_).write(out); });
}
template void OwnSources::write<float>(std::string const&, std::string const&) const;
template void OwnSources::write<double>(std::string const&, std::string const&) const;

}  // namespace zwalk::apps
