// Small programs of a few blocks that go on by what they find in words of global memory: what they
// find may decide which way they take, where they access data, and what they write. Their PTX, and
// whether any order of their operations has an error, by trying all.

/** What one thread of a block does. Each read leaves what it found in one register. */
export type Action =
  /** A plain access to data; `null`: at the word that the register says. */
  | { readonly op: 'load' | 'store'; readonly data: number | null }
  /** Stores a value, or `null`: what the register holds. */
  | {
      readonly op: 'set';
      readonly word: number;
      readonly value: number | null;
      readonly isRelease: boolean;
    }
  | {
      readonly op: 'add' | 'exch' | 'cas';
      readonly word: number;
      readonly compare: number;
      readonly value: number | null;
      readonly isAcquire: boolean;
      readonly isRelease: boolean;
    }
  | { readonly op: 'look'; readonly word: number; readonly isAcquire: boolean }
  /** Looks until the word holds a value, another one, or at least it. */
  | ({ readonly op: 'wait'; readonly word: number; readonly isAcquire: boolean } & Test)
  /** Passes over actions unless the register passes a test. */
  | ({ readonly op: 'test'; readonly skip: number } & Test)
  | { readonly op: 'fence' };

interface Test {
  readonly test: 'eq' | 'ne' | 'ge';
  readonly than: number;
}

/** The actions of each block. */
export type Blocks = readonly (readonly Action[])[];

/** Words of data, and words that are waited for. */
export const WORDS = 2;

/** The PTX of a program: one thread of each block acts. */
export function ptxOf(blocks: Blocks): string {
  const lines = blocks.flatMap((actions, block) => [
    `B${block}: mov.u32 %v, 0;`,
    ...actions.flatMap((action, index) => {
      const target = `P${block}_${Math.min(actions.length, index + 1 + skipOf(action))}`;
      return [`P${block}_${index}:`, ...textOf(action, `L${block}_${index}`, target)];
    }),
    `P${block}_${actions.length}: ret;`,
  ]);
  const choices = blocks.map((_, block) => `setp.eq.u32 %p, %b, ${block}; @%p bra B${block};`);
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry branching(.param .u64 data, .param .u64 flags) {
.reg .b32 %b, %t, %v, %w, %n; .reg .b64 %d, %f, %a; .reg .pred %p;
ld.param.u64 %d, [data]; ld.param.u64 %f, [flags];
mov.u32 %b, %ctaid.x; mov.u32 %t, %tid.x;
setp.ne.u32 %p, %t, 0; @%p ret;
${choices.join('\n')}
${lines.join('\n')}
}`;
}

function skipOf(action: Action): number {
  return action.op === 'test' ? action.skip : 0;
}

const NOT = { eq: 'ne', ne: 'eq', ge: 'lt' };

function textOf(action: Action, label: string, target: string): string[] {
  switch (action.op) {
    case 'load':
    case 'store': {
      const { data, op } = action;
      const at = data === null ? '%a' : `%d+${4 * data}`;
      const address = ['and.b32 %n, %v, 1; mul.wide.u32 %a, %n, 4; add.s64 %a, %a, %d;'];
      const access = op === 'load' ? `ld.global.u32 %w, [${at}];` : `st.global.u32 [${at}], %b;`;
      return [...(data === null ? address : []), access];
    }
    case 'set': {
      const { word, value, isRelease } = action;
      const order = isRelease ? 'release' : 'relaxed';
      return [`st.${order}.gpu.global.u32 [%f+${4 * word}], ${value ?? '%v'};`];
    }
    case 'add':
    case 'exch':
    case 'cas': {
      const { op, word, compare, value } = action;
      const inputs = op === 'cas' ? `${compare}, ${value ?? '%v'}` : `${value ?? '%v'}`;
      const type = op === 'add' ? 'u32' : 'b32';
      return [`atom.${orderOf(action)}.gpu.global.${op}.${type} %v, [%f+${4 * word}], ${inputs};`];
    }
    case 'look':
      return [`${load(action)};`];
    case 'wait':
      return [
        `${label}: ${load(action)}; setp.${NOT[action.test]}.u32 %p, %v, ${action.than};`,
        `@%p bra ${label};`,
      ];
    case 'test':
      return [`setp.${NOT[action.test]}.u32 %p, %v, ${action.than}; @%p bra ${target};`];
    case 'fence':
      return ['fence.acq_rel.gpu;'];
  }
}

function load({ word, isAcquire }: { word: number; isAcquire: boolean }): string {
  return `ld.${isAcquire ? 'acquire' : 'relaxed'}.gpu.global.u32 %v, [%f+${4 * word}]`;
}

function orderOf({ isAcquire, isRelease }: { isAcquire: boolean; isRelease: boolean }): string {
  if (isAcquire) return isRelease ? 'acq_rel' : 'acquire';
  return isRelease ? 'release' : 'relaxed';
}

/** The launch of a program: all words are 0. */
export function launchOf(blocks: Blocks): string {
  const int32 = Array.from({ length: WORDS }, () => 0);
  const bytes = 4 * WORDS;
  const params = [
    { kind: 'pointer', bytes },
    { kind: 'pointer', bytes, int32 },
  ];
  return JSON.stringify({ grid: [blocks.length, 1, 1], block: [32, 1, 1], params });
}

/** Accesses are names in sorted lists. */
interface Thread {
  readonly at: number;
  readonly found: number;
  /** What it knows; what a relaxed signal of it carries; what a fence would let it know. */
  readonly known: readonly string[];
  readonly released: readonly string[];
  readonly aside: readonly string[];
}

interface State {
  readonly threads: readonly Thread[];
  readonly words: readonly { readonly value: number; readonly carried: readonly string[] }[];
  /** Accesses so far: block, place, word, and whether it is a store. */
  readonly done: readonly string[];
}

/** The first error that some order of the actions has; `null`: none has one. */
export function errorOf(blocks: Blocks): 'race' | 'deadlock' | null {
  const seen = new Set<string>();
  let isStuck = false;
  const visit = (state: State): boolean => {
    const key = JSON.stringify(state);
    if (seen.has(key)) return false;
    seen.add(key);
    const next = blocks.map((_, block) => after(blocks, state, block));
    if (next.includes('race')) return true;
    const isOver = state.threads.every(({ at }, block) => at >= blocks[block]!.length);
    isStuck ||= !isOver && next.every((each) => each === null);
    return next.some((each) => each !== null && each !== 'race' && visit(each));
  };
  const threads = blocks.map(() => ({ at: 0, found: 0, known: [], released: [], aside: [] }));
  const words = Array.from({ length: WORDS }, () => ({ value: 0, carried: [] }));
  if (visit({ threads, words, done: [] })) return 'race';
  return isStuck ? 'deadlock' : null;
}

/** The state after the next action of a block; `null` while it waits, or at its end. */
function after(blocks: Blocks, state: State, block: number): State | 'race' | null {
  const thread = state.threads[block]!;
  const action = blocks[block]![thread.at];
  if (action === undefined) return null;
  let { known, released, aside, found, at } = thread;
  let { done, words } = state;
  at++;
  const write = (word: number, value: number, carried: readonly string[]): void => {
    words = words.with(word, { value: value >>> 0, carried });
  };
  const read = (word: number, isAcquire: boolean): void => {
    found = state.words[word]!.value;
    if (isAcquire) known = joined(known, state.words[word]!.carried);
    else aside = joined(aside, state.words[word]!.carried);
  };
  switch (action.op) {
    case 'load':
    case 'store': {
      const data = action.data ?? found & 1;
      const name = `${block}:${thread.at}:${data}:${action.op}`;
      const meets = done.some((each) => {
        const [other, , place, op] = each.split(':');
        const isConflict = place === String(data) && [op, action.op].includes('store');
        return other !== String(block) && isConflict && !known.includes(each);
      });
      if (meets) return 'race';
      known = joined(known, [name]);
      done = joined(done, [name]);
      break;
    }
    case 'fence':
      known = joined(known, aside);
      aside = [];
      released = known;
      break;
    case 'set':
      write(action.word, action.value ?? found, action.isRelease ? known : released);
      break;
    case 'look':
      read(action.word, action.isAcquire);
      break;
    case 'wait':
      if (!passes(action, state.words[action.word]!.value)) return null;
      read(action.word, action.isAcquire);
      break;
    case 'test':
      if (!passes(action, found)) at = Math.min(blocks[block]!.length, at + action.skip);
      break;
    case 'add':
    case 'exch':
    case 'cas': {
      const { op, word, compare, isAcquire, isRelease } = action;
      const { value: held, carried } = words[word]!;
      const value = action.value ?? found;
      const own = isRelease ? known : released;
      if (op !== 'cas' || held === compare)
        write(word, op === 'add' ? held + value : value, joined(carried, own));
      read(word, isAcquire);
      break;
    }
  }
  const threads = state.threads.with(block, { at, found, known, released, aside });
  return { threads, words, done };
}

function passes({ test, than }: Test, value: number): boolean {
  if (test === 'ge') return value >= than;
  return (value === than) === (test === 'eq');
}

function joined(one: readonly string[], other: readonly string[]): readonly string[] {
  return [...new Set([...one, ...other])].toSorted();
}
