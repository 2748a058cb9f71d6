// In a process named ptxas: copies its input and its output. Compilers start it as a child, which
// inherits LD_PRELOAD, so this covers nvcc, Triton, inductor and all that call them.
#include "record.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_COMMAND = 1 << 16 };

static char input[MAX_PATH], output[MAX_PATH], pairName[64];

static size_t readCommand(char command[MAX_COMMAND]) {
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  size_t length = 0;
  ssize_t count;
  while (length < MAX_COMMAND - 1 &&
         (count = read(file, command + length, MAX_COMMAND - 1 - length)) > 0)
    length += (size_t)count;
  close(file);
  command[length] = 0;
  return length;
}

static bool endsWith(const char *text, const char *end) {
  const size_t length = strlen(text), tail = strlen(end);
  return length > tail && strcmp(text + length - tail, end) == 0;
}

/// The value of `-o FILE`, `--output-file FILE` and `--output-file=FILE`; null for other words.
static const char *outputIn(const char *word, const char *next) {
  if (strcmp(word, "-o") == 0 || strcmp(word, "--output-file") == 0) return next;
  if (strncmp(word, "--output-file=", 14) == 0) return word + 14;
  return NULL;
}

void watchAssembler(void) {
  static char command[MAX_COMMAND];
  const size_t length = readCommand(command);
  const char *slash = strrchr(command, '/');
  if (strncmp(slash == NULL ? command : slash + 1, "ptxas", 5) != 0) return;
  const char *end = command + length;
  for (const char *word = command + strlen(command) + 1; word < end; word += strlen(word) + 1) {
    const char *next = word + strlen(word) + 1 < end ? word + strlen(word) + 1 : NULL;
    const char *file = outputIn(word, next);
    if (file != NULL) {
      snprintf(output, sizeof output, "%s", file);
      if (file == next) word = next;
    } else if (word[0] != '-' && endsWith(word, ".ptx") && access(word, R_OK) == 0) {
      snprintf(input, sizeof input, "%s", word);
    }
  }
  if (input[0] == 0 || output[0] == 0) return;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char name[80];
  snprintf(pairName, sizeof pairName, "ptxas-%d-%lld%09ld", (int)getpid(), (long long)now.tv_sec,
           now.tv_nsec);
  snprintf(name, sizeof name, "%s.ptx", pairName);
  copyFile(input, name);
}

__attribute__((destructor)) static void keepOutput(void) {
  if (pairName[0] == 0) return;
  char name[80];
  snprintf(name, sizeof name, "%s.cubin", pairName);
  copyFile(output, name);
}
