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
  /** Adds one; only the last block to do so goes on. */
  | { readonly op: 'draw'; readonly flag: number; readonly isRelease: boolean }
  /** Takes a lock, or gives it back. */
  | { readonly op: 'take'; readonly flag: number; readonly isAcquire: boolean }
  | { readonly op: 'give'; readonly flag: number; readonly isRelease: boolean }
  /** Adds one, or looks, and passes over operations unless the word held less, or at least, a value. */
  | {
      readonly op: 'ticket' | 'look';
      readonly flag: number;
      readonly value: number;
      readonly isAcquire: boolean;
      readonly isRelease: boolean;
      readonly skip: number;
    }
  /** Changes a word, and passes over operations unless it held 0; its answer may be unused. */
  | {
      readonly op: 'cas' | 'exch' | 'or';
      readonly flag: number;
      readonly compare: number;
      readonly value: number;
      readonly isAcquire: boolean;
      readonly isRelease: boolean;
      readonly skip: number;
    }
  /** Looks up to twice until the word holds a value at least; passes over operations if it does not. */
  | {
      readonly op: 'try';
      readonly flag: number;
      readonly value: number;
      readonly isAcquire: boolean;
      readonly skip: number;
    }
  | { readonly op: 'fence' };

type Swap = Extract<Operation, { readonly op: 'cas' | 'exch' | 'or' }>;

/** How often an operation tries. */
const TRIES = 2;

/** The operations of each block. */
export type Protocol = readonly (readonly Operation[])[];

/** Words of each kind. */
export const WORDS = 2;

/** The PTX of a protocol: one thread of each block acts. */
export function ptxOf(blocks: Protocol): string {
  const lines = blocks.flatMap((operations, block) => [
    `B${block}:`,
    ...operations.flatMap((operation, index) => [
      `P${block}_${index}:`,
      ...textOf(operation, `L${block}_${index}`, drawsOf(blocks, operation)),
      ...passing(operation, block, index, operations.length),
    ]),
    `P${block}_${operations.length}: ret;`,
  ]);
  const choices = blocks.map((_, block) => `setp.eq.u32 %p, %b, ${block}; @%p bra B${block};`);
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry protocol(.param .u64 data, .param .u64 flags) {
.reg .b32 %b, %t, %v, %n; .reg .b64 %d, %f; .reg .pred %p;
ld.param.u64 %d, [data]; ld.param.u64 %f, [flags];
mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x;
setp.ne.u32 %p, %t, 0; @%p ret;
${choices.join('\n')}
${lines.join('\n')}
}`;
}

/** Passes over operations by what an operation found. */
function passing(operation: Operation, block: number, index: number, end: number): string[] {
  if (!('skip' in operation) || operation.skip === 0) return [];
  const { op, value, skip } = operation;
  const target = Math.min(end, index + 1 + skip);
  const isNumber = op === 'ticket' || op === 'look' || op === 'try';
  const test = isNumber
    ? `${op === 'ticket' ? 'ge' : 'lt'}.u32 %p, %v, ${value}`
    : 'ne.u32 %p, %v, 0';
  return [`setp.${test}; @%p bra P${block}_${target};`];
}

/** How many blocks draw from the word of an operation. */
function drawsOf(blocks: Protocol, operation: Operation): number {
  if (operation.op !== 'draw') return 0;
  const { flag } = operation;
  return blocks.flat().filter((each) => each.op === 'draw' && each.flag === flag).length;
}

function textOf(operation: Operation, label: string, draws: number): string[] {
  switch (operation.op) {
    case 'load':
      return [`ld.global.u32 %v, [%d+${4 * operation.data}];`];
    case 'store':
      return [`st.global.u32 [%d+${4 * operation.data}], %b;`];
    case 'fence':
      return ['fence.acq_rel.gpu;'];
    case 'draw': {
      const order = operation.isRelease ? 'acq_rel' : 'relaxed';
      return [
        `atom.${order}.gpu.global.add.u32 %v, [%f+${4 * operation.flag}], 1;`,
        `setp.ne.u32 %p, %v, ${draws - 1}; @%p ret;`,
      ];
    }
    case 'take':
      return [
        `${label}: atom.${operation.isAcquire ? 'acquire' : 'relaxed'}.gpu.global.cas.b32 %v, [%f+${4 * operation.flag}], 0, 1;`,
        `setp.ne.u32 %p, %v, 0; @%p bra ${label};`,
      ];
    case 'give': {
      const order = operation.isRelease ? 'release' : 'relaxed';
      return [`atom.${order}.gpu.global.exch.b32 %v, [%f+${4 * operation.flag}], 0;`];
    }
    case 'add':
    case 'set': {
      const { flag, value, isRelease, op } = operation;
      const order = isRelease ? 'release' : 'relaxed';
      const [name, end] = op === 'add' ? ['red', '.add'] : ['st', ''];
      return [`${name}.${order}.gpu.global${end}.u32 [%f+${4 * flag}], ${value};`];
    }
    case 'ticket':
      return [`atom.${orderOf(operation)}.gpu.global.add.u32 %v, [%f+${4 * operation.flag}], 1;`];
    case 'cas':
    case 'exch':
    case 'or': {
      const { op, flag, compare, value } = operation;
      const inputs = op === 'cas' ? `${compare}, ${value}` : `${value}`;
      const name = `atom.${orderOf(operation)}.gpu.global.${op}.b32`;
      return [`${name} %v, [%f+${4 * flag}], ${inputs};`];
    }
    case 'try': {
      const { flag, value, isAcquire } = operation;
      return [
        'mov.u32 %n, 0;',
        `${label}: ld.${isAcquire ? 'acquire' : 'relaxed'}.gpu.global.u32 %v, [%f+${4 * flag}];`,
        `add.u32 %n, %n, 1; setp.lt.u32 %p, %v, ${value}; setp.lt.and.u32 %p, %n, ${TRIES}, %p;`,
        `@%p bra ${label};`,
      ];
    }
    case 'look': {
      const { flag, isAcquire } = operation;
      return [`ld.${isAcquire ? 'acquire' : 'relaxed'}.gpu.global.u32 %v, [%f+${4 * flag}];`];
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

/** What an atomic access orders. */
function orderOf({
  isAcquire,
  isRelease,
}: {
  readonly isAcquire: boolean;
  readonly isRelease: boolean;
}): string {
  if (isAcquire) return isRelease ? 'acq_rel' : 'acquire';
  return isRelease ? 'release' : 'relaxed';
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
  /** How often its operation has failed. */
  readonly tries: number;
  /** What it knows; what a relaxed signal of it carries; what a fence would let it know. */
  readonly known: number;
  readonly released: number;
  readonly aside: number;
  /** By word: what stores of it carry, since it has released that there before. */
  readonly sent: readonly number[];
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
      const end = blocks[block]!.length;
      const draws = drawsOf(blocks, operation);
      const next = after(state, block, operation, { bit: bitOf(block, thread.at), draws, end });
      if (next === null) continue;
      canMove = true;
      if (visit(next)) return true;
    }
    const isOver = state.threads.every(({ at }, block) => at >= blocks[block]!.length);
    if (!canMove && !isOver) isStuck = true;
    return false;
  };
  const isRacing = visit({
    threads: blocks.map(() => ({ at: 0, tries: 0, known: 0, released: 0, aside: 0, sent: [] })),
    flags: Array.from({ length: WORDS }, () => ({ value: 0, carried: 0 })),
    done: 0,
  });
  if (isRacing) return 'race';
  return isStuck ? 'deadlock' : null;
}

/** The state after an operation of a block; `null` while it waits. */
function after(
  state: State,
  block: number,
  operation: Operation,
  { bit, draws, end }: { readonly bit: number; readonly draws: number; readonly end: number },
): State | null {
  const thread = state.threads[block]!;
  let { known, released, aside } = thread;
  let { done } = state;
  const sent = [...thread.sent];
  const flags = [...state.flags];
  let at = thread.at + 1;
  let tries = 0;
  /** What a write of a word carries; what a release did, stores behind it of its thread do. */
  const sentBy = (flag: number, isRelease: boolean): number => {
    if (isRelease) sent[flag] = known;
    return released | (sent[flag] ?? 0);
  };
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
    case 'draw': {
      const { flag, isRelease } = operation;
      const { value, carried } = flags[flag]!;
      flags[flag] = { value: value + 1, carried: carried | sentBy(flag, isRelease) };
      known |= carried;
      if (value !== draws - 1) at = end;
      break;
    }
    case 'take': {
      const { flag, isAcquire } = operation;
      const { value, carried } = flags[flag]!;
      if (value !== 0) return null;
      if (isAcquire) known |= carried;
      else aside |= carried;
      flags[flag] = { value: 1, carried: carried | sentBy(flag, false) };
      break;
    }
    case 'give': {
      const { flag, isRelease } = operation;
      flags[flag] = { value: 0, carried: flags[flag]!.carried | sentBy(flag, isRelease) };
      break;
    }
    case 'add':
    case 'set': {
      const { flag, value, isRelease, op } = operation;
      const { value: held, carried } = flags[flag]!;
      const own = sentBy(flag, isRelease);
      flags[flag] =
        op === 'add' ? { value: held + value, carried: carried | own } : { value, carried: own };
      break;
    }
    case 'ticket':
    case 'look': {
      const { op, flag, value, isAcquire, isRelease, skip } = operation;
      const { value: held, carried } = flags[flag]!;
      if (op === 'ticket')
        flags[flag] = { value: held + 1, carried: carried | sentBy(flag, isRelease) };
      if (isAcquire) known |= carried;
      else aside |= carried;
      if (op === 'ticket' ? held >= value : held < value) at = Math.min(end, at + skip);
      break;
    }
    case 'cas':
    case 'exch':
    case 'or': {
      const { op, flag, compare, isAcquire, isRelease, skip } = operation;
      const { value: held, carried } = flags[flag]!;
      if (op !== 'cas' || held === compare) {
        const own = sentBy(flag, isRelease);
        flags[flag] = { value: storedBy(operation, held), carried: carried | own };
      }
      if (isAcquire) known |= carried;
      else aside |= carried;
      if (held !== 0) at = Math.min(end, at + skip);
      break;
    }
    case 'try': {
      const { flag, value, isAcquire, skip } = operation;
      const { value: held, carried } = flags[flag]!;
      if (isAcquire) known |= carried;
      else aside |= carried;
      if (held >= value) break;
      tries = thread.tries + 1;
      if (tries < TRIES) at = thread.at;
      else [at, tries] = [Math.min(end, at + skip), 0];
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
  threads[block] = { at, tries, known, released, aside, sent };
  return { threads, flags, done };
}

function storedBy({ op, value }: Swap, held: number): number {
  return op === 'or' ? held | value : value;
}
