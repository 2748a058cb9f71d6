// Cubins: 64-bit ELF files with a section for each kernel.
import { ImageView } from './bytes.ts';

/** The first four bytes of a cubin. */
export const ELF_MAGIC = 0x464c457f;

/**
 * The sections in which ptxas keeps the PTX of code with line information. The linker of
 * relocatable code adds a number for each object.
 */
const PTX_SECTION = /^\.nv_debug_ptx_txt(?:\.\d+)?$/;

/** The contents of the sections with such a name. */
function sectionsNamed(view: ImageView, pattern: RegExp): Uint8Array[] {
  const table = view.word64(40);
  const entrySize = view.word16(58);
  const count = view.word16(60);
  const namesHeader = table + view.word16(62) * entrySize;
  const names = view.part(view.word64(namesHeader + 24), view.word64(namesHeader + 32));
  const headers = Array.from({ length: count }, (_, index) => table + index * entrySize);
  return headers
    .filter((header) => pattern.test(nameAt(names, view.word32(header))))
    .map((header) => view.part(view.word64(header + 24), view.word64(header + 32)));
}

function nameAt(names: Uint8Array, start: number): string {
  const end = names.indexOf(0, start);
  return new TextDecoder().decode(names.subarray(start, end < 0 ? undefined : end));
}

/**
 * The PTX that ptxas kept in a cubin with line information: its lines less `.loc` and comments, on
 * their own line numbers. One text, or one for each object that was linked.
 */
export function ptxTextsOfCubin(cubin: Uint8Array): string[] {
  const sections = sectionsNamed(new ImageView(cubin), PTX_SECTION);
  return sections
    .filter(({ length }) => length > 0)
    .map((bytes) => {
      // Lines end with a zero.
      return new TextDecoder().decode(bytes).replaceAll('\0', '\n');
    });
}

/** The same as one text, of several modules where several objects were linked. */
export function ptxOfCubin(cubin: Uint8Array): string | undefined {
  const texts = ptxTextsOfCubin(cubin);
  return texts.length === 0 ? undefined : texts.join('\n');
}
