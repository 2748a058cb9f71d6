// The real dlsym and dlvsym, found in the symbol tables of the C library: the recorder's own
// definitions hide them from every ordinary lookup. And the functions of the driver.
#include "record.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

enum { HIDDEN_VERSION = 0x8000 };

/// The dynamic symbol table of a loaded object.
typedef struct {
  ElfW(Addr) base;
  const ElfW(Sym) * symbols;
  const char *strings;
  const u32 *hash; // DT_GNU_HASH
  const uint16_t *versions;
} Symbols;

static const void *tableAt(ElfW(Addr) base, ElfW(Addr) address) {
  // The loader has relocated the addresses of most architectures in place.
  return (const void *)(address < base ? base + address : address);
}

static bool readSymbols(const struct dl_phdr_info *object, Symbols *found) {
  const ElfW(Dyn) *dynamic = NULL;
  for (int i = 0; i < object->dlpi_phnum; i++)
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
  if (dynamic == NULL) return false;
  *found = (Symbols){.base = object->dlpi_addr};
  for (; dynamic->d_tag != DT_NULL; dynamic++) {
    const void *at = tableAt(object->dlpi_addr, dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_SYMTAB) found->symbols = at;
    if (dynamic->d_tag == DT_STRTAB) found->strings = at;
    if (dynamic->d_tag == DT_GNU_HASH) found->hash = at;
    if (dynamic->d_tag == DT_VERSYM) found->versions = at;
  }
  return found->symbols != NULL && found->strings != NULL && found->hash != NULL;
}

static u32 hashOfName(const char *name) {
  u32 hash = 5381;
  for (; *name != 0; name++) hash = hash * 33 + (unsigned char)*name;
  return hash;
}

/// The definition of a name in an object; a current version is preferred to an old one.
static void *lookUp(const Symbols *object, const char *name) {
  const u32 bucketCount = object->hash[0], first = object->hash[1], bloomWords = object->hash[2];
  const u32 *buckets = object->hash + 4 + bloomWords * (sizeof(ElfW(Addr)) / sizeof(u32));
  const u32 *chain = buckets + bucketCount;
  const u32 hash = hashOfName(name);
  void *old = NULL;
  if (bucketCount == 0) return NULL;
  for (u32 index = buckets[hash % bucketCount]; index >= first; index++) {
    const u32 other = chain[index - first];
    const ElfW(Sym) *symbol = &object->symbols[index];
    const bool isSame = (other | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
                        strcmp(object->strings + symbol->st_name, name) == 0;
    if (isSame) {
      void *address = (void *)(object->base + symbol->st_value);
      if (object->versions == NULL || (object->versions[index] & HIDDEN_VERSION) == 0)
        return address;
      old = address;
    }
    if (other & 1) break;
  }
  return old;
}

/// What is looked for, and in which library.
typedef struct {
  const char *library, *name;
  void *found;
} Wanted;

static int visit(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  Wanted *wanted = data;
  const char *slash = strrchr(object->dlpi_name, '/');
  const char *name = slash == NULL ? object->dlpi_name : slash + 1;
  Symbols symbols;
  if (strcmp(name, wanted->library) != 0 || !readSymbols(object, &symbols)) return 0;
  wanted->found = lookUp(&symbols, wanted->name);
  return wanted->found != NULL;
}

static void *inLibraryC(const char *name) {
  // Before version 2.34 of glibc they were in a library of their own.
  Wanted wanted = {"libc.so.6", name, NULL};
  if (dl_iterate_phdr(visit, &wanted) == 0) {
    wanted.library = "libdl.so.2";
    dl_iterate_phdr(visit, &wanted);
  }
  if (wanted.found == NULL) abort(); // `poundlock record` tries the library before the command
  return wanted.found;
}

FindSymbol realDlsym(void) {
  static FindSymbol find;
  FindSymbol found = __atomic_load_n(&find, __ATOMIC_ACQUIRE);
  if (found == NULL) {
    found = (FindSymbol)inLibraryC("dlsym");
    __atomic_store_n(&find, found, __ATOMIC_RELEASE);
  }
  return found;
}

FindVersionedSymbol realDlvsym(void) {
  static FindVersionedSymbol find;
  FindVersionedSymbol found = __atomic_load_n(&find, __ATOMIC_ACQUIRE);
  if (found == NULL) {
    found = (FindVersionedSymbol)inLibraryC("dlvsym");
    __atomic_store_n(&find, found, __ATOMIC_RELEASE);
  }
  return found;
}

void *driverSymbol(const char *name) {
  static void *driver;
  void *handle = __atomic_load_n(&driver, __ATOMIC_ACQUIRE);
  if (handle == NULL) {
    // Never loads the driver itself: a program without it stays one.
    handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    __atomic_store_n(&driver, handle, __ATOMIC_RELEASE);
  }
  return handle == NULL ? NULL : realDlsym()(handle, name);
}
