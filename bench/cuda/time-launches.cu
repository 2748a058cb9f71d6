// Times recorded launches on a GPU. Build and run:
//   node bench/real.mjs --plan RECORDED > plan.txt
//   nvcc -O2 -std=c++17 -o time-launches bench/cuda/time-launches.cu -lcuda
//   ./time-launches plan.txt >> times.csv        again after a fault or a hang: it goes on behind it
// A line of the plan is one launch, its fields separated by tabs: name, PTX file, kernel, grid, block,
// cluster, bytes of dynamic shared memory, buffers (their bytes), parameters (their bytes as hex
// digits), pointers (parameter, offset in it, buffer, offset in that), tensor maps (the same, then type,
// interleave, swizzle, fill, rank, dimensions, strides, box and element strides). Buffers hold zeros. A row is the
// median of 12 graphs of 20 launches (3 of 4 for those above 2 ms), in microseconds of one launch.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

static std::string running;
static void fail(const char *what) {
  printf("%s,%s\n", running.c_str(), what);
  fflush(stdout);
  _exit(3);
}
static void hung(int) { fail("hangs"); }
#define CHECK(call)                            \
  do {                                         \
    const CUresult code = (call);              \
    if (code != CUDA_SUCCESS) {                \
      const char *text = "?";                  \
      cuGetErrorName(code, &text);             \
      fail(text);                              \
    }                                          \
  } while (0)

static std::vector<std::string> fields(const std::string &line, char at) {
  std::vector<std::string> all;
  std::stringstream in(line);
  for (std::string one; std::getline(in, one, at);) all.push_back(one);
  return all;
}

static std::vector<long long> numbers(const std::string &text, char at = ' ') {
  std::vector<long long> all;
  for (const auto &one : fields(text, at)) all.push_back(std::stoll(one));
  return all;
}

static CUtensorMap encoded(const std::vector<long long> &of, CUdeviceptr address) {
  alignas(64) CUtensorMap map;
  const auto rank = static_cast<cuuint32_t>(of[8]);
  const auto dimensions = of.begin() + 9, strides = dimensions + rank, box = strides + rank - 1;
  const std::vector<cuuint64_t> sizes(dimensions, strides), steps(strides, box);
  const std::vector<cuuint32_t> boxes(box, box + rank), elements(box + rank, of.end());
  CHECK(cuTensorMapEncodeTiled(
      &map, static_cast<CUtensorMapDataType>(of[4]), rank, reinterpret_cast<void *>(address), sizes.data(),
      steps.data(), boxes.data(), elements.data(), static_cast<CUtensorMapInterleave>(of[5]),
      static_cast<CUtensorMapSwizzle>(of[6]), CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
      static_cast<CUtensorMapFloatOOBfill>(of[7])));
  return map;
}

static double timed(CUgraphExec exec, CUstream stream, CUevent begin, CUevent end) {
  float milliseconds;
  CHECK(cuEventRecord(begin, stream));
  CHECK(cuGraphLaunch(exec, stream));
  CHECK(cuEventRecord(end, stream));
  CHECK(cuEventSynchronize(end));
  CHECK(cuEventElapsedTime(&milliseconds, begin, end));
  return milliseconds * 1000;
}

static double measure(const CUlaunchConfig &config, CUfunction function, void **parameters, int launches, int runs) {
  const CUstream stream = config.hStream;
  CUevent begin, end;
  CHECK(cuEventCreate(&begin, 0));
  CHECK(cuEventCreate(&end, 0));
  CUgraph graph;
  CUgraphExec exec;
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  for (int i = 0; i < launches; i++) CHECK(cuLaunchKernelEx(&config, function, parameters, nullptr));
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  std::vector<double> times;
  for (int run = 0; run <= runs; run++) {
    const double time = timed(exec, stream, begin, end);
    if (run > 0) times.push_back(time / launches);
  }
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(graph));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

static void launch(const std::vector<std::string> &line, std::map<std::string, CUmodule> &modules, CUstream stream) {
  CUmodule &module = modules[line[1]];
  if (module == nullptr) {
    std::ifstream in(line[1], std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    CHECK(cuModuleLoadData(&module, text.str().c_str()));
  }
  CUfunction function;
  CHECK(cuModuleGetFunction(&function, module, line[2].c_str()));
  const auto grid = numbers(line[3]), block = numbers(line[4]), cluster = numbers(line[5]);
  const int shared = std::stoi(line[6]);
  if (shared > 0) CHECK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared));
  std::vector<CUdeviceptr> buffers;
  for (const long long bytes : numbers(line[7])) {
    CUdeviceptr at = 0;
    CHECK(cuMemAlloc(&at, std::max(256ll, bytes)));
    CHECK(cuMemsetD8(at, 0, std::max(256ll, bytes)));
    buffers.push_back(at);
  }
  std::vector<std::vector<uint8_t>> values;
  for (const auto &hex : fields(line[8], ' ')) {
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i + 1 < hex.size(); i += 2) bytes.push_back(std::stoi(hex.substr(i, 2), nullptr, 16));
    values.push_back(bytes);
  }
  if (line.size() > 9)
    for (const auto &pointer : fields(line[9], ' ')) {
      const auto parts = fields(pointer, ':');
      const CUdeviceptr at = buffers[std::stoi(parts[2])] + std::stoll(parts[3]);
      memcpy(values[std::stoi(parts[0])].data() + std::stoi(parts[1]), &at, sizeof at);
    }
  if (line.size() > 10)
    for (const auto &text : fields(line[10], ' ')) {
      const auto of = numbers(text, ':');
      const CUtensorMap map = encoded(of, buffers[of[2]] + of[3]);
      memcpy(values[of[0]].data() + of[1], &map, sizeof map);
    }
  std::vector<void *> parameters;
  for (auto &value : values) parameters.push_back(value.data());
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {(unsigned)cluster[0], (unsigned)cluster[1], (unsigned)cluster[2]};
  CUlaunchConfig config{};
  config.gridDimX = grid[0], config.gridDimY = grid[1], config.gridDimZ = grid[2];
  config.blockDimX = block[0], config.blockDimY = block[1], config.blockDimZ = block[2];
  config.sharedMemBytes = shared, config.hStream = stream;
  config.attrs = &attribute, config.numAttrs = cluster[0] * cluster[1] * cluster[2] > 1 ? 1 : 0;
  CHECK(cuLaunchKernelEx(&config, function, parameters.data(), nullptr));
  CHECK(cuStreamSynchronize(stream));
  const double once = measure(config, function, parameters.data(), 1, 3);
  const double time = once > 2000 ? measure(config, function, parameters.data(), 4, 3)
                                  : measure(config, function, parameters.data(), 20, 12);
  int registers = 0;
  CHECK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  printf("%s,%.2f,%d\n", running.c_str(), time, registers);
  fflush(stdout);
  for (const CUdeviceptr at : buffers) CHECK(cuMemFree(at));
}

int main(int count, char **arguments) {
  if (count < 2) return fprintf(stderr, "usage: time-launches PLAN [TIMES]\n"), 2;
  std::set<std::string> done;
  if (count > 2) {
    std::ifstream before(arguments[2]);
    for (std::string line; std::getline(before, line);) done.insert(line.substr(0, line.find(',')));
  }
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, 0));
  signal(SIGALRM, hung);
  std::map<std::string, CUmodule> modules;
  std::ifstream plan(arguments[1]);
  for (std::string line; std::getline(plan, line);) {
    const auto parts = fields(line, '\t');
    if (parts.size() < 9 || done.count(parts[0])) continue;
    running = parts[0];
    alarm(10);
    launch(parts, modules, stream);
    alarm(0);
  }
  return 0;
}
