// What those see who follow a run: an observer, and a collector of the moves of its schedule.
import type { Flight, Instruction, Machine } from '@poundlock/core/internal/machine';
import { OpKind } from '@poundlock/core/internal/op';
import { type Move, moveOf, type WaitConditions } from '@poundlock/core/internal/system';
import type { Actor } from './actor.ts';
import type { Observer, Performed } from './observer.ts';
import { PhaseNotifier } from './phase-notifier.ts';
import type { RoleTimes } from './role-times.ts';
import type { StepNode } from './step-graph.ts';

/** Shorter stalls, in cycles, are rounding errors of sums. */
const LEAST_STALL = 1e-3;

/** Those who follow a run; either may be missing. */
export interface Followers {
  readonly observer: Observer | null;
  readonly moves: Move[] | null;
}

/** What a watch looks at. */
export interface WatchedRun {
  readonly machine: Machine;
  readonly words: Int32Array;
  readonly roles: number;
  readonly waits: WaitConditions;
  readonly roleTimes: RoleTimes;
}

/** Reports a run, event by event. Runs that nothing follows have none. */
export class Watch {
  readonly #observer: Observer | null;
  readonly #moves: Move[] | null;
  readonly #run: WatchedRun;
  readonly #phases: PhaseNotifier | null;
  readonly #performed: Performed = {} as Performed;

  constructor({ observer, moves }: Followers, run: WatchedRun) {
    this.#observer = observer;
    this.#moves = moves;
    this.#run = run;
    this.#phases = observer && new PhaseNotifier(run.machine, run.words, observer);
  }

  started({ role, at }: Actor): void {
    this.#observer?.started(role, at);
  }

  ended({ role, at }: Actor): void {
    this.#observer?.ended(role, at);
  }

  computed({ role }: Actor, { step }: StepNode, from: number, until: number): void {
    this.#observer?.computed(role, step, from, until);
  }

  /** A role performs its operation now. */
  performing(actor: Actor, node: StepNode): void {
    if (this.#observer === null) return;
    const { roleTimes, waits, words } = this.#run;
    const performed = this.#performed;
    const { step, instruction } = node;
    performed.role = actor.role;
    performed.step = step;
    performed.instruction = instruction!;
    performed.reached = actor.reachedAt;
    performed.time = actor.at;
    performed.end = roleTimes.endOf(actor, node);
    const late = roleTimes.lateness(actor, node);
    performed.stall = late > LEAST_STALL ? late : 0;
    performed.barrier = waits.testedBarrier(words, instruction!);
    this.#observer.performed(performed);
  }

  /** A role has performed its operation, which may have broken a rule. */
  moved({ role }: Actor, { kind }: StepNode, answer: number): void {
    this.#moves?.push(moveOf(role, kind === OpKind.choose ? answer : 0));
  }

  /** An operation has broken no rule. */
  performed({ role, at }: Actor, { barriers }: Instruction): void {
    if (this.#phases === null || !this.#run.machine.hasCompleted) return;
    for (const barrier of barriers) this.#phases.notify(barrier, at, role);
  }

  flightIssued(flight: Flight, time: number, completion: number): void {
    this.#observer?.flightIssued(flight, time, completion);
  }

  /** The open flight at `index` completes now: its number among its unit's options is the move. */
  completing({ unit }: Flight, index: number): void {
    const { machine, words, roles } = this.#run;
    this.#moves?.push(moveOf(roles + unit, machine.openFlights.optionOf(words, unit, index)));
  }

  flightCompleted(flight: Flight, time: number): void {
    this.#observer?.flightCompleted(flight, time);
    if (flight.barrier >= 0) this.#phases?.notify(flight.barrier, time, -1);
  }
}
