// Which device memory is copied: behind the pointers in parameters that the user names.
import { InputError } from '@poundlock/core/internal/base';
import { MAX_PARAMETER_BYTES } from '@poundlock/ptx/internal/launch/parameter-block';

/** The most bytes that are copied from behind one pointer. */
const MAX_COPY_BYTES = 1 << 26;
/** Bytes that are looked at behind a pointer to small integers. */
const INTEGER_BYTES = 1 << 16;
/** Small integers: offsets, lengths, indices. */
const MAX_SMALL = 2 ** 24;

/** A pointer that the user names, or all of a parameter. */
interface Named {
  readonly parameter: number;
  /** Where the pointer lies in the parameter; `undefined`: all pointers in it. */
  readonly offset: number | undefined;
}

/** What is copied. */
export interface Copies {
  /** `--copy`: so many bytes. */
  readonly exact: readonly (Named & { readonly bytes: number })[];
  /** `--with-integers`: the small integers at the start. */
  readonly integers: readonly Named[];
  /** `--state`: the small integers behind each pointer whose memory decides what a kernel does. */
  readonly hasState: boolean;
}

/** Whether the memory behind a pointer decides what its kernel does. */
export type Decides = (pointer: Pick<CopiedMemory, 'parameter' | 'offset'>) => boolean;

/** The most parameters that the library copies from behind. */
const MAX_COPIES = 64;

/** A copy of the memory behind a pointer. */
export interface CopiedMemory {
  readonly parameter: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Where it has addresses. */
  readonly addresses: readonly number[];
}

/** `5`, or the name in the PTX: `kernel_param_5`; with `+16` the pointer at byte 16 of it. */
function named(word: string, option: string): Named {
  const [, number, offset] = /^(?:.*_param_)?(\d+)(?:\+(\d+))?$/.exec(word) ?? [];
  if (number === undefined || Number(number) > 4095 || Number(offset ?? 0) > MAX_PARAMETER_BYTES)
    throw new InputError(
      `${option} ${word}: name a parameter by its number, or as the PTX does: kernel_param_5; ` +
        'kernel_param_5+16 is the pointer at its byte 16',
    );
  return { parameter: Number(number), offset: offset === undefined ? undefined : Number(offset) };
}

/** Reads the words of `--copy` and `--with-integers`. */
export function readCopies(
  copy: readonly string[],
  integers: readonly string[],
  hasState = false,
): Copies {
  const exact = copy.map((word) => {
    const colon = word.lastIndexOf(':');
    const bytes = Number(word.slice(colon + 1));
    const isCount = Number.isInteger(bytes) && bytes > 0 && bytes <= MAX_COPY_BYTES;
    if (colon < 0 || !isCount)
      throw new InputError(
        `--copy ${word}: write PARAMETER:BYTES, such as 5:4096, at most ${MAX_COPY_BYTES} bytes`,
      );
    return { ...named(word.slice(0, colon), '--copy'), bytes };
  });
  return { exact, integers: integers.map((word) => named(word, '--with-integers')), hasState };
}

/**
 * The copies as the library reads them: `5:4096,7+16:64`. For the state the library copies behind
 * every pointer: which of them decide is known when the PTX is.
 */
export function copyWords({ exact, integers, hasState }: Copies): string {
  const inside = integers.map((each) => ({ ...each, bytes: INTEGER_BYTES }));
  const left = hasState ? Math.max(0, MAX_COPIES - exact.length - inside.length) : 0;
  const state = Array.from({ length: left }, (_, parameter) => {
    return { parameter, offset: undefined, bytes: INTEGER_BYTES };
  });
  const all = [...exact, ...inside, ...state];
  return all
    .map(({ parameter, offset, bytes }) => {
      return `${parameter}${offset === undefined ? '' : `+${offset}`}:${bytes}`;
    })
    .join(',');
}

/** How many bytes are written of a copy: behind the last small integer other data begins. */
export function bytesOfCopy(copies: Copies, copy: CopiedMemory, decides: Decides): number {
  const isOf = ({ parameter, offset }: Named): boolean =>
    parameter === copy.parameter && (offset === undefined || offset === copy.offset);
  const exact = copies.exact.filter(isOf).map(({ bytes }) => Math.min(bytes, copy.bytes.length));
  const isState = copies.hasState && decides(copy);
  const integers = isState || copies.integers.some(isOf) ? integersAtStart(copy) : 0;
  return Math.max(0, integers, ...exact);
}

function integersAtStart({ bytes, addresses }: CopiedMemory): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const most = Math.min(INTEGER_BYTES, bytes.length, ...addresses);
  let end = 0;
  while (end + 4 <= most) {
    const word = view.getInt32(end, true);
    if (word < -1 || word >= MAX_SMALL) break;
    end += 4;
  }
  return end;
}
