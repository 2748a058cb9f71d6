// What the files of the recorder share: settings, text, files, tables, images, maps, launches.
//
// The recorder is a preloaded library that writes down how CUDA kernels are launched. It reaches the
// callers of the driver by every door: a direct link (its own symbols come first), dlsym and dlvsym
// (which it wraps), and cuGetProcAddress. What it writes is raw: `launches-PID.jsonl`,
// `image-HASH.KIND`, `ptxas-*` and `compiled-*`. TypeScript opens images and looks for PTX.
//
//   cc -std=gnu11 -O2 -shared -fPIC -fvisibility=hidden -o librecord.so *.c -ldl -lpthread
//   POUNDLOCK_RECORD=FOLDER LD_PRELOAD=./librecord.so COMMAND
#ifndef POUNDLOCK_RECORD_H
#define POUNDLOCK_RECORD_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "driver-types.h"
#include <stdbool.h>

#define EXPORTED __attribute__((visibility("default")))

/// Bounds. A number that a setting replaces says so.
enum {
  MAX_PATH = 3072,            // bytes of a path in the folder of the recording
  MAX_PARAMETERS = 4096,      // parameters of a kernel
  MAX_PARAMETER_BYTES = 1 << 15,
  MAX_MAPS_OF_LAUNCH = 64,    // tensor maps of one launch
  MAX_MAPS = 1 << 14,         // encoded tensor maps that are remembered; the oldest go first
  MAX_RECORDS_OF_KERNEL = 40, // launches of a kernel handle that are written
  MAX_COPIES = 64,            // parameters in POUNDLOCK_RECORD_COPY
  MAX_COPY_BYTES = 64 << 20,    // of one launch
  MAX_ADDRESSES_OF_COPY = 1 << 13,
  FIRST_LOOKS = 32            // launches of a kernel whose parameters are always looked at
};

// ---- settings.c
typedef struct {
  int parameter;
  long offset; // of the pointer in the parameter; -1 for all that it has
  u64 bytes;
} Copy;
typedef struct {
  bool isOn;
  char folder[MAX_PATH - 128];
  int launches;        // POUNDLOCK_RECORD_LAUNCHES: launches of a kernel that are written
  u64 maxImageBytes;   // POUNDLOCK_RECORD_IMAGE_MB
  u64 maxTotalBytes;   // POUNDLOCK_RECORD_TOTAL_MB: what this process writes in all
  bool follows;        // POUNDLOCK_RECORD_FOLLOW: looks for tensor maps behind pointers
  const char *kernels; // POUNDLOCK_RECORD_KERNEL: a glob of names, or null for all
  Copy copies[MAX_COPIES]; // POUNDLOCK_RECORD_COPY: PARAMETER[+OFFSET]:BYTES,…
  int copyCount;
} Settings;
extern Settings settings;
void readSettings(void);

// ---- lock.c: one lock for all tables and files
void lockRecorder(void);
void unlockRecorder(void);
void prepareForks(void);
/// Whether this thread is in a call of the recorder's own, which is not recorded.
extern __thread bool isInside;

// ---- text.c: text that grows, as JSON
typedef struct {
  char *bytes;
  size_t length, capacity;
  bool isBroken; // memory ran out: the text is incomplete
} Text;
void append(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void appendHex(Text *text, const unsigned char *bytes, size_t length);
void appendString(Text *text, const char *string);
void freeText(Text *text);

// ---- files.c: whole lines and whole files in the folder of the recording
bool writeLine(const Text *text);
bool writeFile(const char *name, const void *bytes, size_t length);
bool hasFile(const char *name);
void copyFile(const char *from, const char *name);
void *readFile(const char *path, size_t *length);
void writeNote(const char *format, ...) __attribute__((format(printf, 1, 2)));

// ---- symbols.c: the functions behind the wrappers
typedef void *(*FindSymbol)(void *, const char *);
typedef void *(*FindVersionedSymbol)(void *, const char *, const char *);
FindSymbol realDlsym(void);
FindVersionedSymbol realDlvsym(void);
void *driverSymbol(const char *name);

// ---- table.c: from 64-bit keys to values
typedef struct {
  u64 key;
  void *value;
} Slot;
typedef struct {
  Slot *slots;
  size_t count, capacity;
} Table;
void *valueOf(const Table *table, u64 key);
bool setValue(Table *table, u64 key, void *value);
u64 hashOf(const void *bytes, size_t length);
static inline u64 keyOf(Handle handle) { return (u64)(uintptr_t)handle; }

// ---- image.c: what was loaded
typedef struct {
  const void *bytes; // null once written, or if too large
  size_t length;
  bool isCopied; // `bytes` is ours
  bool isWritten;
  char name[24]; // its hash, once written
  const char *kind; // ptx, cubin, fatbin, file, unknown
  char file[512];   // for what the driver loads from a file
} Image;
Image *imageOf(const void *bytes, const char *file);
const char *writtenImage(Image *image);
void freeImage(Image *image);

// ---- relocatable.c
/// Writes the objects of the program that an image is a part of, if it has them.
void writeRelocatable(const void *image, const char *name);

// ---- handles.c: modules and libraries, functions and kernels
typedef struct {
  Handle owner; // the module or library
  Image *image;
  char *name;
  bool isKernel; // CUkernel, not CUfunction
  bool isDone;   // no more launches of it are written
  bool isKnown;  // owner and name were looked up
  int recordCount;
  u32 calls;
  u64 records[MAX_RECORDS_OF_KERNEL]; // hashes of what was written
  u64 recent[8]; // hashes of the last different parameters
  u64 shapes[8]; // hashes of grids and blocks
} Function;
void ownImage(Handle owner, const void *bytes, const char *file);
void shareImage(Handle owner, Handle from);
void forgetOwner(Handle owner);
void ownFunction(Handle function, Handle owner, const char *name, bool isKernel);
void shareFunction(Handle function, Handle kernel);
Function *functionOf(Handle function);
void lookUpFunction(Function *function, Handle handle);

// ---- encoded-maps.c: tensor maps as they were encoded
typedef struct {
  TensorMap map;
  bool isIm2col;
  u32 type, rank, interleave, swizzle, l2, fill, channels, pixels;
  u64 address, dimensions[MAX_RANK], strides[MAX_RANK];
  u32 box[MAX_RANK], elementStrides[MAX_RANK];
  int lower[MAX_RANK], upper[MAX_RANK];
} EncodedMap;
void rememberMap(const EncodedMap *map);
const EncodedMap *mapOf(const void *bytes);
void appendMap(Text *text, const EncodedMap *map, const char *place, size_t at);

// ---- parameters.c: the bytes of the parameters of a launch
typedef struct {
  size_t offset, size;
} Parameter;
typedef struct {
  unsigned char bytes[MAX_PARAMETER_BYTES];
  size_t length;
  Parameter list[MAX_PARAMETERS];
  int count;
  bool isSized;  // whether the driver gave the sizes
  bool isPacked; // one buffer, laid out by the caller as in the PTX
} Parameters;
void readParameters(Parameters *parameters, const Function *function, Handle handle, void **each,
                    void **extra);

// ---- memory.c: device memory
typedef struct {
  u64 base;
  size_t size;
} Allocation;
bool isAddress(u64 word, Allocation *allocation);
bool copyFromDevice(void *to, u64 from, size_t length, Handle stream);
bool isCapturing(Handle stream);

// ---- launch.c
typedef struct {
  const char *api;
  Handle function;
  u32 grid[3], block[3], sharedBytes;
  Handle stream;
  const Attribute *attributes;
  u32 attributeCount;
  void **parameters, **extra;
  bool isCooperative;
} Launch;
void recordLaunch(const Launch *launch);

// ---- copies.c: contents that the user asked for
typedef struct {
  Text memory;
  int count;
  u64 bytes;
} Copied;
/// How many bytes are copied from behind the pointer at a place of the parameters; 0 for none.
u64 bytesAskedFor(const Parameters *parameters, size_t at);
void copyMemory(Copied *copied, size_t at, u64 address, u64 length, Handle stream);

// ---- launch-line.c
typedef struct {
  u32 cluster[3]; // zeros if no attribute sets it
  bool isCooperative, isProgrammatic;
} Chosen;
bool writeLaunch(const Launch *launch, const Chosen *chosen, Function *function,
                 const Parameters *parameters);

// ---- replace.c: kernels that run from another text
void readReplacements(void);
Result moduleFor(Handle *module, const char *name);
Result libraryFor(Handle *library, const char *name);

// ---- ptxas.c
void watchAssembler(void);

#endif
