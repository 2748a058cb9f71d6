// The functions that the recorder wraps, with the first version of the interface that has each.
#ifndef POUNDLOCK_HOOKS_H
#define POUNDLOCK_HOOKS_H
#include "record.h"

/// X(symbol, name without its suffix, first version, per-thread stream)
#define DRIVER_HOOKS(X)                                                                      \
  X(cuLaunchKernel, "cuLaunchKernel", 4000, false)                                           \
  X(cuLaunchKernel_ptsz, "cuLaunchKernel", 7000, true)                                       \
  X(cuLaunchKernelEx, "cuLaunchKernelEx", 11060, false)                                      \
  X(cuLaunchKernelEx_ptsz, "cuLaunchKernelEx", 11060, true)                                  \
  X(cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel", 9000, false)                     \
  X(cuLaunchCooperativeKernel_ptsz, "cuLaunchCooperativeKernel", 9000, true)                 \
  X(cuGraphAddKernelNode, "cuGraphAddKernelNode", 10000, false)                              \
  X(cuGraphAddKernelNode_v2, "cuGraphAddKernelNode", 12000, false)                           \
  X(cuGraphKernelNodeSetParams, "cuGraphKernelNodeSetParams", 10000, false)                  \
  X(cuGraphKernelNodeSetParams_v2, "cuGraphKernelNodeSetParams", 12000, false)               \
  X(cuGraphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams", 10010, false)          \
  X(cuGraphExecKernelNodeSetParams_v2, "cuGraphExecKernelNodeSetParams", 12000, false)       \
  X(cuGraphAddNode, "cuGraphAddNode", 12020, false)                                          \
  X(cuGraphAddNode_v2, "cuGraphAddNode", 12030, false)                                       \
  X(cuGraphNodeSetParams, "cuGraphNodeSetParams", 12020, false)                              \
  X(cuGraphExecNodeSetParams, "cuGraphExecNodeSetParams", 12020, false)                      \
  X(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled", 12000, false)                          \
  X(cuTensorMapEncodeIm2col, "cuTensorMapEncodeIm2col", 12000, false)                        \
  X(cuTensorMapReplaceAddress, "cuTensorMapReplaceAddress", 12000, false)                    \
  X(cuModuleLoad, "cuModuleLoad", 2000, false)                                               \
  X(cuModuleLoadData, "cuModuleLoadData", 2000, false)                                       \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx", 2010, false)                                   \
  X(cuModuleLoadFatBinary, "cuModuleLoadFatBinary", 2000, false)                             \
  X(cuModuleUnload, "cuModuleUnload", 2000, false)                                           \
  X(cuModuleGetFunction, "cuModuleGetFunction", 2000, false)                                 \
  X(cuLibraryLoadData, "cuLibraryLoadData", 12000, false)                                    \
  X(cuLibraryLoadFromFile, "cuLibraryLoadFromFile", 12000, false)                            \
  X(cuLibraryUnload, "cuLibraryUnload", 12000, false)                                        \
  X(cuLibraryGetKernel, "cuLibraryGetKernel", 12000, false)                                  \
  X(cuLibraryGetModule, "cuLibraryGetModule", 12000, false)                                  \
  X(cuKernelGetFunction, "cuKernelGetFunction", 12000, false)                                \
  X(cuGetProcAddress, "cuGetProcAddress", 11030, false)                                      \
  X(cuGetProcAddress_v2, "cuGetProcAddress", 12000, false)

/// Functions of NVRTC, which dlsym finds and cuGetProcAddress does not.
#define COMPILER_HOOKS(X) X(nvrtcGetCUBIN, "", 0, false)

enum HookIndex {
#define X(symbol, name, version, perThread) HOOK_##symbol,
  DRIVER_HOOKS(X) COMPILER_HOOKS(X)
#undef X
      HOOK_COUNT
};

/// The function behind a wrapper; null if the program has not loaded it.
void *realOf(enum HookIndex hook);
/// Makes a function known that a lookup of the program returned, and returns its wrapper.
void *wrapperFor(enum HookIndex hook, void *found);
/// The wrapper for what cuGetProcAddress found: the newest one of the name and the version.
void *wrapperOf(const char *name, void *found, int version, u64 flags);
/// The hook of a symbol, or HOOK_COUNT.
enum HookIndex hookNamed(const char *symbol);

/// Calls the function behind a wrapper: `CALL(cuModuleUnload, (Handle), module)`.
#define CALL(symbol, types, ...)                                                             \
  (realOf(HOOK_##symbol) == NULL                                                             \
       ? NOT_INITIALIZED                                                                     \
       : ((Result(*) types)realOf(HOOK_##symbol))(__VA_ARGS__))

/// Whether the outcome of a call of the program is written down.
static inline bool isSeen(Result result) { return result == 0 && settings.isOn && !isInside; }

#endif
