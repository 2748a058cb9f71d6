// Kernels that run from another PTX text: their handles are those of that text, so that the program
// launches it with its own parameters, grids and shared memory.
#include "record.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPLACEMENTS = 16, NOT_LOADED = 1 };

typedef struct {
  char *name;
  char *text;
  const char *file;
  Handle library; // loaded once, since it is of no context
  bool isNoted;
} Replacement;
static Replacement replacements[MAX_REPLACEMENTS];
static int count;

static void addReplacement(char *line) {
  char *separator = strchr(line, '=');
  if (separator == NULL || count == MAX_REPLACEMENTS) return;
  *separator = 0;
  size_t length;
  char *text = readFile(separator + 1, &length); // with the zero at its end that the driver wants
  if (text == NULL)
    fprintf(stderr, "poundlock: cannot read %s: %s is not replaced\n", separator + 1, line);
  else
    replacements[count++] = (Replacement){.name = line, .text = text, .file = separator + 1};
}

/// POUNDLOCK_REPLACE: lines of KERNEL=FILE.
void readReplacements(void) {
  const char *value = getenv("POUNDLOCK_REPLACE");
  if (value == NULL || *value == 0) return;
  char *copy = strdup(value), *rest = copy;
  for (char *line; rest != NULL && (line = strsep(&rest, "\n")) != NULL;) addReplacement(line);
}

static Replacement *replacementOf(const char *name) {
  for (int i = 0; i < count && name != NULL; i++)
    if (strcmp(replacements[i].name, name) == 0) return &replacements[i];
  return NULL;
}

/// Another text than the wanted one would be measured: the program gets the error.
static Result failed(const Replacement *replacement, Result result) {
  fprintf(stderr, "poundlock: the driver refuses %s: error %d\n", replacement->file, (int)result);
  return result;
}

static void note(Replacement *replacement) {
  if (!replacement->isNoted) writeNote("%s runs from %s", replacement->name, replacement->file);
  replacement->isNoted = true;
}

#define DRIVER(name, ...) ((Result(*)(__VA_ARGS__))driverSymbol(name))

/// The module to look a function up in: the one of the program, unless it is replaced.
Result moduleFor(Handle *module, const char *name) {
  Replacement *replacement = replacementOf(name);
  if (replacement == NULL) return 0;
  Result (*load)(Handle *, const void *) = DRIVER("cuModuleLoadData", Handle *, const void *);
  Handle own = NULL;
  isInside = true;
  Result result = load == NULL ? NOT_LOADED : load(&own, replacement->text);
  isInside = false;
  if (result != 0) return failed(replacement, result);
  ownImage(own, replacement->text, NULL);
  note(replacement);
  *module = own;
  return 0;
}

/// The library to look a kernel up in.
Result libraryFor(Handle *library, const char *name) {
  Replacement *replacement = replacementOf(name);
  if (replacement == NULL) return 0;
  if (replacement->library == NULL) {
    Result (*load)(Handle *, const void *, int *, void **, u32, int *, void **, u32) = DRIVER(
        "cuLibraryLoadData", Handle *, const void *, int *, void **, u32, int *, void **, u32);
    isInside = true;
    Result result = load == NULL ? NOT_LOADED
                                 : load(&replacement->library, replacement->text, NULL, NULL, 0,
                                        NULL, NULL, 0);
    isInside = false;
    if (result != 0) return failed(replacement, result);
    ownImage(replacement->library, replacement->text, NULL);
    note(replacement);
  }
  *library = replacement->library;
  return 0;
}
