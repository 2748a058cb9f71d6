// Launches, which compute nothing, and the encoding of tensor maps.
#include "driver.h"
#include <string.h>

static Result launch(const char *api, Handle handle, const u32 sizes[7], void **parameters,
                     void **extra) {
  const Object *function = objectOf(handle);
  if (function->name == NULL) return 400; // CUDA_ERROR_INVALID_HANDLE
  if (observeLaunch != NULL) observeLaunch(api, function, sizes, parameters, extra);
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

// ---- graphs: a node is a launch, which the recorder has seen once it is added
#define GRAPH ((Handle)0xa0)
static Result addNode(const char *api, Handle *node, const KernelNode *n) {
  if (node != NULL) *node = GRAPH;
  return launch(api, n->function,
                (u32[]){n->gridX, n->gridY, n->gridZ, n->blockX, n->blockY, n->blockZ,
                        n->sharedBytes},
                n->parameters, n->extra);
}
PUBLIC Result cuGraphAddKernelNode(Handle *node, Handle graph, const Handle *before, size_t count,
                                   const KernelNode *about) {
  return (void)graph, (void)before, (void)count, addNode("cuGraphAddKernelNode", node, about);
}
PUBLIC Result cuGraphAddKernelNode_v2(Handle *node, Handle graph, const Handle *before,
                                      size_t count, const KernelNode *about) {
  return (void)graph, (void)before, (void)count, addNode("cuGraphAddKernelNode_v2", node, about);
}
PUBLIC Result cuGraphAddNode_v2(Handle *node, Handle graph, const Handle *before,
                                const void *edges, size_t count, const GraphNode *about) {
  (void)graph, (void)before, (void)edges, (void)count;
  return about->type == GRAPH_NODE_KERNEL ? addNode("cuGraphAddNode_v2", node, &about->kernel) : 0;
}
PUBLIC Result cuGraphCreate(Handle *graph, u32 flags) { return (void)flags, *graph = GRAPH, 0; }
PUBLIC Result cuGraphInstantiateWithFlags(Handle *graph, Handle from, u64 flags) {
  return (void)from, (void)flags, *graph = GRAPH, 0;
}
PUBLIC Result cuStreamEndCapture(Handle stream, Handle *graph) { return (void)stream, *graph = GRAPH, 0; }
NOTHING(cuStreamBeginCapture_v2)
NOTHING(cuGraphLaunch)
NOTHING(cuGraphDestroy)
NOTHING(cuGraphExecDestroy)

// ---- tensor maps: bytes that hold the address and what was encoded, and no more
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
PUBLIC Result cuTensorMapEncodeIm2col(TensorMap *map, u32 type, u32 rank, void *address,
                                      const u64 *dimensions, const u64 *strides, const int *lower,
                                      const int *upper, u32 channels, u32 pixels, const u32 *steps,
                                      u32 interleave, u32 swizzle, u32 l2, u32 fill) {
  (void)strides;
  memset(map, 0, sizeof *map);
  map->words[0] = (u64)(uintptr_t)address;
  map->words[1] = type | rank << 8 | interleave << 16 | swizzle << 20 | l2 << 24;
  map->words[2] = fill + steps[0];
  for (u32 i = 0; i < rank; i++) map->words[3 + i] = dimensions[i];
  for (u32 i = 0; i + 2 < rank; i++)
    map->words[9 + i] = ((u64)(u32)lower[i] << 32) | (u32)upper[i];
  map->words[13] = ((u64)channels << 32) | pixels;
  return 0;
}
PUBLIC Result cuTensorMapReplaceAddress(TensorMap *map, void *address) {
  map->words[0] = (u64)(uintptr_t)address;
  return 0;
}
