// What a move does to the control: counts, phases and rooms, and what is wrong with that alone.
import { FLYING, HALFWAY, isGone, LANDED, type BarrierState, type Control } from './control.ts';
import { isSignal, type Scene, type SceneStep } from './scene.ts';

/** The control after a move, and what the move did that memory has to know. */
export interface Moved {
  readonly control: Control;
  readonly faults: readonly string[];
  /** The phase that a signal counts for, or the generation that was arrived in or left. */
  readonly phase: number;
  readonly isArrival: boolean;
  readonly isLeaving: boolean;
}

/** The most pending arrivals and bytes of a barrier (C02). */
const MOST = 2 ** 20 - 1;
const WARP = 32;
/** Registers of a thread come in units, from so many to so many (Q03). */
const REGISTERS = { unit: 8, least: 24, most: 256 } as const;

/** Performs the next step of an agent. */
export function stepped(scene: Scene, control: Control, agent: number): Moved {
  return new Mover(scene, control).step(agent);
}

/** Lands a flight, or the first part of it. */
export function landed(scene: Scene, control: Control, flight: number): Moved {
  return new Mover(scene, control).land(flight);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

class Mover {
  readonly #scene: Scene;
  readonly #next: Writable<Control>;
  readonly #faults: string[] = [];
  #phase = -1;
  #isArrival = false;
  #isLeaving = false;

  constructor(scene: Scene, control: Control) {
    this.#scene = scene;
    this.#next = { ...control };
  }

  step(agent: number): Moved {
    const { steps, strands, threads } = this.#scene.agents[agent]!;
    const step = steps[this.#next.at[agent]!]!;
    const { op, room, flight } = step;
    let isOver = true;
    switch (op.k) {
      case 'init':
        this.#init(step);
        break;
      case 'arr':
        this.#arrive(step.bar, op.n ?? 1, op.tx ?? 0);
        break;
      case 'wait':
        this.#requireThere(step.bar);
        // M10: a test of parity passes before the phase has begun, too.
        if (this.#next.barriers[step.bar]!.phase <= op.ph!) this.#faults.push('false-pass');
        break;
      case 'named':
      case 'sw':
        isOver = this.#sync(agent, step, strands);
        break;
      case 'narr':
        this.#comeTo(room, op.n!);
        break;
      case 'clarr':
        if (this.#next.tokens[agent]! >= 0) this.#faults.push('cluster-barrier-misuse');
        this.#setToken(agent, this.#next.rooms[room]!.generation);
        this.#comeTo(room, this.#scene.agents.filter(({ grid }) => grid === 0).length);
        break;
      case 'clwait':
        this.#leave(agent, this.#next.tokens[agent]!);
        break;
      case 'dec':
      case 'inc':
        this.#changeRegisters(agent, op.n!, op.k === 'dec' ? -1 : 1, threads);
        break;
      case 'trigger':
        this.#next.isTriggered = this.#next.isTriggered.with(agent, true);
        break;
    }
    if (flight >= 0) this.#setFlight(flight, FLYING);
    if (isOver) this.#next.at = this.#next.at.with(agent, this.#next.at[agent]! + 1);
    return this.#result();
  }

  land(number: number): Moved {
    const flight = this.#scene.flights[number]!;
    const { isTwoPart, bar, bytes } = flight;
    if (isTwoPart && this.#next.flights[number] === FLYING) {
      this.#setFlight(number, HALFWAY);
      return this.#result();
    }
    this.#setFlight(number, LANDED);
    if (isSignal(flight)) this.#arrive(bar, 1, 0);
    else if (bar >= 0) this.#complete(bar, bytes, this.#scene.agents[flight.agent]!.cta);
    return this.#result();
  }

  /** A barrier of threads: an arrival, then a wait. Whether it is over. */
  #sync(agent: number, { op, room, performers }: SceneStep, strands: number): boolean {
    const token = this.#next.tokens[agent]!;
    if (token >= 0) {
      this.#leave(agent, token);
      return true;
    }
    if (op.threads !== undefined && op.threads % WARP !== 0) {
      this.#faults.push('misaligned-barrier-count');
    }
    if (op.aligned === true && performers < strands) this.#faults.push('divergent-barrier');
    this.#setToken(agent, this.#next.rooms[room]!.generation);
    this.#comeTo(room, op.k === 'sw' ? performers : op.n!);
    return false;
  }

  #result(): Moved {
    return {
      control: this.#next,
      faults: this.#faults,
      phase: this.#phase,
      isArrival: this.#isArrival,
      isLeaving: this.#isLeaving,
    };
  }

  #init({ op, bar }: SceneStep): void {
    const expected = op.n ?? this.#scene.barriers[bar]!.count;
    if (expected > MOST || expected < 1) this.#faults.push('count-out-of-range');
    this.#setBarrier(bar, { phase: 0, pending: expected, expected, bytes: 0, isLive: true });
  }

  #arrive(bar: number, count: number, bytes: number): void {
    this.#requireThere(bar);
    const before = this.#next.barriers[bar]!;
    const sum = before.bytes + bytes;
    if (Math.abs(sum) > MOST) this.#faults.push('count-out-of-range');
    if (count > before.pending) this.#faults.push('over-arrival');
    this.#settle(bar, { ...before, bytes: sum, pending: before.pending - count });
  }

  /** Bytes of a copy of a CTA; those for a barrier that has ended with this CTA come to nothing. */
  #complete(bar: number, bytes: number, cta: number): void {
    const before = this.#next.barriers[bar]!;
    if (!before.isLive) this.#faults.push('uninitialised-barrier');
    if (this.#isGone(bar)) {
      if (this.#scene.barriers[bar]!.cta === cta) return;
      this.#faults.push('exit-with-open-flight');
    }
    this.#settle(bar, { ...before, bytes: before.bytes - bytes });
  }

  /** A phase is over when no arrivals and no bytes are pending. */
  #settle(bar: number, state: BarrierState): void {
    this.#phase = state.phase;
    this.#isArrival = true;
    const isOver = state.pending === 0 && state.bytes === 0;
    const next = { ...state, phase: state.phase + 1, pending: state.expected };
    this.#setBarrier(bar, isOver ? next : state);
  }

  #comeTo(room: number, all: number): void {
    const { count, generation } = this.#next.rooms[room]!;
    this.#phase = generation;
    this.#isArrival = true;
    const isFull = count + 1 === all;
    const next = isFull
      ? { count: 0, generation: generation + 1 }
      : { count: count + 1, generation };
    this.#next.rooms = this.#next.rooms.with(room, next);
  }

  #leave(agent: number, generation: number): void {
    this.#phase = generation;
    this.#isLeaving = true;
    this.#setToken(agent, -1);
  }

  #changeRegisters(agent: number, count: number, sign: number, threads: number): void {
    const held = this.#next.registers[agent]!;
    const { unit, least, most } = REGISTERS;
    const isNumber = count % unit === 0 && count >= least && count <= most;
    if (!isNumber || (count - held) * sign < 0) this.#faults.push('register-misuse');
    this.#next.free += (held - count) * threads;
    this.#next.registers = this.#next.registers.with(agent, count);
  }

  #requireThere(bar: number): void {
    if (!this.#next.barriers[bar]!.isLive) this.#faults.push('uninitialised-barrier');
    if (this.#isGone(bar)) this.#faults.push('missing-drain');
  }

  #isGone(bar: number): boolean {
    const { barriers, hasEnds } = this.#scene;
    return hasEnds && isGone(this.#scene, this.#next, barriers[bar]!.cta);
  }

  #setToken(agent: number, token: number): void {
    this.#next.tokens = this.#next.tokens.with(agent, token);
  }

  #setFlight(flight: number, state: number): void {
    this.#next.flights = this.#next.flights.with(flight, state);
  }

  #setBarrier(bar: number, state: BarrierState): void {
    this.#next.barriers = this.#next.barriers.with(bar, state);
  }
}
