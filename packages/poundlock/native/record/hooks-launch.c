// Wrappers of the calls that launch kernels. A launch is written before the driver is called, so
// that one that hangs or crashes is recorded.
#include "hooks.h"

typedef u32 Word;

/// The stream of a launch; in the variants with per-thread streams, 0 is the thread's own.
static Handle streamOf(Handle stream, bool isPerThread) {
  return stream == NULL && isPerThread ? STREAM_PER_THREAD : stream;
}

#define LAUNCH_KERNEL(symbol, perThread)                                                       \
  EXPORTED Result symbol(Handle function, Word gridX, Word gridY, Word gridZ, Word blockX,     \
                         Word blockY, Word blockZ, Word sharedBytes, Handle stream,            \
                         void **parameters, void **extra) {                                    \
    recordLaunch(&(Launch){.api = "cuLaunchKernel",                                            \
                           .function = function,                                               \
                           .grid = {gridX, gridY, gridZ},                                      \
                           .block = {blockX, blockY, blockZ},                                  \
                           .sharedBytes = sharedBytes,                                         \
                           .stream = streamOf(stream, perThread),                              \
                           .parameters = parameters,                                           \
                           .extra = extra});                                                   \
    return CALL(symbol,                                                                        \
                (Handle, Word, Word, Word, Word, Word, Word, Word, Handle, void **, void **),  \
                function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream,    \
                parameters, extra);                                                            \
  }
LAUNCH_KERNEL(cuLaunchKernel, false)
LAUNCH_KERNEL(cuLaunchKernel_ptsz, true)

#define LAUNCH_COOPERATIVE(symbol, perThread)                                                  \
  EXPORTED Result symbol(Handle function, Word gridX, Word gridY, Word gridZ, Word blockX,     \
                         Word blockY, Word blockZ, Word sharedBytes, Handle stream,            \
                         void **parameters) {                                                  \
    recordLaunch(&(Launch){.api = "cuLaunchCooperativeKernel",                                 \
                           .function = function,                                               \
                           .grid = {gridX, gridY, gridZ},                                      \
                           .block = {blockX, blockY, blockZ},                                  \
                           .sharedBytes = sharedBytes,                                         \
                           .stream = streamOf(stream, perThread),                              \
                           .parameters = parameters,                                           \
                           .isCooperative = true});                                            \
    return CALL(symbol, (Handle, Word, Word, Word, Word, Word, Word, Word, Handle, void **),   \
                function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream,    \
                parameters);                                                                   \
  }
LAUNCH_COOPERATIVE(cuLaunchCooperativeKernel, false)
LAUNCH_COOPERATIVE(cuLaunchCooperativeKernel_ptsz, true)

#define LAUNCH_EX(symbol, perThread)                                                           \
  EXPORTED Result symbol(const LaunchConfig *config, Handle function, void **parameters,       \
                         void **extra) {                                                       \
    if (config != NULL)                                                                        \
      recordLaunch(&(Launch){.api = "cuLaunchKernelEx",                                        \
                             .function = function,                                             \
                             .grid = {config->gridX, config->gridY, config->gridZ},            \
                             .block = {config->blockX, config->blockY, config->blockZ},        \
                             .sharedBytes = config->sharedBytes,                               \
                             .stream = streamOf(config->stream, perThread),                    \
                             .attributes = config->attributes,                                 \
                             .attributeCount = config->attributeCount,                         \
                             .parameters = parameters,                                         \
                             .extra = extra});                                                 \
    return CALL(symbol, (const LaunchConfig *, Handle, void **, void **), config, function,    \
                parameters, extra);                                                            \
  }
LAUNCH_EX(cuLaunchKernelEx, false)
LAUNCH_EX(cuLaunchKernelEx_ptsz, true)

/// A kernel node of a graph; version 1 of its parameters has no kernel.
static void recordNode(const KernelNode *node, bool hasKernel) {
  if (node == NULL) return;
  Handle function = node->function == NULL && hasKernel ? node->kernel : node->function;
  recordLaunch(&(Launch){.api = "cuGraphAddKernelNode",
                         .function = function,
                         .grid = {node->gridX, node->gridY, node->gridZ},
                         .block = {node->blockX, node->blockY, node->blockZ},
                         .sharedBytes = node->sharedBytes,
                         .parameters = node->parameters,
                         .extra = node->extra});
}

static void recordGraphNode(const GraphNode *node) {
  if (node != NULL && node->type == GRAPH_NODE_KERNEL) recordNode(&node->kernel, true);
}

#define ADD_KERNEL_NODE(symbol, hasKernel)                                                     \
  EXPORTED Result symbol(Handle *made, Handle graph, const Handle *before, size_t count,       \
                         const KernelNode *node) {                                             \
    recordNode(node, hasKernel);                                                               \
    return CALL(symbol, (Handle *, Handle, const Handle *, size_t, const KernelNode *), made,  \
                graph, before, count, node);                                                   \
  }
ADD_KERNEL_NODE(cuGraphAddKernelNode, false)
ADD_KERNEL_NODE(cuGraphAddKernelNode_v2, true)

#define SET_KERNEL_NODE(symbol, hasKernel)                                                     \
  EXPORTED Result symbol(Handle changed, const KernelNode *node) {                             \
    recordNode(node, hasKernel);                                                               \
    return CALL(symbol, (Handle, const KernelNode *), changed, node);                          \
  }
SET_KERNEL_NODE(cuGraphKernelNodeSetParams, false)
SET_KERNEL_NODE(cuGraphKernelNodeSetParams_v2, true)

#define SET_INSTANCE_NODE(symbol, hasKernel)                                                   \
  EXPORTED Result symbol(Handle instance, Handle changed, const KernelNode *node) {            \
    recordNode(node, hasKernel);                                                               \
    return CALL(symbol, (Handle, Handle, const KernelNode *), instance, changed, node);        \
  }
SET_INSTANCE_NODE(cuGraphExecKernelNodeSetParams, false)
SET_INSTANCE_NODE(cuGraphExecKernelNodeSetParams_v2, true)

EXPORTED Result cuGraphAddNode(Handle *made, Handle graph, const Handle *before, size_t count,
                               const GraphNode *node) {
  recordGraphNode(node);
  return CALL(cuGraphAddNode, (Handle *, Handle, const Handle *, size_t, const GraphNode *), made,
              graph, before, count, node);
}

EXPORTED Result cuGraphAddNode_v2(Handle *made, Handle graph, const Handle *before,
                                  const void *edges, size_t count, const GraphNode *node) {
  recordGraphNode(node);
  return CALL(cuGraphAddNode_v2,
              (Handle *, Handle, const Handle *, const void *, size_t, const GraphNode *), made,
              graph, before, edges, count, node);
}

EXPORTED Result cuGraphNodeSetParams(Handle changed, const GraphNode *node) {
  recordGraphNode(node);
  return CALL(cuGraphNodeSetParams, (Handle, const GraphNode *), changed, node);
}

EXPORTED Result cuGraphExecNodeSetParams(Handle instance, Handle changed, const GraphNode *node) {
  recordGraphNode(node);
  return CALL(cuGraphExecNodeSetParams, (Handle, Handle, const GraphNode *), instance, changed,
              node);
}
