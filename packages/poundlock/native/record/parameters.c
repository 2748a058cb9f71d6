// The bytes of the parameters of a launch. Each parameter starts at a multiple of 8, so that
// addresses and tensor maps are found at multiples of 8.
#include "record.h"
#include <string.h>

typedef Result (*ParameterInfo)(Handle, size_t, size_t *, size_t *);

/// Room for another parameter, or null if the launch has too many bytes.
static unsigned char *place(Parameters *parameters, size_t size) {
  const size_t offset = (parameters->length + 7) & ~(size_t)7;
  if (size > MAX_PARAMETER_BYTES || offset + size > MAX_PARAMETER_BYTES) return NULL;
  memset(parameters->bytes + parameters->length, 0, offset - parameters->length);
  parameters->list[parameters->count++] = (Parameter){offset, size};
  parameters->length = offset + size;
  return parameters->bytes + offset;
}

static void readEach(Parameters *parameters, ParameterInfo info, Handle handle, void **each) {
  parameters->isSized = info != NULL; // drivers before 12.4 do not say
  while (parameters->isSized && parameters->count < MAX_PARAMETERS) {
    const int index = parameters->count;
    size_t offset, size;
    if (info(handle, (size_t)index, &offset, &size) != 0) return;
    unsigned char *bytes = place(parameters, size);
    if (bytes == NULL) parameters->isSized = false;
    else memcpy(bytes, each[index], size);
  }
}

static void readPacked(Parameters *parameters, void **extra) {
  const void *buffer = NULL;
  const size_t *size = NULL;
  for (int i = 0; i < 16 && extra[i] != NULL; i += 2) {
    if (extra[i] == EXTRA_BUFFER) buffer = extra[i + 1];
    else if (extra[i] == EXTRA_SIZE) size = extra[i + 1];
  }
  if (buffer == NULL || size == NULL || *size == 0) return;
  unsigned char *bytes = place(parameters, *size);
  parameters->isSized = bytes != NULL;
  if (bytes != NULL) memcpy(bytes, buffer, *size);
}

void readParameters(Parameters *parameters, const Function *function, Handle handle, void **each,
                    void **extra) {
  const char *name = function->isKernel ? "cuKernelGetParamInfo" : "cuFuncGetParamInfo";
  parameters->length = 0;
  parameters->count = 0;
  parameters->isSized = true;
  parameters->isPacked = each == NULL && extra != NULL;
  if (each != NULL) readEach(parameters, (ParameterInfo)driverSymbol(name), handle, each);
  else if (extra != NULL) readPacked(parameters, extra);
}
