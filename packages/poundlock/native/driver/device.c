// The device, its contexts, streams and events. All work is done at once.
#include "driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT ((Handle)0x20)
#define STREAM ((Handle)0x40)
#define EVENT ((Handle)0x60)
#define POOL ((Handle)0x80)
enum { VERSION = 13000 };

const Chip *chip(void) {
  static Chip this = {9, 0, 132, 232448, 233472, 2048, 80, 50};
  static bool isRead;
  const char *text = isRead ? NULL : getenv("POUNDLOCK_DRIVER");
  if (text != NULL)
    sscanf(text, "%d,%d,%d,%d,%d,%d,%d,%d", &this.major, &this.minor, &this.processors,
           &this.sharedPerBlock, &this.sharedPerProcessor, &this.threadsPerProcessor,
           &this.gigabytes, &this.cacheMegabytes);
  isRead = true;
  return &this;
}

/// CUdevice_attribute, as far as it does not differ between chips.
static const int CONSTANTS[][2] = {
    {1, 1024},  {2, 1024},    {3, 1024},    {4, 64},      {5, 2147483647}, {6, 65535},
    {7, 65535}, {8, 49152},   {9, 65536},   {10, 32},     {11, 2147483647}, {12, 65536},
    {13, 1755000}, {14, 512}, {19, 1},      {23, 32},     {31, 1},         {32, 1},
    {33, 1},    {36, 2619000}, {37, 5120},  {40, 3},      {41, 1},         {51, 32},
    {78, 1},    {79, 1},      {80, 1},      {82, 65536},  {83, 1},         {89, 1},
    {90, 1},    {95, 1},      {106, 32},    {109, 134217728}, {111, 1024}, {115, 1}};

static int attribute(int which) {
  const Chip *this = chip();
  const bool isHopper = this->major >= 9;
  switch (which) {
  case DEVICE_PROCESSORS: return this->processors;
  case 38: return this->cacheMegabytes << 20;
  case 39: return this->threadsPerProcessor;
  case DEVICE_MAJOR: return this->major;
  case DEVICE_MINOR: return this->minor;
  case 81: return this->sharedPerProcessor;
  case 97: return this->sharedPerBlock;
  case 120: return isHopper; // clusters
  case 127: return isHopper; // tensor maps
  }
  for (size_t i = 0; i < sizeof CONSTANTS / sizeof CONSTANTS[0]; i++)
    if (CONSTANTS[i][0] == which) return CONSTANTS[i][1];
  return 0;
}

PUBLIC Result cuInit(u32 flags) { return flags == 0 ? 0 : INVALID; }
PUBLIC Result cuDriverGetVersion(int *version) { return *version = VERSION, 0; }
PUBLIC Result cuDeviceGet(int *device, int number) { return number == 0 ? (*device = 0, 0) : 101; }
PUBLIC Result cuDeviceGetCount(int *count) { return *count = 1, 0; }
PUBLIC Result cuDeviceGetName(char *name, int length, int device) {
  (void)device;
  snprintf(name, (size_t)length, "stand-in sm_%d%d", chip()->major, chip()->minor);
  return 0;
}
static Result uuid(unsigned char *bytes, int device) {
  (void)device;
  return memset(bytes, 0x50, 16), 0;
}
PUBLIC Result cuDeviceGetUuid(unsigned char *bytes, int device) { return uuid(bytes, device); }
PUBLIC Result cuDeviceGetUuid_v2(unsigned char *bytes, int device) { return uuid(bytes, device); }
PUBLIC Result cuDeviceTotalMem_v2(size_t *size, int device) {
  return (void)device, *size = (size_t)chip()->gigabytes << 30, 0;
}
PUBLIC Result cuDeviceGetAttribute(int *value, int which, int device) {
  return (void)device, *value = attribute(which), 0;
}
PUBLIC Result cuDeviceComputeCapability(int *major, int *minor, int device) {
  return (void)device, *major = chip()->major, *minor = chip()->minor, 0;
}
PUBLIC Result cuDeviceGetPCIBusId(char *text, int length, int device) {
  return (void)device, snprintf(text, (size_t)length, "0000:01:00.0"), 0;
}
PUBLIC Result cuDeviceGetByPCIBusId(int *device, const char *text) { return (void)text, *device = 0, 0; }
PUBLIC Result cuDeviceCanAccessPeer(int *can, int a, int b) { return (void)a, (void)b, *can = 0, 0; }
PUBLIC Result cuDeviceGetDefaultMemPool(Handle *pool, int device) { return (void)device, *pool = POOL, 0; }
PUBLIC Result cuDeviceGetMemPool(Handle *pool, int device) { return (void)device, *pool = POOL, 0; }
PUBLIC Result cuMemPoolGetAttribute(Handle pool, int which, void *value) {
  return (void)pool, (void)which, *(u64 *)value = 0, 0;
}

static const struct {
  int result;
  const char *name, *text;
} ERRORS[] = {{0, "CUDA_SUCCESS", "no error"},
              {INVALID, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
              {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
              {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
              {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
              {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}};
static Result errorText(Result result, const char **text, bool isName) {
  for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++)
    if (ERRORS[i].result == result)
      return *text = isName ? ERRORS[i].name : ERRORS[i].text, 0;
  return *text = NULL, INVALID;
}
PUBLIC Result cuGetErrorName(Result result, const char **text) { return errorText(result, text, true); }
PUBLIC Result cuGetErrorString(Result result, const char **text) { return errorText(result, text, false); }

// ---- contexts: one, which is always current
PUBLIC Result cuDevicePrimaryCtxRetain(Handle *context, int device) {
  return (void)device, *context = CONTEXT, 0;
}
PUBLIC Result cuDevicePrimaryCtxGetState(int device, u32 *flags, int *isActive) {
  return (void)device, *flags = 0, *isActive = 1, 0;
}
NOTHING(cuDevicePrimaryCtxRelease_v2)
NOTHING(cuDevicePrimaryCtxSetFlags_v2)
NOTHING(cuDevicePrimaryCtxReset_v2)
PUBLIC Result cuCtxCreate_v2(Handle *context, u32 flags, int device) {
  return (void)flags, (void)device, *context = CONTEXT, 0;
}
PUBLIC Result cuCtxCreate_v4(Handle *context, void *how, u32 flags, int device) {
  return (void)how, cuCtxCreate_v2(context, flags, device);
}
NOTHING(cuCtxDestroy_v2)
NOTHING(cuCtxSetCurrent)
NOTHING(cuCtxPushCurrent_v2)
PUBLIC Result cuCtxGetCurrent(Handle *context) { return *context = CONTEXT, 0; }
PUBLIC Result cuCtxPopCurrent_v2(Handle *context) {
  if (context != NULL) *context = CONTEXT;
  return 0;
}
PUBLIC Result cuCtxGetDevice(int *device) { return *device = 0, 0; }
PUBLIC Result cuCtxGetFlags(u32 *flags) { return *flags = 0, 0; }
PUBLIC Result cuCtxGetApiVersion(Handle context, u32 *version) { return (void)context, *version = VERSION, 0; }
PUBLIC Result cuCtxGetId(Handle context, u64 *id) { return (void)context, *id = 1, 0; }
PUBLIC Result cuCtxGetLimit(size_t *value, int which) { return (void)which, *value = 1 << 20, 0; }
PUBLIC Result cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return *least = 0, *greatest = -5, 0;
}
NOTHING(cuCtxSynchronize)
NOTHING(cuCtxSetLimit)
NOTHING(cuCtxSetCacheConfig)
NOTHING(cuProfilerStart)
NOTHING(cuProfilerStop)

// ---- streams and events
PUBLIC Result cuStreamCreate(Handle *stream, u32 flags) { return (void)flags, *stream = STREAM, 0; }
PUBLIC Result cuStreamCreateWithPriority(Handle *stream, u32 flags, int priority) {
  return (void)flags, (void)priority, *stream = STREAM, 0;
}
PUBLIC Result cuStreamGetCtx(Handle stream, Handle *context) { return (void)stream, *context = CONTEXT, 0; }
PUBLIC Result cuStreamGetFlags(Handle stream, u32 *flags) { return (void)stream, *flags = 0, 0; }
PUBLIC Result cuStreamGetPriority(Handle stream, int *value) { return (void)stream, *value = 0, 0; }
PUBLIC Result cuStreamIsCapturing(Handle stream, int *status) {
  return *status = isCapturedStream != NULL && isCapturedStream(stream), 0;
}
PUBLIC Result cuStreamGetCaptureInfo_v2(Handle stream, int *status) { return (void)stream, *status = 0, 0; }
PUBLIC Result cuStreamGetCaptureInfo_v3(Handle stream, int *status) { return (void)stream, *status = 0, 0; }
PUBLIC Result cuLaunchHostFunc(Handle stream, void (*call)(void *), void *data) {
  return (void)stream, call(data), 0;
}
NOTHING(cuStreamDestroy_v2)
NOTHING(cuStreamSynchronize)
NOTHING(cuStreamQuery)
NOTHING(cuStreamWaitEvent)
PUBLIC Result cuEventCreate(Handle *event, u32 flags) { return (void)flags, *event = EVENT, 0; }
PUBLIC Result cuEventElapsedTime(float *milliseconds, Handle from, Handle to) {
  return (void)from, (void)to, *milliseconds = 1, 0;
}
NOTHING(cuEventDestroy_v2)
NOTHING(cuEventRecord)
NOTHING(cuEventRecordWithFlags)
NOTHING(cuEventSynchronize)
NOTHING(cuEventQuery)
