// Text that grows, and JSON in it. Where memory runs out the text is broken and is not written.
#include "record.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/// Makes room for `more` bytes and a zero.
static bool grow(Text *text, size_t more) {
  if (text->isBroken) return false;
  if (text->length + more < text->capacity) return true;
  size_t capacity = (text->capacity + more) * 2 + 256;
  char *bytes = realloc(text->bytes, capacity);
  if (bytes == NULL) {
    text->isBroken = true;
    return false;
  }
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void append(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length >= 0 && grow(text, (size_t)length)) {
    vsnprintf(text->bytes + text->length, text->capacity - text->length, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void appendHex(Text *text, const unsigned char *bytes, size_t length) {
  static const char digits[] = "0123456789abcdef";
  if (!grow(text, 2 * length)) return;
  for (size_t i = 0; i < length; i++) {
    text->bytes[text->length++] = digits[bytes[i] >> 4];
    text->bytes[text->length++] = digits[bytes[i] & 15];
  }
  text->bytes[text->length] = 0;
}

void appendString(Text *text, const char *string) {
  append(text, "\"");
  for (; *string != 0; string++) {
    unsigned char byte = (unsigned char)*string;
    if (byte == '"' || byte == '\\') append(text, "\\%c", byte);
    else if (byte < 32) append(text, "\\u%04x", byte);
    else append(text, "%c", byte);
  }
  append(text, "\"");
}

void freeText(Text *text) { free(text->bytes); }
