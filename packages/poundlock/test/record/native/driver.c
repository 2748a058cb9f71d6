// A stand-in for the CUDA driver on machines without a GPU: loads PTX text and other images, looks
// kernels up, encodes tensor maps, copies memory, launches. Nothing is computed.
//
//   cc -shared -fPIC -Wl,-soname,libcuda.so.1 -o libcuda.so.1 driver.c
//
// STANDIN_LOG=FILE        a line for each launch that arrives here
// STANDIN_PARAMETERS=8,4  sizes of the parameters, for images that are not PTX text
// STANDIN_LAUNCH=hang     what a launch does instead of returning: hang or crash
// STANDIN_OLD=1           a driver before 12.4, without cuFuncGetParamInfo
#define _GNU_SOURCE
#include "../../../native/record/driver-types.h"
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
enum { NOT_FOUND = 500, INVALID = 1, MAX_OBJECTS = 256, MAX_LIST = 64 };

// ---- objects: handles of what was unloaded are handed out again, as the driver does
typedef struct {
  char *text;                // of an image
  int image;                 // of a function
  char name[128];            // of a function
  size_t sizes[MAX_LIST], offsets[MAX_LIST];
  int parameterCount;
  u32 cluster[3];
  bool isUsed, isKernel, isOfLibrary;
} Object;
static Object objects[MAX_OBJECTS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int newObject(void) {
  pthread_mutex_lock(&mutex);
  int index = 1;
  while (index < MAX_OBJECTS - 1 && objects[index].isUsed) index++;
  memset(&objects[index], 0, sizeof objects[index]);
  objects[index].isUsed = true;
  pthread_mutex_unlock(&mutex);
  return index;
}
static Handle handleOf(int index) { return (Handle)(uintptr_t)(0x10000 + 16 * index); }
static Object *objectOf(Handle handle) { return &objects[((uintptr_t)handle - 0x10000) / 16]; }

// ---- memory: host blocks at addresses that look like those of a device
static struct {
  u64 base;
  size_t size;
  unsigned char *bytes;
} blocks[64];
static int blockCount;
static int blockOf(u64 address) {
  for (int i = 0; i < blockCount; i++)
    if (address >= blocks[i].base && address < blocks[i].base + blocks[i].size) return i;
  return -1;
}
static unsigned char *bytesAt(u64 address, size_t length) {
  const int block = blockOf(address);
  if (block < 0 || address + length > blocks[block].base + blocks[block].size) return NULL;
  return blocks[block].bytes + (address - blocks[block].base);
}
PUBLIC Result cuMemAlloc_v2(u64 *address, size_t size) {
  if (blockCount == 64) return 2;
  blocks[blockCount].base = *address = 0x7fdc00000000ull + ((u64)blockCount << 24) + 0x400;
  blocks[blockCount].size = size;
  blocks[blockCount++].bytes = calloc(1, size);
  return 0;
}
PUBLIC Result cuMemGetAddressRange_v2(u64 *base, size_t *size, u64 address) {
  const int block = blockOf(address);
  if (block < 0) return INVALID;
  *base = blocks[block].base;
  *size = blocks[block].size;
  return 0;
}
PUBLIC Result cuMemcpyHtoD_v2(u64 to, const void *from, size_t length) {
  unsigned char *bytes = bytesAt(to, length);
  if (bytes != NULL) memcpy(bytes, from, length);
  return bytes == NULL ? INVALID : 0;
}
PUBLIC Result cuMemcpyDtoHAsync_v2(void *to, u64 from, size_t length, Handle stream) {
  (void)stream;
  const unsigned char *bytes = bytesAt(from, length);
  if (bytes != NULL) memcpy(to, bytes, length);
  return bytes == NULL ? INVALID : 0;
}

// ---- the device
PUBLIC Result cuInit(u32 flags) { return (Result)flags; }
PUBLIC Result cuDriverGetVersion(int *version) { return *version = 13000, 0; }
PUBLIC Result cuCtxGetDevice(int *device) { return *device = 0, 0; }
PUBLIC Result cuStreamSynchronize(Handle stream) { return (void)stream, 0; }
PUBLIC Result cuStreamIsCapturing(Handle stream, int *status) {
  *status = stream == (Handle)0x77; // the stream that the test program says it captures
  return 0;
}
PUBLIC Result cuDeviceGetAttribute(int *value, int which, int device) {
  (void)device;
  *value = which == DEVICE_MAJOR ? 9 : which == DEVICE_PROCESSORS ? 132 : 0;
  return 0;
}

// ---- images and functions
static Result load(Handle *handle, const void *image) {
  const unsigned char *bytes = image;
  const int index = newObject();
  objects[index].text = strdup(bytes[0] == '.' || bytes[0] == '/' ? (const char *)image : "");
  *handle = handleOf(index);
  return 0;
}
static void readSizes(Object *function, const char *list) {
  size_t at = 0;
  for (char *end; list != NULL && *list != 0; list = *end == ',' ? end + 1 : end) {
    const size_t size = strtoul(list, &end, 10);
    if (end == list) return;
    const size_t align = size < 8 ? size : 8;
    at = (at + align - 1) / align * align;
    function->sizes[function->parameterCount] = size;
    function->offsets[function->parameterCount++] = at;
    at += size;
  }
}
/// The size in bytes of `.param .align 64 .b8 name[128]`.
static size_t sizeOfParameter(const char *from, const char *end) {
  size_t size = 0, count = 1;
  for (const char *at = from; at < end; at++) {
    if (*at == '.' && strchr("bufs", at[1]) && isdigit((unsigned char)at[2]) && size == 0)
      size = strtoul(at + 2, NULL, 10) / 8;
    if (*at == '[') count = strtoul(at + 1, NULL, 10);
  }
  return size * count;
}
static void readEntry(Object *function, const char *text) {
  const char *at = text;
  const size_t length = strlen(function->name);
  while ((at = strstr(at, ".entry ")) != NULL) {
    at += strlen(".entry ");
    if (strncmp(at, function->name, length) == 0 && !isalnum((unsigned char)at[length]) &&
        at[length] != '_')
      break;
  }
  if (at == NULL) return readSizes(function, getenv("STANDIN_PARAMETERS"));
  const char *body = strchr(at, '{'), *cluster = strstr(at, ".reqnctapercluster");
  if (cluster != NULL && cluster < body) {
    function->cluster[1] = function->cluster[2] = 1;
    sscanf(cluster + 18, "%u, %u, %u", &function->cluster[0], &function->cluster[1],
           &function->cluster[2]);
  }
  const char *open = strchr(at, '('), *close = strchr(at, ')');
  if (open == NULL || open > body) return;
  char list[512] = "";
  for (const char *next = open; (next = strstr(next, ".param")) != NULL && next < close;) {
    const char *end = next;
    while (end < close && *end != ',') end++;
    sprintf(list + strlen(list), "%zu,", sizeOfParameter(next + 6, end));
    next = end;
  }
  readSizes(function, list);
}
static Result lookUp(Handle *handle, Handle image, const char *name, bool isKernel) {
  const int index = newObject();
  Object *function = &objects[index];
  function->image = (int)(objectOf(image) - objects);
  function->isKernel = isKernel;
  snprintf(function->name, sizeof function->name, "%s", name);
  readEntry(function, objectOf(image)->text);
  *handle = handleOf(index);
  return 0;
}
static Result unload(Handle image) {
  const int index = (int)(objectOf(image) - objects);
  for (int i = 0; i < MAX_OBJECTS; i++)
    if (objects[i].isUsed && objects[i].image == index) objects[i].isUsed = false;
  objects[index].isUsed = false;
  return 0;
}
PUBLIC Result cuModuleLoadData(Handle *module, const void *image) { return load(module, image); }
PUBLIC Result cuModuleLoad(Handle *module, const char *file) {
  (void)file;
  return load(module, "");
}
PUBLIC Result cuModuleUnload(Handle module) { return unload(module); }
PUBLIC Result cuModuleGetFunction(Handle *function, Handle module, const char *name) {
  return lookUp(function, module, name, false);
}
PUBLIC Result cuLibraryLoadData(Handle *library, const void *image, int *a, void **b, u32 c, int *d,
                                void **e, u32 f) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
  return load(library, image);
}
PUBLIC Result cuLibraryUnload(Handle library) { return unload(library); }
PUBLIC Result cuLibraryGetKernel(Handle *kernel, Handle library, const char *name) {
  return lookUp(kernel, library, name, true);
}
PUBLIC Result cuLibraryEnumerateKernels(Handle *kernels, u32 count, Handle library) {
  const char *entry = strstr(objectOf(library)->text, ".entry ");
  char name[64];
  if (count != 1 || entry == NULL || sscanf(entry, ".entry %63[A-Za-z0-9_]", name) != 1) return INVALID;
  return lookUp(kernels, library, name, true);
}
PUBLIC Result cuKernelGetFunction(Handle *function, Handle kernel) {
  lookUp(function, handleOf(objectOf(kernel)->image), objectOf(kernel)->name, false);
  objectOf(*function)->isOfLibrary = true;
  return 0;
}
PUBLIC Result cuFuncGetName(const char **name, Handle function) {
  if (objectOf(function)->isKernel) return INVALID;
  return *name = objectOf(function)->name, 0;
}
PUBLIC Result cuKernelGetName(const char **name, Handle kernel) {
  return *name = objectOf(kernel)->name, 0;
}
PUBLIC Result cuFuncGetModule(Handle *module, Handle function) {
  // The module of a kernel's function is not the handle of its library.
  *module = objectOf(function)->isOfLibrary ? (Handle)0x99 : handleOf(objectOf(function)->image);
  return 0;
}
PUBLIC Result cuKernelGetLibrary(Handle *library, Handle kernel) {
  return *library = handleOf(objectOf(kernel)->image), 0;
}
PUBLIC Result cuFuncGetAttribute(int *value, int which, Handle function) {
  const bool isCluster = which >= FUNCTION_CLUSTER_X && which <= FUNCTION_CLUSTER_Z;
  *value = isCluster ? (int)objectOf(function)->cluster[which - FUNCTION_CLUSTER_X] : 0;
  if (which == FUNCTION_REGISTERS) *value = 168;
  return 0;
}
PUBLIC Result cuKernelGetAttribute(int *value, int which, Handle kernel, int device) {
  (void)device;
  return cuFuncGetAttribute(value, which, kernel);
}
PUBLIC Result cuFuncGetParamInfo(Handle handle, size_t index, size_t *offset, size_t *size) {
  const Object *function = objectOf(handle);
  if (index >= (size_t)function->parameterCount || getenv("STANDIN_OLD") != NULL) return INVALID;
  *offset = function->offsets[index];
  *size = function->sizes[index];
  return 0;
}
PUBLIC Result cuKernelGetParamInfo(Handle kernel, size_t index, size_t *offset, size_t *size) {
  return cuFuncGetParamInfo(kernel, index, offset, size);
}

// ---- launches
static Result launch(const char *api, Handle handle, const u32 sizes[7], void **parameters,
                     void **extra) {
  const Object *function = objectOf(handle);
  const char *log = getenv("STANDIN_LOG"), *instead = getenv("STANDIN_LAUNCH");
  u64 sum = 0;
  for (int i = 0; parameters != NULL && i < function->parameterCount; i++)
    for (size_t k = 0; k < function->sizes[i]; k++)
      sum = sum * 31 + ((unsigned char *)parameters[i])[k];
  FILE *file = log == NULL ? NULL : fopen(log, "a");
  if (file != NULL) {
    fprintf(file, "%s %s %u,%u,%u %u,%u,%u %u sum %llx%s\n", api, function->name, sizes[0],
            sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], sizes[6], (unsigned long long)sum,
            extra == NULL ? "" : " packed");
    fclose(file);
  }
  if (instead != NULL && strcmp(instead, "hang") == 0) pause();
  if (instead != NULL && strcmp(instead, "crash") == 0) abort();
  return 0;
}
#define LAUNCH(symbol)                                                                       \
  PUBLIC Result symbol(Handle function, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz,      \
                       u32 shared, Handle stream, void **parameters, void **extra) {         \
    (void)stream;                                                                            \
    return launch(#symbol, function, (u32[]){gx, gy, gz, bx, by, bz, shared}, parameters,    \
                  extra);                                                                    \
  }
LAUNCH(cuLaunchKernel)
LAUNCH(cuLaunchKernel_ptsz)
PUBLIC Result cuLaunchCooperativeKernel(Handle function, u32 gx, u32 gy, u32 gz, u32 bx, u32 by,
                                        u32 bz, u32 shared, Handle stream, void **parameters) {
  (void)stream;
  return launch("cuLaunchCooperativeKernel", function, (u32[]){gx, gy, gz, bx, by, bz, shared},
                parameters, NULL);
}
PUBLIC Result cuLaunchKernelEx(const LaunchConfig *c, Handle function, void **parameters,
                               void **extra) {
  return launch(
      "cuLaunchKernelEx", function,
      (u32[]){c->gridX, c->gridY, c->gridZ, c->blockX, c->blockY, c->blockZ, c->sharedBytes},
      parameters, extra);
}
static Result addNode(const char *api, const KernelNode *n) {
  return launch(api, n->function,
                (u32[]){n->gridX, n->gridY, n->gridZ, n->blockX, n->blockY, n->blockZ,
                        n->sharedBytes},
                n->parameters, n->extra);
}
PUBLIC Result cuGraphAddKernelNode(Handle *made, Handle graph, const Handle *before, size_t count,
                                   const KernelNode *node) {
  (void)made, (void)graph, (void)before, (void)count;
  return addNode("cuGraphAddKernelNode", node);
}
PUBLIC Result cuGraphAddKernelNode_v2(Handle *made, Handle graph, const Handle *before,
                                      size_t count, const KernelNode *node) {
  (void)made, (void)graph, (void)before, (void)count;
  return addNode("cuGraphAddKernelNode_v2", node);
}
PUBLIC Result cuGraphAddNode_v2(Handle *made, Handle graph, const Handle *before,
                                const void *edges, size_t count, const GraphNode *node) {
  (void)made, (void)graph, (void)before, (void)edges, (void)count;
  return addNode("cuGraphAddNode_v2", &node->kernel);
}

// ---- tensor maps
PUBLIC Result cuTensorMapEncodeTiled(TensorMap *map, u32 type, u32 rank, void *address,
                                     const u64 *dimensions, const u64 *strides, const u32 *box,
                                     const u32 *steps, u32 interleave, u32 swizzle, u32 l2,
                                     u32 fill) {
  memset(map, 0, sizeof *map);
  map->words[0] = (u64)(uintptr_t)address;
  map->words[1] = type | rank << 8 | interleave << 16 | swizzle << 20 | l2 << 24;
  map->words[2] = fill + steps[0];
  for (u32 i = 0; i < rank; i++) {
    map->words[3 + i] = dimensions[i];
    map->words[13 - i] = box[i];
  }
  for (u32 i = 0; i + 1 < rank; i++) map->words[8] ^= strides[i] << i;
  return 0;
}
PUBLIC Result cuTensorMapReplaceAddress(TensorMap *map, void *address) {
  map->words[0] = (u64)(uintptr_t)address;
  return 0;
}

// ---- the doors
static Result find(const char *name, void **found, int version, u64 flags) {
  static const char *const suffixes[] = {"_ptsz", "_v2", ""};
  void *self = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  *found = NULL;
  for (int i = 0; i < 3 && *found == NULL; i++) {
    char symbol[96];
    if (i == 0 && (flags & PROC_PER_THREAD_STREAM) == 0) continue;
    if (i == 1 && version < 12000) continue;
    snprintf(symbol, sizeof symbol, "%s%s", name, suffixes[i]);
    *found = dlsym(self, symbol);
  }
  return *found == NULL ? NOT_FOUND : 0;
}
PUBLIC Result cuGetProcAddress(const char *name, void **found, int version, u64 flags) {
  return find(name, found, version, flags);
}
PUBLIC Result cuGetProcAddress_v2(const char *name, void **found, int version, u64 flags,
                                  int *status) {
  const Result result = find(name, found, version, flags);
  if (status != NULL) *status = result == 0 ? 0 : 1;
  return result;
}
