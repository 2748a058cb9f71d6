// Drives a system along one schedule, by agents and flights instead of the numbers of options.
import { severityOf } from '@poundlock/core/internal/finding';
import {
  agentOf,
  moveOf,
  optionOf,
  type Move,
  type Symptom,
  type System,
} from '@poundlock/core/internal/system';

/** Sees every move that a driver makes. */
export interface Watcher {
  /** Before `agent` moves. */
  readonly before: (words: Int32Array, agent: number) => void;
  /** After it; `detail` is a role's option, or the flight that a unit completed. */
  readonly after: (words: Int32Array, agent: number, detail: number) => void;
}

/** Stands for whichever unit has a flight that can complete. */
export const ANY_UNIT = -1;

/** The option of a role that takes its first one, or its last. */
export const FIRST = 0;
export const LAST = 0xffff;

/** A schedule in the making: the state, the moves that led to it, and the first error. */
export class Driver {
  readonly system: System;
  readonly words: Int32Array;
  readonly path: Move[] = [];
  /** By move: the role's option, or the flight that a unit completed. */
  readonly details: number[] = [];
  /** The first symptom of severity error; nothing moves after it. */
  error: Symptom | null = null;
  readonly #watcher: Watcher | null;
  /** Which of several moves a role makes: its first, or its last. */
  readonly #option: number;

  constructor(system: System, watcher: Watcher | null = null, option = FIRST) {
    this.#option = option;
    this.system = system;
    this.#watcher = watcher;
    this.words = system.initial();
    this.#noteError();
  }

  /** Lets an agent make a move, or any unit but `except`; `false` if it can not. */
  move(agent: number, except = ANY_UNIT): boolean {
    if (agent >= 0 && agent < this.system.roles) return this.step(agent, this.#option);
    const { machine, roles } = this.system;
    const open = machine.openFlights;
    for (let index = 0; index < open.count(this.words); index++) {
      const unit = roles + open.flightAt(this.words, index).unit;
      if (unit === except || (agent !== ANY_UNIT && agent !== unit)) continue;
      if (!open.canComplete(this.words, index)) continue;
      return this.complete(unit, open.idAt(this.words, index));
    }
    return false;
  }

  /** Lets a role make its move number `option`, or the last one that it has. */
  step(role: number, option: number): boolean {
    if (this.error !== null) return false;
    const options = this.system.options(this.words, role);
    if (options === 0) return false;
    const taken = Math.min(option, options - 1);
    this.#make(moveOf(role, taken), role, taken);
    return true;
  }

  /** Completes a flight of a unit that is what `flight` is; `false` if none can complete. */
  complete(agent: number, flight: number): boolean {
    if (this.error !== null) return false;
    const option = this.#completable(agent).indexOf(flight);
    if (option >= 0) this.#make(moveOf(agent, option), agent, flight);
    return option >= 0;
  }

  /** Makes a move that is known to be possible. */
  make(move: Move): void {
    const agent = agentOf(move);
    if (agent < this.system.roles) this.#make(move, agent, optionOf(move));
    else this.#make(move, agent, this.#completable(agent)[optionOf(move)]!);
  }

  /** The flights of a unit that can complete, by option. */
  #completable(agent: number): number[] {
    const { machine, roles } = this.system;
    const open = machine.openFlights;
    const found: number[] = [];
    for (let index = 0; index < open.count(this.words); index++) {
      if (roles + open.flightAt(this.words, index).unit !== agent) continue;
      if (open.canComplete(this.words, index)) found.push(open.idAt(this.words, index));
    }
    return found;
  }

  /** The error, or a deadlock where nothing moves and not everything has ended. */
  verdict(): Symptom | null {
    const { system, words } = this;
    if (this.error !== null || system.isFinal(words)) return this.error;
    if (system.moves(words, new Int32Array(1 << 16)) > 0) return null;
    const role = words.findIndex((_, at) => at < system.roles && !system.hasEnded(words, at));
    const step = words[role] ?? -1;
    return { rule: 'deadlock', agent: role, other: -1, at: -1, step, inMove: false };
  }

  #make(move: Move, agent: number, detail: number): void {
    this.#watcher?.before(this.words, agent);
    this.system.apply(this.words, move);
    this.path.push(move);
    this.details.push(detail);
    this.#noteError();
    if (this.error === null) this.#watcher?.after(this.words, agent, detail);
  }

  #noteError(): void {
    const { symptoms } = this.system;
    this.error ??= symptoms.find(({ rule }) => severityOf(rule) === 'error') ?? null;
  }
}
