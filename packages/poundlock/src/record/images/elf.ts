// Cubins: 64-bit ELF files with a section for each kernel.
import { ImageView } from './bytes.ts';

/** The first four bytes of a cubin. */
export const ELF_MAGIC = 0x464c457f;

/** The section in which ptxas keeps the PTX of code with line information. */
const PTX_SECTION = '.nv_debug_ptx_txt';

/** The contents of a section by its name; `undefined` if there is none. */
function sectionNamed(view: ImageView, name: string): Uint8Array | undefined {
  const table = view.word64(40);
  const entrySize = view.word16(58);
  const count = view.word16(60);
  const namesHeader = table + view.word16(62) * entrySize;
  const names = view.part(view.word64(namesHeader + 24), view.word64(namesHeader + 32));
  const wanted = new TextEncoder().encode(`${name}\0`);
  for (let index = 0; index < count; index++) {
    const header = table + index * entrySize;
    const start = view.word32(header);
    const isSame = wanted.every((byte, at) => names[start + at] === byte);
    if (isSame) return view.part(view.word64(header + 24), view.word64(header + 32));
  }
  return undefined;
}

/**
 * The PTX that ptxas kept in a cubin with line information: its lines less `.loc` and comments, on
 * their own line numbers. `undefined` if there is none.
 */
export function ptxOfCubin(cubin: Uint8Array): string | undefined {
  const bytes = sectionNamed(new ImageView(cubin), PTX_SECTION);
  if (bytes === undefined || bytes.length === 0) return undefined;
  // Lines end with a zero.
  return new TextDecoder().decode(bytes).replaceAll('\0', '\n');
}
