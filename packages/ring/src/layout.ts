// The memory layout of a ring: offsets of its words and payloads in shared memory.
import { InputError } from '../../core/src/base/index.ts';
import { BARRIER_WORDS, initializeBarrier } from './barrier.ts';
import type { RingSide } from './errors.ts';
import { failureWords } from './failure-record.ts';
import { MAX_MEMORY_BYTES } from './memory.ts';
import type { PolicyName } from './policy/index.ts';
import type { PayloadLayout } from './schema.ts';

/** The parameters of a ring: plain data that can be posted to a thread. */
export interface RingShape {
  readonly name: string;
  readonly stages: number;
  /** Payload bytes of a stage. */
  readonly bytes: number;
  readonly producers: number;
  readonly consumers: number;
  /** `shared`: an item goes to one consumer; `broadcast`: to every one. */
  readonly delivery: 'shared' | 'broadcast';
  readonly policy: PolicyName;
  /** Threads that may wait at one time, over all rings of the program. */
  readonly threads: number;
  readonly timeoutMs: number;
  readonly debug: boolean;
  readonly payload: PayloadLayout;
  /** Bytes of private scratch space in the shared memory for each endpoint. */
  readonly scratch: number;
  /** `poison`: the death of a thread ends the ring; `restart`: its place can be taken again. */
  readonly afterDeath: 'poison' | 'restart';
}

const LINE_BYTES = 64;
const LINE_WORDS = LINE_BYTES / 4;

/** Header words; frequently written ones have a cache line of their own. */
export const Header = {
  magic: 0,
  version: 1,
  /** A hash of the shape: see `recognize.ts`. */
  shape: 2,
  /** 0, 1 while its text is being written, 2 when it can be read. */
  poison: 3,
  /** As {@link poison}, for a later and exact cause: see `failure-record.ts`. */
  exact: 4,
  /** 1 + the endpoint whose failure has no exact cause yet, or 0. */
  inexact: 5,
  /** Open endpoints of a side: see `places.ts`. */
  openProducers: 6,
  openConsumers: 7,
  ports: 8,
  /** Changes when a place can be taken. */
  places: 9,
  /** Registers that endpoints share: see `stage-sequencer.ts`. */
  producerRegister: LINE_WORDS,
  consumerRegister: 2 * LINE_WORDS,
  /** The counters of a ring with one producer and one consumer: see `counter-sequencer.ts`. */
  producerCounter: 3 * LINE_WORDS,
  consumerCounter: 4 * LINE_WORDS,
  failures: 5 * LINE_WORDS,
} as const;

/** Words of one endpoint; a word for each stage follows: see `held-stages.ts`. */
export const EndpointWord = {
  /** 0 before it is claimed, then {@link OPEN}, {@link CLOSED} or {@link DEAD}. */
  state: 0,
  port: 1,
  /** Two words: the number of released items, as a float. */
  items: 2,
  /** What it has taken, or its position, where it has one of its own: see `held-stages.ts`. */
  position: 4,
  /** The number by which the watchdog knows its thread; 0 if it does not. */
  watched: 5,
  /** 1 + the number of its thread in Node; 0 elsewhere. */
  thread: 6,
  /** A random number of its thread. */
  token: 7,
  role: LINE_WORDS,
  line: 5 * LINE_WORDS,
  marks: 9 * LINE_WORDS,
} as const;
export const ROLE_BYTES = 4 * LINE_BYTES;
export const LINE_TEXT_BYTES = 4 * LINE_BYTES;
/** The states of an endpoint's place. */
export const FREE = 0;
export const OPEN = 1;
export const CLOSED = 2;
/** Its thread has died, and another one may take the place. */
export const DEAD = 3;
/** A thread is taking the place. */
export const OPENING = 4;

/** Words of one stage: the full barrier, then the empty one. */
const StageWord = {
  full: 0,
  /**
   * The used bytes of the payload, {@link WHOLE} or {@link SKIPPED}; on a cache line that producers
   * write anyway.
   */
  length: 8,
  empty: BARRIER_WORDS,
} as const;
export const STAGE_WORDS = 2 * BARRIER_WORDS;
/** The length of a stage that was canceled. */
export const SKIPPED = -1;
/** The length of a stage whose producer has not set one: the whole payload. */
export const WHOLE = -2;

/** The most stages of a ring: a stage has 16 bits in the record of what is held. */
export const MAX_STAGES = 65_535;

export class RingLayout {
  readonly shape: RingShape;
  readonly #endpoints: number;
  readonly #endpointWords: number;
  readonly #stages: number;
  readonly #payload: number;
  readonly #stride: number;
  readonly #scratch: number;
  readonly bytes: number;

  constructor(shape: RingShape) {
    this.shape = shape;
    const lines = (bytes: number): number => Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;
    const count = shape.producers + shape.consumers;
    this.#endpoints = Header.failures + 2 * failureWords(shape.stages);
    this.#endpointWords = EndpointWord.marks + lines(shape.stages * 4) / 4;
    this.#stages = this.#endpoints + count * this.#endpointWords;
    this.#payload = (this.#stages + shape.stages * STAGE_WORDS) * 4;
    this.#stride = lines(shape.bytes);
    this.#scratch = this.#payload + shape.stages * this.#stride;
    this.bytes = this.#scratch + count * lines(shape.scratch);
    if (this.bytes > MAX_MEMORY_BYTES) {
      throw new InputError(`ring ${shape.name} needs ${this.bytes} bytes, more than 4 GiB`);
    }
  }

  /** The first word of an endpoint: producers first, then consumers. */
  endpoint(index: number): number {
    return this.#endpoints + index * this.#endpointWords;
  }

  full(stage: number): number {
    return this.#stages + stage * STAGE_WORDS + StageWord.full;
  }

  empty(stage: number): number {
    return this.#stages + stage * STAGE_WORDS + StageWord.empty;
  }

  /** The length of stage 0; that of the next is {@link STAGE_WORDS} later. */
  get lengths(): number {
    return this.#stages + StageWord.length;
  }

  /** Whether each side has one endpoint: then counters replace barriers. */
  get isPair(): boolean {
    return this.shape.producers === 1 && this.shape.consumers === 1;
  }

  /** The word that counts the stages released by a side. */
  counter(side: RingSide): number {
    return side === 'producer' ? Header.producerCounter : Header.consumerCounter;
  }

  /** Every word that `side` signals and the other side waits for. */
  signals(side: RingSide): number[] {
    if (this.isPair) return [this.counter(side)];
    const { stages } = this.shape;
    return Array.from({ length: stages }, (_, stage) => {
      return side === 'producer' ? this.full(stage) : this.empty(stage);
    });
  }

  /** The byte where a stage's payload starts. */
  payload(stage: number): number {
    return this.#payload + stage * this.#stride;
  }

  /** The byte where the scratch space of an endpoint starts. */
  scratch(index: number): number {
    return this.#scratch + index * Math.ceil(this.shape.scratch / LINE_BYTES) * LINE_BYTES;
  }

  /** The first word of a failure's record: the first one reported, or a later and exact one. */
  failure(which: 'first' | 'exact'): number {
    return Header.failures + (which === 'first' ? 0 : failureWords(this.shape.stages));
  }

  /** Writes the initial words of a ring before any thread uses it. */
  initialize(words: Int32Array): void {
    const { stages, consumers, delivery, producers } = this.shape;
    words[Header.openProducers] = producers;
    words[Header.openConsumers] = consumers;
    for (let stage = 0; stage < stages; stage++) {
      words[this.lengths + stage * STAGE_WORDS] = WHOLE;
      initializeBarrier(words, this.full(stage), 1);
      initializeBarrier(words, this.empty(stage), delivery === 'broadcast' ? consumers : 1);
    }
  }
}
