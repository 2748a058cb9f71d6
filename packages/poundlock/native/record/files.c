// Files in the folder of the recording: whole lines, whole files, or nothing. A full disk ends the
// recording and not the program. Files are private to the user.
#include "record.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PRIVATE = 0600 };

static u64 written; // bytes of this process

static void pathOf(char path[MAX_PATH], const char *name) {
  snprintf(path, MAX_PATH, "%s/%s", settings.folder, name);
}

static bool writeAll(int file, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(file, bytes, length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    length -= (size_t)count;
  }
  return true;
}

/// Writes while a limit of the file size fails like a full disk, and sends no signal.
static bool writeQuietly(int file, const void *bytes, size_t length) {
  sigset_t limit, before, waiting;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  sigpending(&waiting);
  pthread_sigmask(SIG_BLOCK, &limit, &before);
  bool isWritten = writeAll(file, bytes, length);
  if (!isWritten && !sigismember(&waiting, SIGXFSZ)) {
    struct timespec now = {0, 0};
    while (sigtimedwait(&limit, NULL, &now) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return isWritten;
}

/// Nothing more is written once the disk is full or the bound of bytes is reached.
static bool hasRoom(size_t length) {
  if (!settings.isOn) return false;
  if (written + length <= settings.maxTotalBytes) return true;
  return false;
}

bool writeLine(const Text *text) {
  if (text->isBroken || !hasRoom(text->length)) return false;
  char name[64], path[MAX_PATH];
  snprintf(name, sizeof name, "launches-%d.jsonl", (int)getpid());
  pathOf(path, name);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, PRIVATE);
  if (file < 0) return false;
  off_t end = lseek(file, 0, SEEK_END);
  bool isWritten = writeQuietly(file, text->bytes, text->length);
  if (isWritten) {
    written += text->length;
  } else {
    // The next line must not follow half of this one.
    if (end >= 0 && ftruncate(file, end) != 0) settings.isOn = false;
    settings.isOn = false;
  }
  close(file);
  return isWritten;
}

bool hasFile(const char *name) {
  char path[MAX_PATH];
  struct stat status;
  pathOf(path, name);
  return stat(path, &status) == 0;
}

bool writeFile(const char *name, const void *bytes, size_t length) {
  if (!hasRoom(length)) return false;
  char path[MAX_PATH], draft[MAX_PATH + 32];
  pathOf(path, name);
  snprintf(draft, sizeof draft, "%s.%d.tmp", path, (int)getpid());
  int file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, PRIVATE);
  if (file < 0) return false;
  bool isWritten = writeQuietly(file, bytes, length);
  close(file);
  if (isWritten && rename(draft, path) == 0) {
    written += length;
    return true;
  }
  unlink(draft);
  return false;
}

void *readFile(const char *path, size_t *length) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  struct stat status;
  char *bytes = NULL;
  size_t count = 0;
  bool isUsable = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
                  (u64)status.st_size <= settings.maxImageBytes;
  if (isUsable) bytes = malloc((size_t)status.st_size + 1);
  while (bytes != NULL && count < (size_t)status.st_size) {
    ssize_t got = read(file, bytes + count, (size_t)status.st_size - count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    count += (size_t)got;
  }
  close(file);
  if (bytes != NULL) bytes[count] = 0;
  *length = count;
  return bytes;
}

void copyFile(const char *from, const char *name) {
  size_t length;
  void *bytes = readFile(from, &length);
  if (bytes != NULL && length > 0) writeFile(name, bytes, length);
  free(bytes);
}

void writeNote(const char *format, ...) {
  char note[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, sizeof note, format, arguments);
  va_end(arguments);
  Text text = {0};
  append(&text, "{\"note\":");
  appendString(&text, note);
  append(&text, "}\n");
  writeLine(&text);
  freeText(&text);
}
