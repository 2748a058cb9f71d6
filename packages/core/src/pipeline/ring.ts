// What a pipeline declares: a full and an empty barrier and the buffers of every stage.
import { option, optionTable, requireOptions, type OptionsOf } from '../base/index.ts';
import { makeOp, OpKind, Side, type Op } from '../op/index.ts';
import { BARRIER, currentDeclarations, declareBarrier, declareBuffer } from '../program/index.ts';
import { requireCount } from '../program/index.ts';
import type { Barrier, Buffer, StageHandle } from '../program/index.ts';

const ADVANCES = ['release', 'acquire'] as const;
/**
 * When the counter of a role advances: at the release, as in Mojo, or at the acquire, as in CuTe
 * DSL (R03).
 */
export type Advance = (typeof ADVANCES)[number];

/** A number whose range is checked where it is used. */
const number = option.checkedLater<number>();

export const PIPELINE = optionTable({
  /** The number of stages. */
  stages: number,
  /**
   * The size of a stage in bytes, or of each of its parts, which may be filled and read
   * separately; 0 unless specified.
   */
  bytes: option.checkedLater<number | Readonly<Record<string, number>>>(),
  /** When counters advance; `release` unless specified. */
  advance: option.oneOf(...ADVANCES),
  /**
   * How waits recognize a phase: by parity, as on NVIDIA GPUs, or by a monotonic counter, as on
   * AMD GPUs; `parity` unless specified (M07, M09).
   */
  barriers: BARRIER.values.mode,
  /** Arrivals that complete a phase of a full barrier; 1 unless specified, 0 with `initMbars`. */
  producers: number,
  /** Arrivals that complete a phase of an empty barrier; 1 unless specified, 0 with `initMbars`. */
  consumers: number,
});

/** Options of {@link pipeline}. */
export interface PipelineOptions extends OptionsOf<typeof PIPELINE, 'stages'> {}

/** A part of each stage, which may be filled and read separately. */
export interface Part {
  /** Its name; empty where a stage has one part. */
  readonly name: string;
  /** Its size in bytes. */
  readonly bytes: number;
}

/** The declaration of a ring, which its handles share. */
export interface RingDeclaration {
  /**
   * Its number.
   *
   * @internal
   */
  readonly id: number;
  /** Its name, in findings. */
  readonly name: string;
  /** Its number of stages. */
  readonly stages: number;
  /** When counters advance. */
  readonly advance: Advance;
  /** The parts of a stage. */
  readonly parts: readonly Part[];
  /** The full barriers, by stage: what a producer signals. */
  readonly full: readonly Barrier[];
  /** The empty barriers, by stage: what a consumer signals. */
  readonly empty: readonly Barrier[];
  /** The buffers, by stage, then by part. */
  readonly buffers: readonly (readonly Buffer[])[];
  /**
   * By side: moves the counter on.
   *
   * @internal
   */
  readonly steps: readonly Op[];
  /**
   * By side and stage: moves the counter on past that stage alone (R10).
   *
   * @internal
   */
  readonly stepsPast: readonly (readonly Op[])[];
}

/** What the copies of a ring have in common. */
export type SharedRing = Omit<RingDeclaration, 'id' | 'steps' | 'stepsPast'>;

type Revive<R = RingDeclaration> = (ring: R, side: Side, stage: number, id: number) => StageHandle;

/**
 * Declares the barriers, buffers and registers of a ring, as `pipeline` does, without handles
 * (R01). `revive` makes a handle again that has passed through the state of a loop.
 *
 * @throws InputError as `pipeline` does.
 *
 * @example
 * const pair = declareRing('pair', { stages: 2 }, (...of) => new Slot(...of));
 * const [write, read] = [new Endpoint(pair, Side.produce), new Endpoint(pair, Side.consume)];
 * const [writes, reads] = [write.acquire(Slot, 'write()'), read.acquire(Slot, 'read()')];
 * return [
 *   role('writer', function* () {
 *     (yield* created(writes)).release();
 *   }),
 *   role('reader', function* () {
 *     (yield* created(reads)).release();
 *   }),
 * ];
 */
export function declareRing(
  name: string,
  options: PipelineOptions,
  revive: Revive,
): RingDeclaration {
  requireOptions('pipeline()', PIPELINE, options);
  const { stages, bytes = 0, advance = 'release', barriers = 'parity' } = options;
  const { producers = 1, consumers = 1 } = options;
  const declarations = currentDeclarations('pipeline()');
  requireCount(`the stages of pipeline ${name}`, stages, 1);
  const least = producers === 0 && consumers === 0 ? 0 : 1;
  requireCount(`the producers of pipeline ${name}`, producers, least);
  requireCount(`the consumers of pipeline ${name}`, consumers, least);
  declarations.claimName(name);
  const parts = partsOf(name, bytes);
  const full = declareBarriers(`${name}.full`, stages, producers, barriers);
  const empty = declareBarriers(`${name}.empty`, stages, consumers, barriers);
  const buffers: Buffer[][] = [];
  for (let stage = 0; stage < stages; stage++)
    buffers.push(declareParts(`${name}[${stage}]`, parts));
  return register({ name, stages, advance, parts, full, empty, buffers }, -1, revive);
}

// Loops in functions that stay: a closure of each call would be compiled again for each kernel.
function declareBarriers(
  name: string,
  stages: number,
  count: number,
  mode: NonNullable<PipelineOptions['barriers']>,
): Barrier[] {
  const all: Barrier[] = [];
  for (let stage = 0; stage < stages; stage++)
    all.push(declareBarrier(`${name}[${stage}]`, { count, mode }));
  return all;
}

function declareParts(name: string, parts: readonly Part[]): Buffer[] {
  const all: Buffer[] = [];
  for (const { name: part, bytes } of parts)
    all.push(declareBuffer(part === '' ? name : `${name}.${part}`, { bytes }));
  return all;
}

/**
 * Declares the registers of a ring over barriers and buffers that are declared already. Further
 * fields of `shared` are the ring's, too.
 *
 * @example
 * const turns = [barrier('turn[0]'), barrier('turn[1]')];
 * const shared = { name: 'turns', stages: 2, full: turns, empty: [], parts: [], buffers: [] };
 * const order = ringOver({ ...shared, advance: 'acquire' }, (...of) => new Slot(...of));
 * const turn = new Endpoint(order, Side.consume);
 * return [
 *   role('first', function* () {
 *     arrive(turns[0]!);
 *   }),
 *   role('second', function* () {
 *     yield* created(turn.wait);
 *     turn.step();
 *   }),
 * ];
 */
export function ringOver<S extends SharedRing>(
  shared: S,
  revive: Revive<S & RingDeclaration>,
): S & RingDeclaration {
  return register(shared, -1, revive);
}

/**
 * Declares one more set of registers over the barriers and buffers of a ring, whose counters start
 * at the first stage (R09). `call` is the function that does it, for messages.
 *
 * @throws InputError outside a kernel's callback, and for a name that is taken.
 *
 * @example
 * const other = new Endpoint(forkRing(ring, 'other', (...of) => new Slot(...of)), Side.consume);
 * const empties = other.acquire(Slot, 'acquire()');
 * return [
 *   role('fill', function* () {
 *     (yield* created(fill)).release();
 *   }),
 *   role('empty', function* () {
 *     (yield* created(empties)).release();
 *   }),
 * ];
 */
export function forkRing<R extends RingDeclaration>(
  original: R,
  name: string,
  revive: Revive<R>,
  call = 'copy()',
): R {
  const declarations = currentDeclarations(call);
  declarations.claimName(name);
  return register({ ...original, name }, original.id, revive);
}

function register<S extends SharedRing>(
  shared: S,
  copyOf: number,
  revive: Revive<S & RingDeclaration>,
): S & RingDeclaration {
  const { rings } = currentDeclarations('pipeline()');
  const id = rings.length;
  const { name, stages, full, empty, parts } = shared;
  const sides = [Side.produce, Side.consume];
  const step = (side: Side, past: number | null): Op =>
    makeOp(OpKind.step, { ring: id, side, past });
  const ring: S & RingDeclaration = {
    ...shared,
    id,
    steps: sides.map((side) => step(side, null)),
    stepsPast: sides.map((side) => full.map((_, stage) => step(side, stage))),
  };
  rings.push({
    name,
    stages,
    stageBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    full: full.map((one) => one.id),
    empty: empty.map((one) => one.id),
    group: copyOf < 0 ? id : rings[copyOf]!.group,
    revive: (side, stage, handle) => revive(ring, side, stage, handle),
  });
  return ring;
}

/** The parts of a stage; one without a name where `bytes` is a number. */
export function partsOf(name: string, bytes: PipelineOptions['bytes']): Part[] {
  const parts =
    typeof bytes === 'object'
      ? Object.entries(bytes).map(([part, size]) => ({ name: part, bytes: size }))
      : [{ name: '', bytes: bytes ?? 0 }];
  for (const part of parts) requireCount(`the bytes of pipeline ${name}`, part.bytes, 0);
  return parts;
}
