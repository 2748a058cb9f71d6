// Layout of a running program in shared memory: every thread computes the same plan.
import { InputError } from '@poundlock/core/internal/base';
import { physical, writeInitial, type Machine } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { AHEAD_STRIDE, initializeBarrier, MAX_MEMORY_BYTES } from '@poundlock/ring/internal';
import { placeBuffers } from './buffer-places.ts';

const LINE_WORDS = 16;
/** Alignment of the barriers of one side of a ring: processors fetch lines in pairs. */
const SIDE_WORDS = 2 * LINE_WORDS;

/** Words that all threads share, each on its own cache line. */
export const Global = {
  /** 0 until every thread is ready; then 1. Takes the POISON mark. */
  start: 0,
  /** Counts events while traces are recorded. */
  clock: LINE_WORDS,
  /**
   * What threads sleep on that wait for something rare: see `locked-ops.ts`. Takes the POISON mark.
   */
  event: 2 * LINE_WORDS,
  /** The lock that is held while the machine's own code changes shared words. */
  lock: 3 * LINE_WORDS,
  /** 1 once a barrier or a CTA has ended: every operation checks for that from then on. */
  endings: 4 * LINE_WORDS,
} as const;
const GLOBAL_WORDS = 5 * LINE_WORDS;

/** Words of one role. */
export const RoleWord = {
  /** One of {@link RoleStatus}. Takes the POISON mark. */
  status: 0,
  /** How often it has left a wait in which it slept. */
  wakes: 1,
  /** The barrier and phase that it waits for; −1 if it waits for an event. */
  barrier: 2,
  phase: 3,
  /** Number of failed tries and of loads. */
  polls: 6,
  /** 1 if phases are counted instead of comparing their parity (M09). */
  isCounter: 5,
  /** For a wait for an event: the event count when the condition was last false. */
  events: 4,
} as const;

/** A role's status, shifted to leave room for the marks of `ring/futex-word.ts`. */
export const RoleStatus = { waiting: 0, running: 1, blocked: 2, ended: 3 } as const;
export type RoleStatus = (typeof RoleStatus)[keyof typeof RoleStatus];

/** Words of one record of a trace. */
export const RECORD_WORDS = 4;

export class Plan {
  readonly machine: Machine;
  readonly recordLimit: number;
  readonly bytes: number;
  readonly #program: Program;
  /** By physical barrier: its first word. */
  readonly #barriers: Int32Array;
  readonly #claims: number;
  /** The machine's own words, except those of barriers and flights. */
  readonly machineWords: { readonly from: number; readonly length: number };
  readonly #taken: number;
  readonly #takenWords: number;
  readonly #traces: number;
  readonly #buffers: Int32Array;

  /** `recordLimit`: the most records of each role's trace. */
  constructor(program: Program, machine: Machine, recordLimit: number) {
    this.#program = program;
    this.machine = machine;
    this.recordLimit = recordLimit;
    const { shape } = machine;
    const lines = (words: number): number => Math.ceil(words / LINE_WORDS) * LINE_WORDS;
    const roles = program.roles.length;
    this.#barriers = new Int32Array(shape.barriers.length * shape.ctas);
    this.#claims = this.#placeBarriers(GLOBAL_WORDS + roles * LINE_WORDS);
    const rings = program.declarations.rings.length;
    const from = this.#claims + rings * shape.ctas * LINE_WORDS;
    this.machineWords = { from, length: machine.openFlights.wordsFor(0) };
    this.#taken = from + lines(this.machineWords.length);
    this.#takenWords = lines(rings * 4);
    this.#traces = this.#taken + roles * this.#takenWords;
    const traced = (this.#traces + roles * this.#traceWords) * 4;
    const { at, end: bytes } = placeBuffers(program, shape, traced);
    this.#buffers = at;
    this.bytes = bytes;
    if (bytes > MAX_MEMORY_BYTES) {
      const { name } = program.kernel;
      throw new InputError(`kernel ${name} needs ${bytes} bytes of buffers, more than 4 GiB`);
    }
  }

  /**
   * Assigns words to each barrier and returns the next free word. The barriers of one side of a
   * ring are contiguous, so that one look sees several stages in one cache line; any other barrier
   * has its own line to avoid false sharing.
   */
  #placeBarriers(first: number): number {
    const { shape } = this.machine;
    const follows = new Set<number>();
    for (const { full, empty } of this.#program.declarations.rings) {
      for (const side of [full, empty]) {
        for (const [stage, id] of side.entries()) if (id === side[stage - 1]! + 1) follows.add(id);
      }
    }
    let at = first;
    const align = (): void => void (at = Math.ceil(at / SIDE_WORDS) * SIDE_WORDS);
    for (const id of shape.barriers.keys()) {
      if (!follows.has(id)) align();
      for (let cta = 0; cta < shape.ctas; cta++, at += AHEAD_STRIDE) {
        this.#barriers[physical(shape, id, cta)] = at;
      }
    }
    align();
    return at;
  }

  get #traceWords(): number {
    return LINE_WORDS + this.recordLimit * RECORD_WORDS;
  }

  role(role: number): number {
    return GLOBAL_WORDS + role * LINE_WORDS;
  }

  barrier(id: number): number {
    return this.#barriers[id]!;
  }

  /** The register that `tryClaim` advances: lap in the upper 16 bits, stage in the lower 16. */
  claim(ring: number, cta: number): number {
    return this.#claims + (ring * this.machine.shape.ctas + cta) * LINE_WORDS;
  }

  /** Numbers of acquired stages by ring and side, in memory that survives the role's thread. */
  taken(words: Int32Array, role: number): Float64Array {
    const at = this.#taken + role * this.#takenWords;
    return new Float64Array(words.buffer, at * 4, this.#program.declarations.rings.length * 2);
  }

  /** The word of a role's number of records; the records start one line later. */
  trace(role: number): number {
    return this.#traces + role * this.#traceWords;
  }

  records(role: number): number {
    return this.trace(role) + LINE_WORDS;
  }

  /** The byte offset of a physical buffer. */
  buffer(id: number): number {
    return this.#buffers[id]!;
  }

  /** Writes the state before the first operation. */
  initialize(words: Int32Array): void {
    const { shape, layout } = this.machine;
    const state = this.machineView(words);
    writeInitial(shape, layout, state);
    for (const [id, { count }] of shape.barriers.entries()) {
      for (let cta = 0; cta < shape.ctas; cta++) {
        initializeBarrier(words, this.barrier(physical(shape, id, cta)), count);
      }
    }
    for (const [role, { spawned }] of this.#program.roles.entries()) {
      const status = spawned ? RoleStatus.waiting : RoleStatus.running;
      words[this.role(role) + RoleWord.status] = status * STATUS_STEP;
    }
  }

  /** The machine's words as a view that the machine accepts. */
  machineView(words: Int32Array): Int32Array {
    const { from, length } = this.machineWords;
    return words.subarray(from, from + length);
  }
}

/** The factor that shifts a status to the counting bits of a word. */
export const STATUS_STEP = 32;
