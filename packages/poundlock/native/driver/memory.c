// Device memory is memory of the process: copies and memsets work, and results are what they left.
#include "driver.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_BLOCKS = 1 << 14 };
/// Where a block begins in its pages: addresses of the driver are multiples of 512 as well.
#define LEAD 0x400
/// Addresses are the same in each run, where nothing else of the process has them.
#define FIRST_ADDRESS 0x300000000000ull
#define ROUNDED(size) (((size) + LEAD + (1 << 24) - 1) >> 24 << 24)

typedef struct {
  u64 base;
  size_t size;
} Block;
static Block blocks[MAX_BLOCKS];
static int blockCount;
static u64 next = FIRST_ADDRESS;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int blockOf(u64 address) {
  for (int i = 0; i < blockCount; i++)
    if (address >= blocks[i].base && address - blocks[i].base < blocks[i].size) return i;
  return -1;
}

bool isDeviceMemory(u64 address, size_t length) {
  pthread_mutex_lock(&mutex);
  const int block = blockOf(address);
  const bool isInside =
      block >= 0 && length <= blocks[block].size - (size_t)(address - blocks[block].base);
  pthread_mutex_unlock(&mutex);
  return isInside;
}

PUBLIC Result cuMemAlloc_v2(u64 *address, size_t size) {
  if (size == 0) return INVALID;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  pthread_mutex_lock(&mutex);
  void *wanted = (void *)(uintptr_t)next;
  void *pages = mmap(wanted, size + LEAD, PROT_READ | PROT_WRITE, flags, -1, 0);
  next += ROUNDED((u64)size);
  const bool hasRoom = pages != MAP_FAILED && blockCount < MAX_BLOCKS;
  if (hasRoom) {
    *address = (u64)(uintptr_t)pages + LEAD;
    blocks[blockCount++] = (Block){*address, size};
  }
  pthread_mutex_unlock(&mutex);
  return hasRoom ? 0 : OUT_OF_MEMORY;
}

PUBLIC Result cuMemFree_v2(u64 address) {
  pthread_mutex_lock(&mutex);
  const int block = blockOf(address);
  const bool isKnown = block >= 0 && blocks[block].base == address;
  if (isKnown) {
    munmap((void *)(uintptr_t)(address - LEAD), blocks[block].size + LEAD);
    blocks[block] = blocks[--blockCount];
  }
  pthread_mutex_unlock(&mutex);
  return isKnown || address == 0 ? 0 : INVALID;
}

PUBLIC Result cuMemAllocPitch_v2(u64 *address, size_t *pitch, size_t width, size_t height, u32 size) {
  (void)size;
  *pitch = (width + 511) / 512 * 512;
  return cuMemAlloc_v2(address, *pitch * height);
}
PUBLIC Result cuMemAllocManaged(u64 *address, size_t size, u32 flags) {
  (void)flags;
  return cuMemAlloc_v2(address, size);
}
PUBLIC Result cuMemAllocAsync(u64 *address, size_t size, Handle stream) {
  (void)stream;
  return cuMemAlloc_v2(address, size);
}
PUBLIC Result cuMemAllocFromPoolAsync(u64 *address, size_t size, Handle pool, Handle stream) {
  (void)pool, (void)stream;
  return cuMemAlloc_v2(address, size);
}
PUBLIC Result cuMemFreeAsync(u64 address, Handle stream) {
  (void)stream;
  return cuMemFree_v2(address);
}

PUBLIC Result cuMemAllocHost_v2(void **pages, size_t size) {
  return (*pages = calloc(1, size)) == NULL ? OUT_OF_MEMORY : 0;
}
PUBLIC Result cuMemHostAlloc(void **pages, size_t size, u32 flags) {
  (void)flags;
  return cuMemAllocHost_v2(pages, size);
}
PUBLIC Result cuMemFreeHost(void *pages) { return free(pages), 0; }
PUBLIC Result cuMemHostGetDevicePointer_v2(u64 *address, void *pages, u32 flags) {
  (void)flags;
  return *address = (u64)(uintptr_t)pages, 0;
}
NOTHING(cuMemHostRegister_v2)
NOTHING(cuMemHostUnregister)

PUBLIC Result cuMemGetInfo_v2(size_t *left, size_t *total) {
  return *left = *total = (size_t)chip()->gigabytes << 30, 0;
}
PUBLIC Result cuMemGetAddressRange_v2(u64 *base, size_t *size, u64 address) {
  pthread_mutex_lock(&mutex);
  const int block = blockOf(address);
  if (block >= 0 && base != NULL) *base = blocks[block].base;
  if (block >= 0 && size != NULL) *size = blocks[block].size;
  pthread_mutex_unlock(&mutex);
  return block < 0 ? INVALID : 0;
}

/// CU_POINTER_ATTRIBUTE_…: of device memory only.
enum { ATTRIBUTE_CONTEXT = 1, ATTRIBUTE_MEMORY_TYPE, ATTRIBUTE_DEVICE_POINTER, ATTRIBUTE_HOST_POINTER };
enum { ATTRIBUTE_IS_MANAGED = 8, ATTRIBUTE_DEVICE_ORDINAL = 9, TYPE_DEVICE = 2 };
PUBLIC Result cuPointerGetAttribute(void *value, int which, u64 address) {
  if (!isDeviceMemory(address, 0)) return INVALID;
  if (which == ATTRIBUTE_MEMORY_TYPE) return *(u32 *)value = TYPE_DEVICE, 0;
  if (which == ATTRIBUTE_DEVICE_ORDINAL || which == ATTRIBUTE_IS_MANAGED) return *(u32 *)value = 0, 0;
  if (which == ATTRIBUTE_DEVICE_POINTER) return *(u64 *)value = address, 0;
  return which == ATTRIBUTE_CONTEXT ? (*(Handle *)value = (Handle)0x20, 0) : INVALID;
}
PUBLIC Result cuPointerGetAttributes(u32 count, const int *which, void **values, u64 address) {
  for (u32 i = 0; i < count; i++)
    if (cuPointerGetAttribute(values[i], which[i], address) != 0) *(u32 *)values[i] = 0;
  return 0;
}

// ---- copies
static Result copy(u64 to, u64 from, size_t length, bool checksTo, bool checksFrom) {
  if ((checksTo && !isDeviceMemory(to, length)) || (checksFrom && !isDeviceMemory(from, length)))
    return INVALID;
  return memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, length), 0;
}
#define ADDRESS(pointer) ((u64)(uintptr_t)(pointer))
PUBLIC Result cuMemcpyHtoD_v2(u64 to, const void *from, size_t length) {
  return copy(to, ADDRESS(from), length, true, false);
}
PUBLIC Result cuMemcpyDtoH_v2(void *to, u64 from, size_t length) {
  return copy(ADDRESS(to), from, length, false, true);
}
PUBLIC Result cuMemcpyDtoD_v2(u64 to, u64 from, size_t length) {
  return copy(to, from, length, true, true);
}
PUBLIC Result cuMemcpy(u64 to, u64 from, size_t length) { return copy(to, from, length, false, false); }
PUBLIC Result cuMemcpyHtoDAsync_v2(u64 to, const void *from, size_t length, Handle stream) {
  return (void)stream, cuMemcpyHtoD_v2(to, from, length);
}
PUBLIC Result cuMemcpyDtoHAsync_v2(void *to, u64 from, size_t length, Handle stream) {
  return (void)stream, cuMemcpyDtoH_v2(to, from, length);
}
PUBLIC Result cuMemcpyDtoDAsync_v2(u64 to, u64 from, size_t length, Handle stream) {
  return (void)stream, cuMemcpyDtoD_v2(to, from, length);
}
PUBLIC Result cuMemcpyAsync(u64 to, u64 from, size_t length, Handle stream) {
  return (void)stream, cuMemcpy(to, from, length);
}

static Result fill(u64 to, u64 value, size_t size, size_t count) {
  if (!isDeviceMemory(to, size * count)) return INVALID;
  for (size_t i = 0; i < count; i++) memcpy((void *)(uintptr_t)(to + i * size), &value, size);
  return 0;
}
#define FILL(name, type)                                                                    \
  PUBLIC Result name##_v2(u64 to, type value, size_t count) {                               \
    return fill(to, value, sizeof(type), count);                                            \
  }                                                                                         \
  PUBLIC Result name##Async(u64 to, type value, size_t count, Handle stream) {              \
    return (void)stream, fill(to, value, sizeof(type), count);                              \
  }
FILL(cuMemsetD8, unsigned char)
FILL(cuMemsetD16, uint16_t)
FILL(cuMemsetD32, u32)

NOTHING(cuMemPrefetchAsync)
NOTHING(cuMemAdvise)
NOTHING(cuMemPoolSetAttribute)
NOTHING(cuMemPoolTrimTo)
