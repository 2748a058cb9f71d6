// Measures the GPU of this machine: the tables that `poundlock calibrate` reads.
//
//   bench/cuda/run.sh OUT                    builds this and runs it
//   measure OUT [--seconds N] [TABLE…]       the rows that OUT does not have yet
//
// Each table is a file OUT/TABLE.csv; a run that ends early is continued by the next. Exit code: 0 all
// is measured, 2 no GPU or a failure, 3 a row hangs (start again: it is left out), 4 the time is up.
#include "cluster.cuh"
#include "instructions.cuh"
#include "kinds.cuh"
#include "memory.cuh"
#include "micro.cuh"
#include "resident.cuh"
#include "store.cuh"
#include "tensor-probes.cuh"
#include "whole.cuh"
#include "work.cuh"

__global__ void fill_places(uint32_t *source, long long words) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += step) source[i] = i;
}

enum Need { ANY, HOPPER_ONLY, WGMMA_ONLY };

struct Work {
  const char *name;
  Need need;
  /** Whether the words of the source must say where they are. */
  bool places;
  void (*measure)();
};

static const Work WORKS[] = {
    {"micro", HOPPER_ONLY, true, measure_micro},
    {"instructions", ANY, true, measure_instructions},
    {"two_role", HOPPER_ONLY, true, measure_two_role},
    {"probe_copies", HOPPER_ONLY, true, measure_probe_copies},
    {"three_role", HOPPER_ONLY, true, measure_three_role},
    {"release_order", HOPPER_ONLY, true, measure_release_order},
    {"styles", HOPPER_ONLY, true, measure_styles},
    {"tensormap", HOPPER_ONLY, true, measure_tensormap},
    {"multicast", HOPPER_ONLY, true, measure_multicast},
    {"store", HOPPER_ONLY, true, measure_store},
    {"cp_async", ANY, true, measure_cp_async},
    {"work", HOPPER_ONLY, true, measure_work},
    {"chain", HOPPER_ONLY, true, measure_chains},
    {"waves", HOPPER_ONLY, true, measure_waves},
    {"resident_store", HOPPER_ONLY, true, measure_resident_store},
    {"resident_cp_async", ANY, true, measure_resident_cp_async},
    {"bandwidth", ANY, true, measure_bandwidth},
    {"groups", HOPPER_ONLY, true, measure_groups},
    {"dsmem", HOPPER_ONLY, true, measure_cluster},
    {"probe_store", HOPPER_ONLY, true, measure_probe_store},
    {"clocks", HOPPER_ONLY, true, measure_ring_clocks},
    {"tensor_core", WGMMA_ONLY, false, measure_tensor_core},
    {"resident_tensor_core", WGMMA_ONLY, false, measure_resident_tensor},
    {"wgmma", WGMMA_ONLY, false, measure_wgmma},
    {"probe_mm", WGMMA_ONLY, false, measure_probe_mm},
    {"probe_producer", WGMMA_ONLY, false, measure_probe_producer},
    {"attention", WGMMA_ONLY, false, measure_attention},
    {"gemm", WGMMA_ONLY, false, measure_gemm},
    {"clocks", WGMMA_ONLY, false, measure_clocks},
};

static void open_machine() {
  mkdir(machine.folder.c_str(), 0777);
  CHECK(cudaGetDeviceProperties(&machine.gpu, 0));
  const cudaDeviceProp &gpu = machine.gpu;
  machine.sms = gpu.multiProcessorCount;
  machine.hopper = gpu.major >= 9;
  machine.wgmma = gpu.major == 9;
  // A kernel has a few hundred bytes of barriers, too.
  machine.shared = static_cast<int>(gpu.sharedMemPerBlockOptin) - 2048;
  size_t free = 0, all = 0;
  CHECK(cudaMemGetInfo(&free, &all));
  machine.source_bytes = std::min<size_t>(2ull << 30, free / 2) >> 20 << 20;
  machine.sink_bytes = std::min<size_t>(1ull << 30, free / 8) >> 20 << 20;
  machine.flush_bytes = 2ull * gpu.l2CacheSize;
  machine.most_spans = 16 * machine.sms;
  CHECK(cudaMalloc(&machine.source, machine.source_bytes));
  CHECK(cudaMalloc(&machine.sink, machine.sink_bytes));
  CHECK(cudaMalloc(&machine.flush, machine.flush_bytes));
  CHECK(cudaMalloc(&machine.spans, machine.most_spans * sizeof(Span)));
  int megahertz = 0, driver = 0;
  CHECK(cudaDeviceGetAttribute(&megahertz, cudaDevAttrClockRate, 0));
  CHECK(cudaDriverGetVersion(&driver));
  Table table("device", "name",
              "capability,sms,clock_mhz,l2_bytes,shared_bytes_per_sm,shared_bytes_per_cta,memory_bytes,driver,cuda");
  if (table.wants(gpu.name))
    table.add(gpu.name, text("%d.%d,%d,%d,%d,%zu,%zu,%zu,%d,%d", gpu.major, gpu.minor, gpu.multiProcessorCount,
                             megahertz / 1000, gpu.l2CacheSize, gpu.sharedMemPerMultiprocessor,
                             gpu.sharedMemPerBlockOptin, all, driver, CUDART_VERSION));
  machine.megahertz = megahertz / 1000;
  if (FILE *file = fopen((machine.folder + "/hung.txt").c_str(), "r")) {
    char line[1024];
    while (fgets(line, sizeof line, file)) machine.hung.insert(std::string(line, strcspn(line, "\n")));
    fclose(file);
  }
}

int main(int count, char **words) {
  std::set<std::string> only;
  for (int i = 1; i < count; i++) {
    const std::string word = words[i];
    if (word == "--seconds" && i + 1 < count) machine.seconds_left = atof(words[++i]);
    else if (machine.folder.empty()) machine.folder = word;
    else only.insert(word);
  }
  for (const std::string &name : only)
    if (std::none_of(std::begin(WORKS), std::end(WORKS), [&](const Work &work) { return name == work.name; })) {
      fprintf(stderr, "there is no table %s\n", name.c_str());
      return FAILED;
    }
  if (machine.folder.empty()) {
    fprintf(stderr, "usage: measure OUT [--seconds N] [TABLE…]\n");
    return FAILED;
  }
  seconds();
  open_machine();
  printf("%s, %d SMs, compute capability %d.%d\n", machine.gpu.name, machine.sms, machine.gpu.major, machine.gpu.minor);
  check_timer();
  bool placed = false;
  for (const Work &work : WORKS) {
    if (!only.empty() && !only.count(work.name)) continue;
    if ((work.need != ANY && !machine.hopper) || (work.need == WGMMA_ONLY && !machine.wgmma)) {
      printf("%-18s left out: this GPU has no %s\n", work.name, work.need == WGMMA_ONLY ? "wgmma" : "bulk copies");
      continue;
    }
    if (work.places && !placed) fill_places<<<4 * machine.sms, 256>>>(reinterpret_cast<uint32_t *>(machine.source), machine.source_bytes / 4);
    placed = work.places;
    const double begin = seconds();
    const int before = machine.written;
    work.measure();
    printf("%-18s %5d rows in %6.1f s\n", work.name, machine.written - before, seconds() - begin);
    fflush(stdout);
  }
  printf("%d rows in %.1f s, %d with wrong words\n", machine.written, seconds(), machine.wrong);
  return machine.wrong ? FAILED : DONE;
}
