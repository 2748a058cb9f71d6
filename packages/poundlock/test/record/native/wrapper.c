// Another preloaded library that wraps a function of the driver and looks for the next one.
#define _GNU_SOURCE
#include "../../../native/record/driver-types.h"
#include <dlfcn.h>
#include <stdio.h>

typedef Result (*Launch)(Handle, u32, u32, u32, u32, u32, u32, u32, Handle, void **, void **);

__attribute__((visibility("default"))) Result cuLaunchKernel(Handle function, u32 gx, u32 gy,
                                                             u32 gz, u32 bx, u32 by, u32 bz,
                                                             u32 shared, Handle stream,
                                                             void **parameters, void **extra) {
  Launch next = (Launch)dlsym(RTLD_NEXT, "cuLaunchKernel");
  puts("wrapped");
  return next(function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra);
}
