// Random programs as plain data: what the dull search walks and what `toKernel` makes a kernel of.
export { toCountingKernel, toKernel } from './dull-kernel.ts';

export type Mode = 'parity' | 'counter';

export interface DullBarrier {
  /** 0: the program initializes it itself. */
  readonly count: number;
  readonly mode: Mode;
}

export interface DullRing {
  readonly stages: number;
  readonly bytes: number;
  readonly advance: 'release' | 'acquire';
  readonly barriers: Mode;
  readonly producers: number;
  readonly consumers: number;
  /** The ring before this one that it is a copy of (R09). */
  readonly copyOf?: number;
}

export interface DullPool {
  readonly capacity: number;
  /** The most allocations at one time. */
  readonly buffers: number;
}

export interface DullRole {
  readonly cta: number;
  readonly lanes: number;
  /** Whether the role starts by `spawn` alone. */
  readonly spawned?: boolean;
  readonly body: readonly Statement[];
}

export interface DullProgram {
  /** Barriers outside rings; those of rings follow in order: full 0 … S−1, empty 0 … S−1. */
  readonly barriers: readonly DullBarrier[];
  readonly buffers: number;
  /** The initial values of the cells. */
  readonly cells: readonly number[];
  readonly pools: readonly DullPool[];
  readonly rings: readonly DullRing[];
  /** The totals of the counts that loops use. */
  readonly counts: readonly number[];
  readonly roles: readonly DullRole[];
}

export type UnitName = 'tma' | 'mma' | 'bulk';
export type Body = readonly Statement[];
type Ctas = readonly number[];

/**
 * A statement. `slot` is a variable that holds the handle of an acquired stage; every loop's round
 * has slots of its own. A statement whose slot holds nothing does nothing.
 */
export type Statement =
  | { readonly do: 'wait'; readonly bar: number; readonly phase: number }
  | { readonly do: 'waitParity'; readonly bar: number; readonly bit: number }
  | TryWait
  | { readonly do: 'choose'; readonly branches: readonly Body[] }
  | Arrive
  | { readonly do: 'expectTx'; readonly bar: number; readonly bytes: number; readonly ctas?: Ctas }
  | {
      readonly do: 'completeTx';
      readonly bar: number;
      readonly bytes: number;
      readonly ctas?: Ctas;
    }
  | { readonly do: 'arriveDrop'; readonly bar: number; readonly count: number }
  | { readonly do: 'init'; readonly bar: number; readonly count: number }
  | { readonly do: 'invalidate'; readonly bar: number }
  | Copy
  | Use
  | { readonly do: 'commit'; readonly unit: UnitName; readonly bar: number; readonly ctas?: Ctas }
  | { readonly do: 'commitGroup'; readonly unit: UnitName }
  | { readonly do: 'waitGroup'; readonly unit: UnitName; readonly most: number }
  /** Of the role's own CTA unless it names one. */
  | { readonly do: 'read'; readonly buffer: number; readonly cta?: number | undefined }
  | { readonly do: 'write'; readonly buffer: number; readonly cta?: number | undefined }
  | { readonly do: 'store'; readonly cell: number; readonly value: number }
  | Load
  | { readonly do: 'syncNamed'; readonly id: number; readonly threads: number }
  | { readonly do: 'arriveNamed'; readonly id: number; readonly threads: number }
  | { readonly do: 'syncCluster' }
  | { readonly do: 'exit' }
  | { readonly do: 'spawn' | 'join'; readonly role: number }
  | { readonly do: 'pause'; readonly how: 'compute' | 'fence' }
  | Alloc
  | { readonly do: 'free'; readonly memory: number }
  | TouchMemory
  | { readonly do: 'relinquish'; readonly pool: number }
  | { readonly do: 'repeat'; readonly times: number; readonly body: Body }
  | Loop
  | Until
  | Poll
  | Spin
  | Scoped
  | { readonly do: 'acquire'; readonly ring: number; readonly side: Side; readonly slot: number }
  | { readonly do: 'release'; readonly slot: number; readonly signal: boolean }
  | Claim
  | { readonly do: 'drain'; readonly ring: number }
  | WaitSide
  | TryStage
  | { readonly do: 'stepSide'; readonly ring: number; readonly side: Side; readonly lanes: number }
  | { readonly do: 'signalStep'; readonly ring: number; readonly side: Side }
  | TouchSide
  | { readonly do: 'expect'; readonly slot: number; readonly bytes: number }
  | { readonly do: 'copy'; readonly slot: number; readonly ctas?: Ctas }
  | { readonly do: 'signal'; readonly slot: number }
  | { readonly do: 'arriveStage'; readonly slot: number; readonly ctas?: Ctas }
  | { readonly do: 'issue'; readonly slot: number; readonly into: number }
  | { readonly do: 'commitStage'; readonly slot: number; readonly ctas?: Ctas }
  | { readonly do: 'readStage'; readonly slot: number }
  | { readonly do: 'writeStage'; readonly slot: number };

export type Side = 'produce' | 'consume';

interface TryWait {
  readonly do: 'tryWait';
  readonly bar: number;
  readonly phase: number;
  readonly then: Body;
  readonly else: Body;
}
interface Arrive {
  readonly do: 'arrive';
  readonly bar: number;
  readonly count: number;
  readonly bytes: number;
  readonly everyLane: boolean;
  readonly ctas?: Ctas;
}
interface Copy {
  readonly do: 'asyncCopy';
  readonly unit: UnitName;
  /** −1: none. */
  readonly bar: number;
  readonly bytes: number;
  readonly into: readonly number[];
  readonly cell?: number;
  readonly value?: number;
  readonly ctas?: Ctas;
  /** Whether the bytes count on the barrier of the even CTA of a pair (U06). */
  readonly pair?: boolean;
}
interface Use {
  readonly do: 'asyncUse';
  readonly unit: UnitName;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  readonly group: boolean;
  readonly ctas?: Ctas;
}
/** `memory` is a variable that holds an allocated buffer; every loop's round has its own. */
interface Alloc {
  readonly do: 'alloc';
  readonly pool: number;
  readonly units: number;
  readonly memory: number;
}
/** Reads or writes an allocated buffer, or lets the tensor core write it. */
interface TouchMemory {
  readonly do: 'touchMemory';
  readonly memory: number;
  readonly how: 'read' | 'write' | 'use';
}
/** `load`, or `fetchAdd` where it has an amount; then a branch on the value. */
interface Load {
  readonly do: 'load';
  readonly cell: number;
  readonly amount?: number;
  readonly equals: number;
  readonly then: Body;
  readonly else: Body;
}
/** A `loop` that a count ends. With `carry`, the slot's linear handle is the loop's state. */
interface Loop {
  readonly do: 'loop';
  readonly count: number;
  readonly body: Body;
  readonly carry?: number;
}
/** A `loop` that a choice ends, before its body. */
interface Until {
  readonly do: 'until';
  readonly body: Body;
  readonly carry?: number;
}
/** Tries again and again, in a `loop` or in a plain `while`. */
interface Poll {
  readonly do: 'poll';
  readonly bar: number;
  readonly phase: number;
  readonly body: Body;
  readonly isPlain?: boolean;
}
/** A `loop` that ends when a cell holds a value, asked before its body. */
interface Spin {
  readonly do: 'spin';
  readonly cell: number;
  readonly equals: number;
  readonly body: Body;
}
/** An acquire whose handle is scoped: its block is `body`. */
interface Scoped {
  readonly do: 'scoped';
  readonly ring: number;
  readonly side: Side;
  /** The body makes the signal; consumers only. */
  readonly explicit: boolean;
  readonly slot: number;
  readonly body: Body;
}
/** One `tryClaim`; a claimed handle is linear, in `slot` of `then`. */
interface Claim {
  readonly do: 'claim';
  readonly ring: number;
  readonly slot: number;
  readonly then: Body;
  readonly else: Body;
}

/** A wait for the next stage of a side: always, never, or unless a try says that it is ready. */
interface WaitSide {
  readonly do: 'waitSide';
  readonly ring: number;
  readonly side: Side;
  readonly ready: 'no' | 'yes' | 'try';
}
interface TryStage {
  readonly do: 'tryStage';
  readonly ring: number;
  readonly side: Side;
  readonly then: Body;
  readonly else: Body;
}
/** What a role does to the stage that its register stands at, without a handle (R07). */
interface TouchSide {
  readonly do: 'touchSide';
  readonly ring: number;
  readonly side: Side;
  readonly what: 'read' | 'write' | 'arrive';
}

/** The number of a ring's barrier among all barriers. */
export function ringBarrier(
  program: DullProgram,
  ring: number,
  kind: 'full' | 'empty',
  stage: number,
): number {
  const { stages, copyOf = ring } = program.rings[ring]!;
  const earlier = program.rings.slice(0, copyOf).filter((one) => one.copyOf === undefined);
  const before = earlier.reduce((sum, one) => sum + 2 * one.stages, 0);
  return program.barriers.length + before + (kind === 'full' ? 0 : stages) + stage;
}

/** All barriers: the program's own, then the rings'. */
export function allBarriers(program: DullProgram): DullBarrier[] {
  const originals = program.rings.filter((one) => one.copyOf === undefined);
  const ofRings = originals.flatMap(({ stages, producers, consumers, barriers: mode }) => [
    ...Array.from({ length: stages }, () => ({ count: producers, mode })),
    ...Array.from({ length: stages }, () => ({ count: consumers, mode })),
  ]);
  return [...program.barriers, ...ofRings];
}

/** The blocks of a statement. */
export function blocks(statement: Statement): readonly Body[] {
  if ('branches' in statement) return statement.branches;
  if ('then' in statement) return [statement.then, statement.else];
  return 'body' in statement ? [statement.body] : [];
}

/** Every statement of a body, nested ones included. */
export function everyStatement(body: Body): Statement[] {
  return body.flatMap((one) => [one, ...blocks(one).flatMap(everyStatement)]);
}

/** The statement with other blocks, in the order of {@link blocks}. */
export function withBlocks(statement: Statement, blocks: readonly Body[]): Statement {
  if ('branches' in statement) return { ...statement, branches: blocks };
  if ('then' in statement) return { ...statement, then: blocks[0]!, else: blocks[1]! };
  return 'body' in statement ? { ...statement, body: blocks[0]! } : statement;
}
