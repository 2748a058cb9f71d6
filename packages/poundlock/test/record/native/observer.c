// What tests see and change of the stand-in driver, compiled into it.
//
// STANDIN_LOG=FILE        a line for each launch that arrives
// STANDIN_PARAMETERS=8,4  sizes of the parameters, for images that the driver cannot read
// STANDIN_LAUNCH=hang     what a launch does instead of returning: hang or crash
// STANDIN_OLD=1           a driver before 12.4, without cuFuncGetParamInfo
#include "../../../native/driver/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void observeLaunch(const char *api, const Object *function, const u32 sizes[7], void **parameters,
                   void **extra) {
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
}

const char *sizesOfUnknown(void) { return getenv("STANDIN_PARAMETERS"); }
bool isOldDriver(void) { return getenv("STANDIN_OLD") != NULL; }
bool isCapturedStream(Handle stream) { return stream == (Handle)0x77; }
