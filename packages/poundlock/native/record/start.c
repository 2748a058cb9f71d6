// What happens when the library is loaded.
#include "record.h"

__attribute__((constructor)) static void start(void) {
  realDlsym();
  realDlvsym();
  readSettings();
  if (!settings.isOn) return;
  prepareForks();
  watchAssembler();
}
