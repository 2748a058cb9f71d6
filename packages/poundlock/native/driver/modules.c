// Images and functions: PTX text, cubins and fatbins, as modules and as libraries.
#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Result load(Handle *handle, const void *image) {
  const unsigned char *bytes = image;
  const size_t length = imageLength(&bytes);
  *handle = newObject();
  Object *object = objectOf(*handle);
  object->bytes = malloc(length + 1);
  if (object->bytes == NULL) return OUT_OF_MEMORY;
  memcpy(object->bytes, bytes, length);
  object->bytes[length] = 0;
  object->length = length;
  return 0;
}

static Result loadFile(Handle *handle, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return 301; // CUDA_ERROR_FILE_NOT_FOUND
  fseek(file, 0, SEEK_END);
  const long length = ftell(file);
  rewind(file);
  char *bytes = calloc(1, (size_t)(length < 0 ? 0 : length) + 64);
  const bool isRead = bytes != NULL && fread(bytes, 1, (size_t)length, file) == (size_t)length;
  fclose(file);
  const Result result = isRead ? load(handle, bytes) : INVALID;
  free(bytes);
  return result;
}

static bool hasName(const Object *image, const char *name) {
  // An image that cannot be read may have any kernel.
  const bool isText = image->bytes != NULL && !isElf(image->bytes) && !isFatbin(image->bytes);
  return !isText || strstr((const char *)image->bytes, ".entry") == NULL ||
         strstr((const char *)image->bytes, name) != NULL;
}

static Result lookUp(Handle *handle, Handle image, const char *name, bool isKernel) {
  if (!hasName(objectOf(image), name)) return NOT_FOUND;
  *handle = newObject();
  Object *function = objectOf(*handle);
  function->image = image;
  function->isKernel = isKernel;
  function->name = strdup(name);
  readParameters(function, objectOf(image));
  return 0;
}

PUBLIC Result cuModuleLoadData(Handle *module, const void *image) { return load(module, image); }
PUBLIC Result cuModuleLoadDataEx(Handle *module, const void *image, u32 count, int *options,
                                 void **values) {
  return (void)count, (void)options, (void)values, load(module, image);
}
PUBLIC Result cuModuleLoadFatBinary(Handle *module, const void *image) { return load(module, image); }
PUBLIC Result cuModuleLoad(Handle *module, const char *file) { return loadFile(module, file); }
PUBLIC Result cuModuleUnload(Handle module) { return freeImage(module), 0; }
PUBLIC Result cuModuleGetLoadingMode(int *mode) { return *mode = 1, 0; }
PUBLIC Result cuModuleGetFunction(Handle *function, Handle module, const char *name) {
  return lookUp(function, module, name, false);
}
PUBLIC Result cuLibraryLoadData(Handle *library, const void *image, int *a, void **b, u32 c, int *d,
                                void **e, u32 f) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
  return load(library, image);
}
PUBLIC Result cuLibraryLoadFromFile(Handle *library, const char *file, int *a, void **b, u32 c,
                                    int *d, void **e, u32 f) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
  return loadFile(library, file);
}
PUBLIC Result cuLibraryUnload(Handle library) { return freeImage(library), 0; }
PUBLIC Result cuLibraryGetModule(Handle *module, Handle library) { return *module = library, 0; }
PUBLIC Result cuLibraryGetKernel(Handle *kernel, Handle library, const char *name) {
  return lookUp(kernel, library, name, true);
}
PUBLIC Result cuLibraryGetKernelCount(u32 *count, Handle library) {
  const char *at = (const char *)objectOf(library)->bytes;
  for (*count = 0; at != NULL && (at = strstr(at, ".entry ")) != NULL; at++) ++*count;
  return 0;
}
PUBLIC Result cuLibraryEnumerateKernels(Handle *kernels, u32 count, Handle library) {
  const char *at = (const char *)objectOf(library)->bytes;
  for (u32 i = 0; i < count; i++) {
    char name[512];
    at = at == NULL ? NULL : strstr(at, ".entry ");
    if (at == NULL || sscanf(at, ".entry %511[A-Za-z0-9_$]", name) != 1) return INVALID;
    lookUp(&kernels[i], library, name, true);
    at++;
  }
  return 0;
}
PUBLIC Result cuKernelGetFunction(Handle *function, Handle kernel) {
  const Result result = lookUp(function, objectOf(kernel)->image, objectOf(kernel)->name, false);
  objectOf(*function)->isOfLibrary = true;
  return result;
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
  *module = objectOf(function)->isOfLibrary ? (Handle)0x99 : objectOf(function)->image;
  return 0;
}
PUBLIC Result cuKernelGetLibrary(Handle *library, Handle kernel) {
  return *library = objectOf(kernel)->image, 0;
}
PUBLIC Result cuFuncGetAttribute(int *value, int which, Handle function) {
  const bool isCluster = which >= FUNCTION_CLUSTER_X && which <= FUNCTION_CLUSTER_Z;
  *value = isCluster ? (int)objectOf(function)->cluster[which - FUNCTION_CLUSTER_X] : 0;
  if (which == 0) *value = 1024; // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
  if (which == FUNCTION_REGISTERS) *value = 168;
  if (which == FUNCTION_MAX_DYNAMIC_SHARED) *value = chip()->sharedPerBlock;
  return 0;
}
PUBLIC Result cuKernelGetAttribute(int *value, int which, Handle kernel, int device) {
  return (void)device, cuFuncGetAttribute(value, which, kernel);
}
PUBLIC Result cuFuncGetParamInfo(Handle handle, size_t index, size_t *offset, size_t *size) {
  const Object *function = objectOf(handle);
  const bool isOld = isOldDriver != NULL && isOldDriver();
  if (index >= (size_t)function->parameterCount || isOld) return INVALID;
  if (offset != NULL) *offset = function->offsets[index];
  if (size != NULL) *size = function->sizes[index];
  return 0;
}
PUBLIC Result cuKernelGetParamInfo(Handle kernel, size_t index, size_t *offset, size_t *size) {
  return cuFuncGetParamInfo(kernel, index, offset, size);
}
NOTHING(cuFuncSetAttribute)
NOTHING(cuFuncSetCacheConfig)
NOTHING(cuFuncSetSharedMemConfig)
NOTHING(cuFuncLoad)
NOTHING(cuKernelSetAttribute)
NOTHING(cuKernelSetCacheConfig)

/// A global variable has memory of its own, all zeros.
PUBLIC Result cuModuleGetGlobal_v2(u64 *address, size_t *size, Handle module, const char *name) {
  Result cuMemAlloc_v2(u64 *, size_t);
  enum { ROOM = 1 << 16 };
  if (!hasName(objectOf(module), name)) return NOT_FOUND;
  if (size != NULL) *size = ROOM;
  return address == NULL ? 0 : cuMemAlloc_v2(address, ROOM);
}
PUBLIC Result cuLibraryGetGlobal(u64 *address, size_t *size, Handle library, const char *name) {
  return cuModuleGetGlobal_v2(address, size, library, name);
}
PUBLIC Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Handle function, int threads,
                                                          size_t shared) {
  (void)function;
  const int byShared = shared == 0 ? 32 : (int)((size_t)chip()->sharedPerProcessor / (shared + 1024));
  const int byThreads = threads <= 0 ? 1 : chip()->threadsPerProcessor / threads;
  *blocks = byShared < byThreads ? byShared : byThreads;
  return 0;
}
PUBLIC Result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Handle function,
                                                                   int threads, size_t shared,
                                                                   u32 flags) {
  return (void)flags, cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
PUBLIC Result cuOccupancyMaxActiveClusters(int *count, Handle function, const LaunchConfig *config) {
  return (void)function, (void)config, *count = chip()->processors / 2, 0;
}
PUBLIC Result cuOccupancyMaxPotentialClusterSize(int *size, Handle function, const LaunchConfig *config) {
  return (void)function, (void)config, *size = 8, 0;
}
