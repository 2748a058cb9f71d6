// The types of the CUDA driver's binary interface that the recorder touches. No header of CUDA is
// needed to compile it, and it links to no part of CUDA.
#ifndef POUNDLOCK_DRIVER_TYPES_H
#define POUNDLOCK_DRIVER_TYPES_H
#include <stddef.h>
#include <stdint.h>

typedef int Result;   // CUresult, nvrtcResult: 0 is success
typedef void *Handle; // CUfunction, CUkernel, CUmodule, CUlibrary, CUstream, CUgraph …
typedef uint64_t u64;
typedef uint32_t u32;

enum { NOT_INITIALIZED = 3 }; // CUDA_ERROR_NOT_INITIALIZED

/// CUlaunchAttribute.
typedef struct {
  u32 id, pad;
  u32 value[16];
} Attribute;
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4, ATTRIBUTE_PROGRAMMATIC = 6 };

/// CUlaunchConfig.
typedef struct {
  u32 gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  Handle stream;
  const Attribute *attributes;
  u32 attributeCount;
} LaunchConfig;

/// CUDA_KERNEL_NODE_PARAMS: version 1 ends before `kernel`; versions 2 and 3 are the same.
typedef struct {
  Handle function;
  u32 gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  void **parameters, **extra;
  Handle kernel, context;
} KernelNode;

/// CUgraphNodeParams: a kernel has type 0.
typedef struct {
  int type, reserved[3];
  KernelNode kernel;
} GraphNode;
enum { GRAPH_NODE_KERNEL = 0 };

/// CUtensorMap: 128 bytes that only the driver can read.
typedef struct {
  u64 words[16];
} TensorMap;
enum { TENSOR_MAP_BYTES = sizeof(TensorMap), MAX_RANK = 5 };

/// The keys of `extra`: a packed buffer of parameters.
#define EXTRA_BUFFER ((void *)1)
#define EXTRA_SIZE ((void *)2)

/// Flags of cuGetProcAddress, and the stream that each thread has of its own.
enum { PROC_PER_THREAD_STREAM = 2 };
#define STREAM_PER_THREAD ((Handle)2)

/// CUdevice_attribute and CUfunction_attribute.
enum { DEVICE_PROCESSORS = 16, DEVICE_MAJOR = 75, DEVICE_MINOR = 76 };
enum {
  FUNCTION_STATIC_SHARED = 1,
  FUNCTION_REGISTERS = 4,
  FUNCTION_MAX_DYNAMIC_SHARED = 8,
  FUNCTION_CLUSTER_X = 11,
  FUNCTION_CLUSTER_Y = 12,
  FUNCTION_CLUSTER_Z = 13
};

#endif
