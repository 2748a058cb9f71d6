// The host's side: tables that are continued where they ended, launches with a watchdog, memory.
#pragma once
#include "device.cuh"
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <set>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    cudaError_t e = (call);                                                                  \
    if (e != cudaSuccess) {                                                                  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));             \
      _exit(2);                                                                              \
    }                                                                                        \
  } while (0)

/** Runs of a row: the median of these, after one that is checked and not timed. */
constexpr int RUNS = 5;
/** A launch that takes longer hangs. */
constexpr int MOST_SECONDS = 5;
/** A table with more rows that hang is left. */
constexpr int MOST_HANGS = 3;
/** What the tables call `l2` reads so much again and again in each CTA. */
constexpr long long WINDOW = 256 * 1024;

/** Exit codes of the program; the script starts it again after a hang. */
enum Exit { DONE = 0, FAILED = 2, HUNG = 3, STOPPED = 4 };

struct Machine {
  std::string folder;
  cudaDeviceProp gpu{};
  int sms = 0, shared = 0, megahertz = 0;
  /** What an empty span takes by the GPU's timer. */
  double timer_ns = 0;
  bool hopper = false, wgmma = false;
  char *source = nullptr, *sink = nullptr, *flush = nullptr;
  size_t source_bytes = 0, sink_bytes = 0, flush_bytes = 0;
  Span *spans = nullptr;
  int most_spans = 0;
  double seconds_left = 1e9;
  std::set<std::string> hung;
  int wrong = 0, written = 0;
};

inline Machine machine;

inline double seconds() {
  static const auto begin = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline std::string text(const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

/** A table: each row begins with its parameters, by which it is found again. */
class Table {
  std::string name_, path_;
  std::set<std::string> keys_;
  std::vector<std::string> rows_;
  int width_;

public:
  /** `parameters` are the columns that a row is found by, `results` the others. */
  Table(const char *name, const std::string &parameters, const std::string &results)
      : name_(name), path_(machine.folder + "/" + name + ".csv") {
    width_ = 1 + std::count(parameters.begin(), parameters.end(), ',');
    if (FILE *file = fopen(path_.c_str(), "r")) {
      char line[1024];
      while (fgets(line, sizeof line, file)) {
        if (!strchr(line, '\n')) break;
        rows_.push_back(line);
        keys_.insert(key(line));
      }
      fclose(file);
    }
    if (rows_.empty()) rows_.push_back(parameters + "," + results + "\n");
    if (FILE *file = fopen(path_.c_str(), "w")) {
      for (const auto &row : rows_) fputs(row.c_str(), file);
      fclose(file);
    } else {
      fprintf(stderr, "%s: cannot be written\n", path_.c_str());
      _exit(FAILED);
    }
  }

  std::string key(const std::string &row) const {
    size_t end = 0;
    for (int i = 0; i < width_ && end != std::string::npos; i++) end = row.find(',', end + (i > 0));
    return row.substr(0, end);
  }

  /** Whether the row is still to be measured; ends the program when its time is up. */
  bool wants(const std::string &key) const {
    if (keys_.count(key) || machine.hung.count(name_ + " " + key)) return false;
    const std::string begin = name_ + " ";
    const auto own = [&](const std::string &row) { return row.compare(0, begin.size(), begin) == 0; };
    if (std::count_if(machine.hung.begin(), machine.hung.end(), own) >= MOST_HANGS) return false;
    if (seconds() > machine.seconds_left) {
      printf("stopped: the time is up; run it again to go on\n");
      fflush(stdout);
      _exit(STOPPED);
    }
    return true;
  }

  void add(const std::string &key, const std::string &results) {
    keys_.insert(key);
    FILE *file = fopen(path_.c_str(), "a");
    fprintf(file, "%s,%s\n", key.c_str(), results.c_str());
    fclose(file);
    machine.written++;
  }

  const std::string &name() const { return name_; }
};

/** Ends the program with a note of the row that hangs, which the next start leaves out. */
[[noreturn]] inline void give_up(const std::string &row) {
  FILE *file = fopen((machine.folder + "/hung.txt").c_str(), "a");
  fprintf(file, "%s\n", row.c_str());
  fclose(file);
  fprintf(stderr, "hangs: %s\n", row.c_str());
  fflush(stderr);
  _exit(HUNG);
}

inline std::string running;

/** Waits for the GPU, but not forever. */
inline void wait_for_gpu() {
  const double begin = seconds();
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady) {
    if (seconds() - begin > MOST_SECONDS) give_up(running);
    if (seconds() - begin > 0.01) usleep(500);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", running.c_str(), cudaGetErrorString(error));
    give_up(running);
  }
}

/** Waits for the GPU; says how many wrong words the kernel has found. */
inline int finish() {
  wait_for_gpu();
  int errors = 0;
  CHECK(cudaMemcpyFromSymbol(&errors, device_errors, sizeof errors));
  const int none = 0;
  if (errors) CHECK(cudaMemcpyToSymbol(device_errors, &none, sizeof none));
  return errors;
}

struct Shape {
  int ctas = 1, threads = 32, shared = 0, cluster = 1;
  /** Whether several CTAs may share an SM. */
  bool dense = false;
};

template <class... Arguments>
void launch(void (*kernel)(Arguments...), const Shape &shape, Arguments... arguments) {
  // More than half of an SM's shared memory, so that each CTA has an SM to itself.
  const int half = static_cast<int>(machine.gpu.sharedMemPerMultiprocessor / 2);
  const int shared_bytes = shape.dense ? shape.shared : std::max(shape.shared, half);
  // The barriers of a kernel count, too.
  if (shared_bytes > 40 * 1024)
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  if (shape.cluster > 8)
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.ctas);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shared_bytes;
  cudaLaunchAttribute cluster{};
  if (shape.cluster > 1) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(shape.cluster), 1, 1};
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", running.c_str(), cudaGetErrorString(error));
    give_up(running);
  }
}

/** Fills the cache with dirty lines of other data. */
inline void flush_cache() {
  static int value = 0;
  CHECK(cudaMemsetAsync(machine.flush, ++value & 0xff, machine.flush_bytes));
}

inline double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double where = share * (values.size() - 1);
  const size_t low = static_cast<size_t>(where);
  const size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (where - low);
}

__global__ void nothing(Span *spans) { Clock::start().stop(spans); }

/** What reading the GPU's timer takes of it: an empty span. */
inline void check_timer() {
  std::vector<double> ns;
  for (int run = 0; run < 3 * RUNS; run++) {
    nothing<<<1, 1>>>(machine.spans);
    Span span;
    CHECK(cudaMemcpy(&span, machine.spans, sizeof span, cudaMemcpyDeviceToHost));
    ns.push_back(span.ns);
  }
  machine.timer_ns = quantile(ns, 0.5);
}

/** What five runs gave: in each of them the median, mean and slowest CTA. */
struct Times {
  std::vector<double> middle, mean, slowest, mhz, kernel_ns;
  int errors = 0;

  /** Cycles of the median CTA with quartiles of the runs, of the mean and slowest, the clock, wrong words. */
  std::string row() const {
    return text("%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%d", quantile(middle, 0.5), quantile(middle, 0.25),
                quantile(middle, 0.75), quantile(mean, 0.5), quantile(slowest, 0.5),
                quantile(mhz, 0.5), errors);
  }
};

/** The columns of `Times::row`. */
inline const char *TIMES = "total_cycles,q25,q75,mean_cycles,slowest_cycles,mhz,errors";

/** Reads the spans of a launch into `times`. */
inline void collect(Times &times, int ctas) {
  static std::vector<Span> spans;
  std::vector<double> each;
  spans.resize(ctas);
  CHECK(cudaMemcpy(spans.data(), machine.spans, ctas * sizeof(Span), cudaMemcpyDeviceToHost));
  double sum = 0, most = 0, count = 0, cycles = 0, ns = 0;
  long long begin = INT64_MAX, end = 0;
  for (const Span &span : spans) {
    if (span.cycles == 0) continue;
    each.push_back(span.cycles);
    count++, sum += span.cycles, most = std::max(most, double(span.cycles));
    cycles += span.cycles, ns += std::max(1.0, span.ns - machine.timer_ns);
    begin = std::min(begin, span.begin_ns), end = std::max(end, span.begin_ns + span.ns);
  }
  times.middle.push_back(each.empty() ? 0 : quantile(each, 0.5));
  times.mean.push_back(count ? sum / count : 0);
  times.slowest.push_back(most);
  times.mhz.push_back(ns > 0 ? 1e3 * cycles / ns : 0);
  times.kernel_ns.push_back(end > begin ? end - begin : 0);
}

/** One checked run and five timed ones; `go(checked)` launches. */
template <class Go> Times measure(const std::string &row, int ctas, bool cold, Go go) {
  running = row;
  Times times;
  for (int run = 0; run <= RUNS; run++) {
    if (cold) flush_cache();
    CHECK(cudaMemsetAsync(machine.spans, 0, ctas * sizeof(Span)));
    go(run == 0);
    times.errors += finish();
    if (run > 0) collect(times, ctas);
  }
  if (times.errors) {
    machine.wrong++;
    fprintf(stderr, "%s: %d wrong words\n", row.c_str(), times.errors);
  }
  return times;
}
