// Small kernels for tests of the review, and a brute-force twin of it.
import { kernelText } from '../../../../ptx/test/kernel-text.ts';

/** What a thread of each warp does, in the order of the text. */
export type Part =
  /** `bar.sync 0`. */
  | { readonly kind: 'barrier' }
  /** A warp stores a word of its own: word `warp + shift`. */
  | { readonly kind: 'store' | 'load'; readonly slot: number; readonly shift: number };

/** Warps of the kernels. */
export const WARPS = 2;
const WORDS = 4;
const BYTES_PER_THREAD = 128;

/** A kernel of two warps with a region of 128 bytes for each word. */
export function ptxOf(parts: readonly Part[]): string {
  const lines = parts.map((part) => {
    if (part.kind === 'barrier') return 'bar.sync 0;';
    const index = `add.u32 %r4, %r2, ${part.shift}; rem.u32 %r4, %r4, ${WARPS};`;
    const base = `mad.lo.u32 %r5, %r4, ${BYTES_PER_THREAD}, %r3; add.u32 %r5, %r5, ${part.slot * WARPS * BYTES_PER_THREAD};`;
    const access =
      part.kind === 'store' ? 'st.shared.u32 [%r5], %r1;' : 'ld.shared.u32 %r6, [%r5];';
    return `${index} ${base} ${access}`;
  });
  const head = `mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31; shl.b32 %r3, %r3, 2;
mov.u32 %r7, words; add.u32 %r3, %r3, %r7;`;
  const bytes = WORDS * WARPS * BYTES_PER_THREAD;
  return kernelText(
    `.reg .b32 %r<8>;\n.shared .align 8 .b8 words[${bytes}];`,
    [head, ...lines, 'ret;'].join('\n'),
  );
}

/** The options of a kernel with its launch. */
export function optionsOf(text: string, fields: Readonly<Record<string, unknown>> = {}) {
  const launch = { grid: [1, 1, 1], block: [32 * WARPS, 1, 1], params: [], ...fields };
  return {
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  };
}

/** Whether the accesses of two warps race, by trying all orders of what lies between barriers. */
export function races(parts: readonly Part[]): boolean {
  // Barriers of all threads divide the kernel into phases: accesses of one phase are not ordered.
  const phases: Part[][] = [[]];
  for (const part of parts)
    if (part.kind === 'barrier') phases.push([]);
    else phases.at(-1)!.push(part);
  return phases.some((phase) =>
    phase.some((one) =>
      phase.some((other) => {
        if (one.kind === 'barrier' || other.kind === 'barrier') return false;
        if (one.slot !== other.slot || (one.kind === 'load' && other.kind === 'load')) return false;
        // Word `warp + shift`: two warps meet where their shifts differ.
        return (one.shift - other.shift) % WARPS !== 0;
      }),
    ),
  );
}

/** The most barriers that can be deleted together, by trying all sets. */
export function mostDeletable(parts: readonly Part[]): number {
  const barriers = parts.flatMap(({ kind }, index) => (kind === 'barrier' ? [index] : []));
  let most = 0;
  for (let set = 0; set < 2 ** barriers.length; set++) {
    const deleted = new Set(barriers.filter((_, bit) => ((set >> bit) & 1) === 1));
    if (deleted.size <= most) continue;
    if (!races(parts.filter((_, index) => !deleted.has(index)))) most = deleted.size;
  }
  return most;
}
