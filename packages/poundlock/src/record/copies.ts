// Which device memory is copied: behind the pointers in parameters that the user names.
import { InputError } from '@poundlock/core/internal/base';

/** The most bytes that are copied from behind one pointer. */
export const MAX_COPY_BYTES = 1 << 26;
/** Bytes that are looked at behind a pointer to small integers. */
const INTEGER_BYTES = 1 << 16;
/** Small integers: offsets, lengths, indices. */
const MAX_SMALL = 2 ** 24;

/** Copies by the number of the parameter. */
export interface Copies {
  /** `--copy`: so many bytes. */
  readonly exact: ReadonlyMap<number, number>;
  /** `--with-integers`: the small integers at the start. */
  readonly integers: ReadonlySet<number>;
}

/** `5`, or the name in the PTX: `kernel_param_5`. */
function parameterNumber(word: string, option: string): number {
  const number = /^(?:.*_param_)?(\d+)$/.exec(word)?.[1];
  if (number === undefined || Number(number) > 4095)
    throw new InputError(
      `${option} ${word}: name a parameter by its number, or as the PTX does: kernel_param_5`,
    );
  return Number(number);
}

/** Reads the words of `--copy` and `--with-integers`. */
export function readCopies(copy: readonly string[], integers: readonly string[]): Copies {
  const exact = copy.map((word) => {
    const colon = word.lastIndexOf(':');
    const bytes = Number(word.slice(colon + 1));
    const isCount = Number.isInteger(bytes) && bytes > 0 && bytes <= MAX_COPY_BYTES;
    if (colon < 0 || !isCount)
      throw new InputError(
        `--copy ${word}: write PARAMETER:BYTES, such as 5:4096, at most ${MAX_COPY_BYTES} bytes`,
      );
    return [parameterNumber(word.slice(0, colon), '--copy'), bytes] as const;
  });
  return {
    exact: new Map(exact),
    integers: new Set(integers.map((word) => parameterNumber(word, '--with-integers'))),
  };
}

/** The copies as the library reads them: `5:4096,7:64`. */
export function copyWords({ exact, integers }: Copies): string {
  const words = [...exact].map(([parameter, bytes]) => `${parameter}:${bytes}`);
  for (const parameter of integers)
    if (!exact.has(parameter)) words.push(`${parameter}:${INTEGER_BYTES}`);
  return words.join(',');
}

/** What is written of a copy: behind the last small integer other data begins. */
export function cutCopy(copies: Copies, bytes: Uint8Array, parameter: number): Uint8Array {
  const exact = copies.exact.get(parameter);
  if (exact !== undefined) return bytes.subarray(0, exact);
  if (!copies.integers.has(parameter)) return bytes.subarray(0, 0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = 0;
  while (end + 4 <= bytes.length) {
    const word = view.getInt32(end, true);
    if (word < -1 || word >= MAX_SMALL) break;
    end += 4;
  }
  return bytes.subarray(0, end);
}
