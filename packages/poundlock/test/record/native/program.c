// A program of the driver that launches a kernel of an image: program MODE IMAGE KERNEL.
//
// The kernel has a tensor map, three integers and a pointer as parameters. The modes are ways to find
// the functions of the driver (linked, dlsym, dlvsym, proc, per-thread), ways to launch (library,
// packed, graph, cooperative) and what else a process does (fork, threads, unload, full-disk,
// capture, follow, struct, many).
#define _GNU_SOURCE
#include "../../../native/record/driver-types.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(call)                                                                \
  do {                                                                             \
    Result result = (call);                                                        \
    if (result != 0) exit((printf("%s: error %d\n", #call, result), 1));           \
  } while (0)

Result cuInit(u32), cuMemAlloc_v2(u64 *, size_t), cuMemcpyHtoD_v2(u64, const void *, size_t);
Result cuModuleLoadData(Handle *, const void *), cuModuleUnload(Handle);
Result cuModuleGetFunction(Handle *, Handle, const char *);
Result cuLaunchKernel(Handle, u32, u32, u32, u32, u32, u32, u32, Handle, void **, void **);

typedef Result (*Load)(Handle *, const void *);
typedef Result (*Get)(Handle *, Handle, const char *);
typedef Result (*Launch)(Handle, u32, u32, u32, u32, u32, u32, u32, Handle, void **, void **);
typedef Result (*Encode)(TensorMap *, u32, u32, void *, const u64 *, const u64 *, const u32 *,
                         const u32 *, u32, u32, u32, u32);

static const char *mode;
static bool is(const char *name) { return strcmp(mode, name) == 0; }

/// A function of the driver, by the door of the mode.
static void *find(const char *name, void *linked) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW), *found = NULL;
  if (is("dlsym")) return dlsym(driver, name);
  if (is("dlvsym")) {
    // The stand-in has no versions, so this finds nothing; the lookup itself must work.
    if (dlvsym(driver, name, "NONE_1.0") != NULL) exit(3);
    return dlsym(driver, name);
  }
  if (linked != NULL && !is("proc") && !is("per-thread")) return linked;
  Result (*ask)(const char *, void **, int, u64, int *) = dlsym(driver, "cuGetProcAddress_v2");
  CHECK(ask(name, &found, 12080, is("per-thread") ? PROC_PER_THREAD_STREAM : 0, NULL));
  return found;
}

static char *readImage(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) exit(4);
  fseek(file, 0, SEEK_END);
  const long length = ftell(file);
  rewind(file);
  char *bytes = calloc(1, (size_t)length + 1);
  if (fread(bytes, 1, (size_t)length, file) != (size_t)length) exit(4);
  fclose(file);
  return bytes;
}

static TensorMap map;
static int tiles = 2, steps = 4, mode3;
static u64 memory;
static void *parameters[] = {&map, &tiles, &steps, &mode3, &memory};
static Launch launch;
static Handle function;

static void start(u32 blocks) {
  Handle stream = is("capture") ? (Handle)0x77 : NULL;
  CHECK(launch(function, blocks, 1, 1, 64, 1, 1, 1024, stream, parameters, NULL));
}

static void *launchMany(void *unused) {
  for (u32 i = 0; i < 200; i++) start(1 + i % 3);
  return unused;
}

/// One buffer with all parameters, as the PTX lays them out, and four bytes of padding that differ.
static void launchPacked(void) {
  unsigned char buffer[152];
  size_t size = sizeof buffer;
  void *extra[] = {EXTRA_BUFFER, buffer, EXTRA_SIZE, &size, NULL};
  for (int padding = 0; padding < 3; padding++) {
    memcpy(buffer, &map, 128);
    memcpy(buffer + 128, (int[]){tiles, steps, mode3, 0x55 + padding}, 16);
    memcpy(buffer + 144, &memory, 8);
    CHECK(launch(function, 1, 1, 1, 64, 1, 1, 1024, NULL, NULL, extra));
  }
}

static void buildGraph(void) {
  Result (*add)(Handle *, Handle, const Handle *, size_t, const KernelNode *) =
      find("cuGraphAddKernelNode", NULL);
  KernelNode node = {function, 3, 1, 1, 64, 1, 1, 1024, parameters, NULL, NULL, NULL};
  CHECK(add(NULL, NULL, NULL, 0, &node));
  Result (*addAny)(Handle *, Handle, const Handle *, const void *, size_t, const GraphNode *) =
      find("cuGraphAddNode", NULL);
  GraphNode any = {GRAPH_NODE_KERNEL, {0}, node};
  any.kernel.gridX = 5;
  CHECK(addAny(NULL, NULL, NULL, NULL, 0, &any));
}

static void launchCluster(void) {
  Result (*launchEx)(const LaunchConfig *, Handle, void **, void **) =
      find("cuLaunchKernelEx", NULL);
  Attribute attributes[] = {{ATTRIBUTE_CLUSTER, 0, {2, 1, 1}}, {ATTRIBUTE_PROGRAMMATIC, 0, {1}}};
  LaunchConfig config = {4, 1, 1, 64, 1, 1, 1024, NULL, attributes, 2};
  CHECK(launchEx(&config, function, parameters, NULL));
  Result (*together)(Handle, u32, u32, u32, u32, u32, u32, u32, Handle, void **) =
      find("cuLaunchCooperativeKernel", NULL);
  CHECK(together(function, 8, 1, 1, 64, 1, 1, 1024, NULL, parameters));
}

/// Unloads a module and loads another image, whose handles have the same numbers.
static void reload(Handle module, const char *kernel, Load load, Get get) {
  const Handle before = function;
  CHECK(cuModuleUnload(module));
  char other[1024];
  snprintf(other, sizeof other,
           ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry %s(.param .u64 out)\n"
           "{\n\tbar.sync 3, 64;\n\tret;\n}\n", kernel);
  CHECK(load(&module, other));
  CHECK(get(&function, module, kernel));
  if (function != before) exit(5);
  CHECK(launch(function, 1, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&memory}, NULL));
}

/// A map that lies in device memory, and is followed when the user asks for it.
static void mapBehindPointer(void) {
  CHECK(cuMemcpyHtoD_v2(memory, &map, sizeof map));
  start(1);
}

/// One struct with a number and two pointers: to integers, and to a list of addresses.
static void launchStruct(void) {
  u64 list;
  CHECK(cuMemAlloc_v2(&list, 64));
  const u64 addresses[] = {memory, memory + 64, 5};
  CHECK(cuMemcpyHtoD_v2(list, addresses, sizeof addresses));
  const u64 fields[] = {3, memory, list};
  CHECK(launch(function, 1, 1, 1, 64, 1, 1, 0, NULL, (void *[]){(void *)fields}, NULL));
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  mode = argv[1];
  char *image = readImage(argv[2]);
  Load load = find("cuModuleLoadData", (void *)cuModuleLoadData);
  Get get = find("cuModuleGetFunction", (void *)cuModuleGetFunction);
  launch = find("cuLaunchKernel", (void *)cuLaunchKernel);
  Encode encode = find("cuTensorMapEncodeTiled", NULL);
  u64 tensor;
  int integers[] = {0, 100, 228, 300, 512, 600, 777, 1024, 1 << 30, 5};
  CHECK(cuInit(0));
  CHECK(cuMemAlloc_v2(&tensor, 1 << 20));
  CHECK(cuMemAlloc_v2(&memory, 1 << 20));
  memory += 256; // a view into an allocation
  CHECK(cuMemcpyHtoD_v2(memory, integers, sizeof integers));
  CHECK(encode(&map, 6, 2, (void *)(uintptr_t)tensor, (u64[]){1024, 512}, (u64[]){2048},
               (u32[]){64, 32}, (u32[]){1, 1}, 0, 3, 2, 0));
  Handle module;
  if (is("library") || is("enumerate")) {
    Result (*loadLibrary)(Handle *, const void *, int *, void **, u32, int *, void **, u32) =
        find("cuLibraryLoadData", NULL);
    CHECK(loadLibrary(&module, image, NULL, NULL, 0, NULL, NULL, 0));
    get = find("cuLibraryGetKernel", NULL);
  } else {
    CHECK(load(&module, image));
  }
  if (is("enumerate")) {
    Result (*enumerate)(Handle *, u32, Handle) = find("cuLibraryEnumerateKernels", NULL);
    Result (*functionOf)(Handle *, Handle) = find("cuKernelGetFunction", NULL);
    Handle kernel;
    CHECK(enumerate(&kernel, 1, module));
    CHECK(functionOf(&function, kernel));
  } else {
    CHECK(get(&function, module, argv[3]));
  }
  memset(image, 'x', strlen(image)); // a program may free an image once it is loaded
  free(image);
  if (is("full-disk")) {
    char path[512];
    snprintf(path, sizeof path, "%s/launches-%d.jsonl", getenv("POUNDLOCK_RECORD"), getpid());
    if (symlink("/dev/full", path) != 0) return 6;
  }
  if (is("packed")) return launchPacked(), 0;
  if (is("follow")) return mapBehindPointer(), 0;
  if (is("struct")) return launchStruct(), 0;
  start(2);
  start(2); // the same again
  tiles = 6;
  start(2);
  if (is("graph")) buildGraph();
  if (is("cluster")) launchCluster();
  if (is("unload")) reload(module, argv[3], load, get);
  if (is("many")) {
    for (u32 i = 0; i < 10000; i++) start(2);
    start(7); // a new grid is seen at any time
  }
  if (is("threads")) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, launchMany, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  }
  if (is("fork")) {
    pthread_t busy;
    pthread_create(&busy, NULL, launchMany, NULL);
    pid_t child = fork();
    if (child == 0) {
      tiles = 9;
      start(9);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    pthread_join(busy, NULL);
    if (status != 0) return 7;
  }
  printf("%s ended\n", mode);
  return 0;
}
