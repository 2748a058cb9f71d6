// Runs copies of kernels many times with delays at random, and compares what they leave in memory
// with what the kernel itself leaves, bit for bit.
//
//   harness FOLDER RUNS kernel ID all copies of a kernel that are claimed to be right, one line of CSV each
//   harness FOLDER RUNS one ID    one copy: it may be wrong, hang or fault, which ends the process
//   harness FOLDER RUNS time ID   microseconds of a kernel without delays, with and without what is
//                                 unnecessary: RUNS launches one after the other, the best of seven
#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

static const char *at = "";
static void must(CUresult r, const char *what) {
  if (r == CUDA_SUCCESS) return;
  const char *name = "?";
  cuGetErrorName(r, &name);
  printf("%s,error,%s,%s\n", at, what, name);
  fflush(stdout);
  _exit(3);
}

struct Buffer { CUdeviceptr now, first, right; size_t bytes; bool isCompared; };
struct Copy {
  std::string id, kernel, entry, role;
  int grid[3], block[3], cluster[3], shared;
  std::vector<std::string> params;
};

__global__ void count_unequal(const uint32_t *a, const uint32_t *b, size_t words, unsigned *count) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words; i += gridDim.x * (size_t)blockDim.x)
    if (a[i] != b[i]) atomicAdd(count, 1);
}

static std::vector<std::string> split(const std::string &text, char by) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}

/** `4` or `4x2x1`. */
static void readDimensions(const std::string &word, int (&to)[3]) {
  auto parts = split(word, 'x');
  for (size_t i = 0; i < 3; i++) to[i] = i < parts.size() ? atoi(parts[i].c_str()) : 1;
}

static std::vector<Copy> readManifest(const std::string &folder) {
  std::vector<Copy> copies;
  std::ifstream in(folder + "/manifest.txt");
  for (std::string line; std::getline(in, line);) {
    auto words = split(line, ' ');
    if (words.size() < 10) continue;
    Copy c{words[0], words[1], words[2], words[3], {},
           {atoi(words[5].c_str()), atoi(words[6].c_str()), atoi(words[7].c_str())},
           {}, atoi(words[9].c_str()), {}};
    readDimensions(words[4], c.grid);
    readDimensions(words[8], c.cluster);
    c.params.assign(words.begin() + 10, words.end());
    copies.push_back(c);
  }
  return copies;
}

/** Half-precision numbers that are small integers, so that sums are exact. */
static uint16_t half(int value) {
  static const uint16_t table[5] = {0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000};
  return table[value % 5];
}

struct Kernel {
  std::vector<Buffer> buffers;
  std::vector<std::vector<char>> arguments;
  unsigned *count;
  bool isCooperative = false, isDependent = false;

  Buffer &buffer(const std::string &kind, size_t bytes, bool isCompared) {
    std::vector<uint32_t> words(bytes / 4);
    uint32_t x = 12345 + 77 * buffers.size();
    for (auto &word : words) {
      x = x * 1664525 + 1013904223;
      uint32_t y = (x >> 8) * 0x21F0AAAD;
      if (kind == "int") word = y >> 7;
      else if (kind == "half") word = half(y >> 9) | (uint32_t)half(y >> 20) << 16;
      else if (kind == "tile") word = (uint32_t)(&word - words.data()) / 4;
      else word = 0;
    }
    Buffer b{0, 0, 0, bytes, isCompared};
    must(cuMemAlloc(&b.now, bytes), "alloc");
    must(cuMemAlloc(&b.first, bytes), "alloc");
    must(cuMemAlloc(&b.right, bytes), "alloc");
    must(cuMemcpyHtoD(b.first, words.data(), bytes), "copy");
    buffers.push_back(b);
    return buffers.back();
  }

  /**
   * Parameters: i32:5, i64:5, f32:1, bytes:HEX, buf:KIND:BYTES[:skip], ints:1x2x3:BYTES,
   * map:TYPE:DIMS:BOX:SWIZZLE:KIND:BYTES; attribute:cooperative and attribute:dependent are none.
   */
  explicit Kernel(const Copy &copy) {
    must(cuMemAlloc((CUdeviceptr *)&count, 4), "alloc");
    for (const auto &word : copy.params) {
      auto parts = split(word, ':');
      std::vector<char> bytes;
      if (parts[0] == "i32") {
        int value = atoi(parts[1].c_str());
        bytes.assign((char *)&value, (char *)&value + 4);
      } else if (parts[0] == "i64") {
        long long value = atoll(parts[1].c_str());
        bytes.assign((char *)&value, (char *)&value + 8);
      } else if (parts[0] == "f32") {
        float value = (float)atof(parts[1].c_str());
        bytes.assign((char *)&value, (char *)&value + 4);
      } else if (parts[0] == "attribute") {
        (parts[1] == "cooperative" ? isCooperative : isDependent) = true;
        continue;
      } else if (parts[0] == "ints") {
        std::vector<int> values;
        for (auto &text : split(parts[1], 'x')) values.push_back(atoi(text.c_str()));
        auto &b = buffer("zero", strtoull(parts[2].c_str(), nullptr, 10), true);
        must(cuMemcpyHtoD(b.first, values.data(), values.size() * 4), "copy");
        bytes.assign((char *)&b.now, (char *)&b.now + 8);
      } else if (parts[0] == "bytes") {
        for (size_t i = 0; i + 1 < parts[1].size(); i += 2)
          bytes.push_back((char)strtol(parts[1].substr(i, 2).c_str(), nullptr, 16));
      } else if (parts[0] == "buf") {
        auto &b = buffer(parts[1], strtoull(parts[2].c_str(), nullptr, 10), parts.size() < 4);
        bytes.assign((char *)&b.now, (char *)&b.now + 8);
      } else {
        CUtensorMap map;
        auto dims = split(parts[2], 'x'), box = split(parts[3], 'x');
        bool isHalf = parts[1] == "f16", isByte = parts[1] == "u8";
        auto &b = buffer(parts[5], strtoull(parts[6].c_str(), nullptr, 10), true);
        cuuint64_t sizes[5], strides[5];
        cuuint32_t boxes[5], steps[5];
        uint64_t stride = isByte ? 1 : isHalf ? 2 : 4;
        for (size_t i = 0; i < dims.size(); i++) {
          sizes[i] = strtoull(dims[i].c_str(), nullptr, 10);
          boxes[i] = atoi(box[i].c_str());
          steps[i] = 1;
          stride *= sizes[i];
          strides[i] = stride;
        }
        auto swizzle = parts[4] == "128" ? CU_TENSOR_MAP_SWIZZLE_128B : parts[4] == "64" ? CU_TENSOR_MAP_SWIZZLE_64B
                       : parts[4] == "32" ? CU_TENSOR_MAP_SWIZZLE_32B : CU_TENSOR_MAP_SWIZZLE_NONE;
        must(cuTensorMapEncodeTiled(&map, isByte ? CU_TENSOR_MAP_DATA_TYPE_UINT8 : isHalf ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                                    dims.size(), (void *)b.now, sizes, strides, boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                    swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE), "map");
        bytes.assign((char *)&map, (char *)&map + 128);
      }
      arguments.push_back(bytes);
    }
  }
};

struct Loaded { CUmodule module; CUfunction function; CUdeviceptr seed; };

static Loaded loadCopy(const std::string &folder, const Copy &copy) {
  std::ifstream in(folder + "/cubin/" + copy.id + ".cubin", std::ios::binary);
  std::string image((std::istreambuf_iterator<char>(in)), {});
  Loaded loaded;
  must(cuModuleLoadData(&loaded.module, image.data()), "load");
  must(cuModuleGetFunction(&loaded.function, loaded.module, copy.entry.c_str()), "function");
  size_t bytes;
  must(cuModuleGetGlobal(&loaded.seed, &bytes, loaded.module, "poundlock_seed"), "seed");
  if (copy.shared > 0)
    must(cuFuncSetAttribute(loaded.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, copy.shared), "shared");
  return loaded;
}

static void launch(const Copy &copy, const Loaded &loaded, Kernel &kernel) {
  // Tensor maps have to be aligned.
  alignas(64) static char block[64][256];
  void *pointers[64];
  for (size_t i = 0; i < kernel.arguments.size(); i++) {
    memcpy(block[i], kernel.arguments[i].data(), kernel.arguments[i].size());
    pointers[i] = block[i];
  }
  CUlaunchConfig config = {};
  CUlaunchAttribute attributes[3];
  config.attrs = attributes;
  config.gridDimX = copy.grid[0], config.gridDimY = copy.grid[1], config.gridDimZ = copy.grid[2];
  config.blockDimX = copy.block[0], config.blockDimY = copy.block[1], config.blockDimZ = copy.block[2];
  config.sharedMemBytes = copy.shared;
  if (copy.cluster[0] * copy.cluster[1] * copy.cluster[2] > 1) {
    auto &attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = copy.cluster[0];
    attribute.value.clusterDim.y = copy.cluster[1];
    attribute.value.clusterDim.z = copy.cluster[2];
  }
  if (kernel.isCooperative) {
    auto &attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
  }
  if (kernel.isDependent) {
    auto &attribute = attributes[config.numAttrs++];
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  must(cuLaunchKernelEx(&config, loaded.function, pointers, nullptr), "launch");
}

/** Waits for the kernel; one that does not end in time ends the process. */
static void finish(double seconds) {
  auto start = std::chrono::steady_clock::now();
  for (;;) {
    CUresult r = cuStreamQuery(nullptr);
    if (r == CUDA_SUCCESS) return;
    if (r != CUDA_ERROR_NOT_READY) must(r, "run");
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) {
      printf("%s,hang,,\n", at);
      fflush(stdout);
      _exit(4);
    }
  }
}

static void reset(Kernel &kernel) {
  for (auto &b : kernel.buffers) must(cuMemcpyDtoDAsync(b.now, b.first, b.bytes, nullptr), "reset");
}

/** What the kernel itself leaves. */
static void findRight(const std::string &folder, const Copy &plain, Kernel &kernel) {
  auto loaded = loadCopy(folder, plain);
  reset(kernel);
  launch(plain, loaded, kernel);
  finish(5);
  for (auto &b : kernel.buffers) must(cuMemcpyDtoD(b.right, b.now, b.bytes), "copy");
  must(cuModuleUnload(loaded.module), "unload");
}

static void runCopy(const std::string &folder, const Copy &copy, Kernel &kernel, int runs) {
  at = copy.id.c_str();
  auto loaded = loadCopy(folder, copy);
  int wrong = 0;
  double seconds = 0;
  bool isPlain = copy.role.rfind("plain", 0) == 0;
  for (int run = 0; run < runs; run++) {
    reset(kernel);
    uint32_t seed = isPlain ? 0 : 0x9E3779B1u * (run + 1) | 1;
    must(cuMemcpyHtoD(loaded.seed, &seed, 4), "seed");
    must(cuMemsetD32Async((CUdeviceptr)kernel.count, 0, 1, nullptr), "count");
    finish(5);
    auto start = std::chrono::steady_clock::now();
    launch(copy, loaded, kernel);
    finish(3);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (auto &b : kernel.buffers)
      if (b.isCompared)
        count_unequal<<<32, 256>>>((uint32_t *)b.now, (uint32_t *)b.right, b.bytes / 4, kernel.count);
    unsigned count;
    must(cuMemcpyDtoH(&count, (CUdeviceptr)kernel.count, 4), "count");
    wrong += count > 0;
  }
  printf("%s,%s,%d,%d,%.2f\n", copy.id.c_str(), wrong > 0 ? "wrong" : "equal", runs, wrong, seconds / runs * 1e6);
  fflush(stdout);
  must(cuModuleUnload(loaded.module), "unload");
}

/** Microseconds of a launch, of many in one stream. */
static double timeOf(const Copy &copy, const Loaded &loaded, Kernel &kernel, int runs, CUevent from, CUevent to) {
  must(cuEventRecord(from, nullptr), "event");
  for (int run = 0; run < runs; run++) launch(copy, loaded, kernel);
  must(cuEventRecord(to, nullptr), "event");
  finish(20);
  float milliseconds;
  must(cuEventElapsedTime(&milliseconds, from, to), "time");
  return milliseconds * 1000 / runs;
}

static void compareTimes(const std::string &folder, const Copy &plain, const Copy &set, Kernel &kernel, int runs) {
  at = plain.kernel.c_str();
  const Copy *copies[2] = {&plain, &set};
  Loaded loaded[2];
  const uint32_t none = 0;
  for (int i = 0; i < 2; i++) {
    loaded[i] = loadCopy(folder, *copies[i]);
    must(cuMemcpyHtoD(loaded[i].seed, &none, 4), "seed");
  }
  CUevent from, to;
  must(cuEventCreate(&from, 0), "event");
  must(cuEventCreate(&to, 0), "event");
  double best[2] = {1e9, 1e9}, worst[2] = {0, 0};
  for (int round = 0; round < 8; round++)
    for (int i = 0; i < 2; i++) {
      reset(kernel);
      double time = timeOf(*copies[i], loaded[i], kernel, runs, from, to);
      // The first round warms caches and clocks.
      if (round == 0) continue;
      best[i] = std::min(best[i], time);
      worst[i] = std::max(worst[i], time);
    }
  printf("%s,%.4f,%.4f,%.4f,%.4f\n", plain.kernel.c_str(), best[0], worst[0], best[1], worst[1]);
}

int main(int argc, char **argv) {
  std::string folder = argv[1], mode = argv[3];
  int runs = atoi(argv[2]);
  auto copies = readManifest(folder);
  std::map<std::string, Copy> plain;
  for (auto &copy : copies) if (copy.role == "plain") plain[copy.kernel] = copy;
  must(cuInit(0), "init");
  cudaFree(nullptr);
  if (mode == "time") {
    for (auto &copy : copies)
      if (copy.kernel == argv[4] && copy.role == "plainset") {
        Kernel kernel(copy);
        compareTimes(folder, plain[argv[4]], copy, kernel, runs);
      }
    return 0;
  }
  std::map<std::string, Kernel *> kernels;
  for (auto &copy : copies) {
    bool isWanted = mode == "one" ? copy.id == argv[4] : copy.kernel == argv[4] && copy.role != "needed" && copy.role != "practice";
    if (!isWanted) continue;
    at = copy.id.c_str();
    auto &kernel = kernels[copy.kernel];
    if (kernel == nullptr) {
      kernel = new Kernel(plain[copy.kernel]);
      findRight(folder, plain[copy.kernel], *kernel);
    }
    runCopy(folder, copy, *kernel, runs);
  }
  return 0;
}
