// The objects of a program that was compiled with -rdc=true: the linked code that the driver loads has
// no PTX, but the section __nv_relfatbin of the program has the fatbins of its objects.
#include "record.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTION "__nv_relfatbin"

static void *readAt(int file, u64 offset, u64 length) {
  void *bytes = length == 0 || length > settings.maxImageBytes ? NULL : malloc(length + 1);
  if (bytes != NULL && pread(file, bytes, length, (off_t)offset) != (ssize_t)length) {
    free(bytes);
    return NULL;
  }
  if (bytes != NULL) ((char *)bytes)[length] = 0;
  return bytes;
}

/// The section of a file, or an empty header.
static Elf64_Shdr findSection(int file) {
  Elf64_Shdr found = {0};
  Elf64_Ehdr *elf = readAt(file, 0, sizeof *elf);
  const bool isElf = elf != NULL && memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 &&
                     elf->e_ident[EI_CLASS] == ELFCLASS64 && elf->e_shentsize == sizeof found;
  Elf64_Shdr *headers = NULL;
  char *names = NULL;
  if (isElf) headers = readAt(file, elf->e_shoff, (u64)elf->e_shnum * sizeof found);
  const Elf64_Shdr *table =
      headers == NULL || elf->e_shstrndx >= elf->e_shnum ? NULL : &headers[elf->e_shstrndx];
  if (table != NULL) names = readAt(file, table->sh_offset, table->sh_size);
  for (u32 i = 0; names != NULL && i < elf->e_shnum; i++)
    if (headers[i].sh_name < table->sh_size && strcmp(names + headers[i].sh_name, SECTION) == 0)
      found = headers[i];
  free(names);
  free(headers);
  free(elf);
  return found;
}

static int openObject(const char *path) {
  // The program itself may have been started by a path that is relative to another folder.
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  return file >= 0 ? file : open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

void writeRelocatable(const void *image, const char *name) {
  Dl_info object;
  char path[64];
  snprintf(path, sizeof path, "image-%s.relocatable", name);
  if (hasFile(path) || dladdr(image, &object) == 0 || object.dli_fname == NULL) return;
  const int file = openObject(object.dli_fname);
  if (file < 0) return;
  const Elf64_Shdr section = findSection(file);
  void *bytes = readAt(file, section.sh_offset, section.sh_size);
  if (bytes != NULL) writeFile(path, bytes, section.sh_size);
  free(bytes);
  close(file);
}
