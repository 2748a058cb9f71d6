// What the files of the stand-in driver share. It is a libcuda.so.1 for machines without a GPU: it
// loads images, looks kernels up, keeps device memory in the memory of the process, and launches
// nothing, so that the recorder sees the calls of a program.
//
//   cc -std=gnu11 -O2 -shared -fPIC -fvisibility=hidden -Wl,-soname,libcuda.so.1 -o libcuda.so.1 *.c -ldl
//
// POUNDLOCK_DRIVER=9,0,132,…    the chip, in the order of struct Chip
// POUNDLOCK_DRIVER_LOG=FILE     a line for each function that the driver lacks, at its first call
#ifndef POUNDLOCK_DRIVER_H
#define POUNDLOCK_DRIVER_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../record/driver-types.h"
#include <stdbool.h>

#define PUBLIC __attribute__((visibility("default")))
enum { INVALID = 1, OUT_OF_MEMORY = 2, NOT_FOUND = 500, NOT_READY = 600, NOT_SUPPORTED = 801 };

/// A function of this name succeeds and does nothing, whatever its arguments are.
#define NOTHING(name) \
  PUBLIC Result name() { return 0; }

// ---- objects.c
enum { MAX_LIST = 256 };
typedef struct {
  unsigned char *bytes; // of an image: a copy, with a zero behind it
  size_t length;
  Handle image;         // of a function: the handle of its image
  char *name;           // of a function
  size_t sizes[MAX_LIST], offsets[MAX_LIST];
  int parameterCount;
  u32 cluster[3];
  bool isUsed, isKernel, isOfLibrary;
} Object;
Handle newObject(void);
Object *objectOf(Handle handle);
void freeImage(Handle image);

// ---- parameters.c: the sizes of the parameters of a kernel
void readParameters(Object *function, const Object *image);
/// Sizes by their list, such as 8,4, each aligned to its size.
void setSizes(Object *function, const char *list);

// ---- images.c
size_t imageLength(const unsigned char **bytes);
/// The entry of a fatbin that has a kernel, unpacked; null if none is readable. The caller frees it.
unsigned char *entryOfFatbin(const Object *image, const char *kernel, size_t *length);
/// The contents of a section of a cubin; null if it has none.
const unsigned char *sectionOf(const unsigned char *elf, const char *name, size_t *length);
bool isElf(const unsigned char *bytes);
bool isFatbin(const unsigned char *bytes);

// ---- memory.c
bool isDeviceMemory(u64 address, size_t length);

// ---- device.c
typedef struct {
  int major, minor, processors, sharedPerBlock, sharedPerProcessor, threadsPerProcessor;
  int gigabytes, cacheMegabytes;
} Chip;
const Chip *chip(void);

// ---- what tests define: hooks of a driver that is compiled with them
__attribute__((weak)) void observeLaunch(const char *api, const Object *function,
                                         const u32 sizes[7], void **parameters, void **extra);
__attribute__((weak)) const char *sizesOfUnknown(void);
__attribute__((weak)) bool isOldDriver(void);
__attribute__((weak)) bool isCapturedStream(Handle stream);

#endif
