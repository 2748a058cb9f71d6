// Small protocols of a few blocks over words of global memory: their PTX, and whether any order of
// their operations has an error, by trying all.

/** What one thread of a block does. */
export type Operation =
  | { readonly op: 'load' | 'store'; readonly data: number }
  | {
      readonly op: 'add' | 'set';
      readonly flag: number;
      readonly value: number;
      readonly isRelease: boolean;
    }
  | {
      readonly op: 'poll';
      readonly flag: number;
      readonly value: number;
      readonly isEqual: boolean;
      readonly isAcquire: boolean;
    }
  | { readonly op: 'fence' };

/** The operations of each block. */
export type Protocol = readonly (readonly Operation[])[];

/** Words of each kind. */
export const WORDS = 2;

/** The PTX of a protocol: one thread of each block acts. */
export function ptxOf(blocks: Protocol): string {
  const lines = blocks.flatMap((operations, block) => [
    `B${block}:`,
    ...operations.flatMap((operation, index) => textOf(operation, `L${block}_${index}`)),
    'ret;',
  ]);
  const choices = blocks.map((_, block) => `setp.eq.u32 %p, %b, ${block}; @%p bra B${block};`);
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry protocol(.param .u64 data, .param .u64 flags) {
.reg .b32 %b, %t, %v; .reg .b64 %d, %f; .reg .pred %p;
ld.param.u64 %d, [data]; ld.param.u64 %f, [flags];
mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x;
setp.ne.u32 %p, %t, 0; @%p ret;
${choices.join('\n')}
${lines.join('\n')}
}`;
}

function textOf(operation: Operation, label: string): string[] {
  switch (operation.op) {
    case 'load':
      return [`ld.global.u32 %v, [%d+${4 * operation.data}];`];
    case 'store':
      return [`st.global.u32 [%d+${4 * operation.data}], %b;`];
    case 'fence':
      return ['fence.acq_rel.gpu;'];
    case 'add':
    case 'set': {
      const { flag, value, isRelease, op } = operation;
      const order = isRelease ? 'release' : 'relaxed';
      const [name, end] = op === 'add' ? ['red', '.add'] : ['st', ''];
      return [`${name}.${order}.gpu.global${end}.u32 [%f+${4 * flag}], ${value};`];
    }
    case 'poll': {
      const { flag, value, isEqual, isAcquire } = operation;
      return [
        `${label}: ld.${isAcquire ? 'acquire' : 'relaxed'}.gpu.global.u32 %v, [%f+${4 * flag}];`,
        `setp.${isEqual ? 'ne' : 'lt'}.u32 %p, %v, ${value}; @%p bra ${label};`,
      ];
    }
  }
}

/** The launch of a protocol: all flags are 0. */
export function launchOf(blocks: Protocol): string {
  const zeros = Array.from({ length: WORDS }, () => 0);
  return JSON.stringify({
    grid: [blocks.length, 1, 1],
    block: [32, 1, 1],
    params: [
      { kind: 'pointer', bytes: 4 * WORDS },
      { kind: 'pointer', bytes: 4 * WORDS, int32: zeros },
    ],
  });
}

/** Sets of accesses as masks: an access is one bit. */
interface Thread {
  readonly at: number;
  /** What it knows; what a relaxed signal of it carries; what a fence would let it know. */
  readonly known: number;
  readonly released: number;
  readonly aside: number;
}

interface State {
  readonly threads: readonly Thread[];
  readonly flags: readonly { readonly value: number; readonly carried: number }[];
  /** Accesses so far, as a mask. */
  readonly done: number;
}

/** The first error that some order of the operations has; `null`: none has one. */
export function errorOf(blocks: Protocol): 'race' | 'deadlock' | null {
  const accesses = blocks.flatMap((operations, block) =>
    operations.flatMap((operation, index) =>
      operation.op === 'load' || operation.op === 'store' ? [{ block, index, operation }] : [],
    ),
  );
  const bitOf = (block: number, index: number): number =>
    1 << accesses.findIndex((access) => access.block === block && access.index === index);
  const seen = new Set<string>();
  let isStuck = false;
  const visit = (state: State): boolean => {
    const key = JSON.stringify(state);
    if (seen.has(key)) return false;
    seen.add(key);
    let canMove = false;
    for (const [block, thread] of state.threads.entries()) {
      const operation = blocks[block]![thread.at];
      if (operation === undefined) continue;
      if (operation.op === 'load' || operation.op === 'store') {
        for (const [number, other] of accesses.entries()) {
          const isDone = (state.done & (1 << number)) !== 0;
          const isKnown = (thread.known & (1 << number)) !== 0;
          const isConflict =
            other.block !== block &&
            other.operation.data === operation.data &&
            (other.operation.op === 'store' || operation.op === 'store');
          if (isDone && !isKnown && isConflict) return true;
        }
      }
      const next = after(state, block, operation, bitOf(block, thread.at));
      if (next === null) continue;
      canMove = true;
      if (visit(next)) return true;
    }
    const isOver = state.threads.every(({ at }, block) => at >= blocks[block]!.length);
    if (!canMove && !isOver) isStuck = true;
    return false;
  };
  const isRacing = visit({
    threads: blocks.map(() => ({ at: 0, known: 0, released: 0, aside: 0 })),
    flags: Array.from({ length: WORDS }, () => ({ value: 0, carried: 0 })),
    done: 0,
  });
  if (isRacing) return 'race';
  return isStuck ? 'deadlock' : null;
}

/** The state after an operation of a block; `null` while it waits. */
function after(state: State, block: number, operation: Operation, bit: number): State | null {
  const thread = state.threads[block]!;
  let { known, released, aside } = thread;
  let { done } = state;
  const flags = [...state.flags];
  switch (operation.op) {
    case 'load':
    case 'store':
      known |= bit;
      done |= bit;
      break;
    case 'fence':
      known |= aside;
      aside = 0;
      released = known;
      break;
    case 'add':
    case 'set': {
      const { flag, value, isRelease, op } = operation;
      const { value: held, carried } = flags[flag]!;
      const own = isRelease ? known : released;
      flags[flag] =
        op === 'add' ? { value: held + value, carried: carried | own } : { value, carried: own };
      break;
    }
    case 'poll': {
      const { flag, value, isEqual, isAcquire } = operation;
      const { value: held, carried } = flags[flag]!;
      if (isEqual ? held !== value : held < value) return null;
      if (isAcquire) known |= carried;
      else aside |= carried;
      break;
    }
  }
  const threads = [...state.threads];
  threads[block] = { at: thread.at + 1, known, released, aside };
  return { threads, flags, done };
}
