// A schedule, replayed move by move, with a record of what each move changed.
import { InputError, type Position } from '../base/index.ts';
import { E, P, T, type Flight, type Instruction } from '../machine/index.ts';
import { isWait, OpKind } from '../op/index.ts';
import type { StepId } from '../program/index.ts';
import { readToken, writeToken } from '../replay/index.ts';
import { copyState, newState } from './layout.ts';
import type { Names } from './names.ts';
import { agentOf, moveOf, optionOf, type Move, type System } from './system.ts';
import type { Symptom } from './symptom.ts';

/** The four numbers of a physical barrier. */
export interface BarrierLevel {
  readonly barrier: number;
  readonly expected: number;
  readonly pending: number;
  readonly bytes: number;
  readonly completed: number;
}

/** The record of one move. */
export interface MoveRecord {
  readonly agent: number;
  readonly move: Move;
  /** For a role: the step it performed, and its answer where that is a stage. */
  readonly step: StepId;
  readonly instruction: Instruction | null;
  /** For a unit: the flight that completed. */
  readonly flight: Flight | null;
  readonly flightId: number;
  /** The stage that an acquire answered, −1 for everything else. */
  readonly stage: number;
  /** The barrier that a try of a stage tests, −1 for everything else. */
  readonly testedBarrier: number;
  /** The physical barrier and the absolute phase that a wait was for, −1 for everything else. */
  readonly waited: number;
  readonly phase: number;
  /** Phases that completed in this move, with their physical barriers. */
  readonly completed: readonly { readonly barrier: number; readonly phase: number }[];
  /** Physical barriers that got an arrival or bytes in this move. */
  readonly reached: readonly number[];
  /** What those barriers are afterwards. */
  readonly levels: readonly BarrierLevel[];
}

/** A replayed schedule with the state that it leads to. */
export class Schedule {
  readonly system: System;
  readonly names: Names;
  readonly moves: readonly Move[];
  readonly records: MoveRecord[] = [];
  /** The state after the last move. */
  readonly words: Int32Array;
  /** What was wrong after the last move. */
  readonly symptoms: readonly Symptom[];
  /** Whether it starts later than at the initial state: then no token replays it. */
  readonly isTail: boolean;
  /** By flight: the moves that issued it. */
  readonly #issuers = new Map<number, number[]>();

  /** With `start`, the moves go on from there; the schedule takes these words over. */
  constructor(system: System, names: Names, moves: readonly Move[], start?: Int32Array) {
    this.system = system;
    this.names = names;
    this.moves = moves;
    this.isTail = start !== undefined;
    this.words = start ?? system.initial();
    const before = newState(system.machine);
    for (const move of moves) {
      copyState(system.machine, this.words, before);
      const known = this.#lookAt(before, move);
      system.apply(this.words, move);
      for (const flight of known.instruction?.flights ?? []) {
        const issuers = this.#issuers.get(flight);
        if (issuers === undefined) this.#issuers.set(flight, [this.records.length]);
        else issuers.push(this.records.length);
      }
      this.records.push({ ...known, ...this.#changes(before) });
    }
    this.symptoms = [...system.symptoms];
  }

  /** The token that replays the schedule. */
  token(): string {
    return writeToken(
      this.moves.map((move) => ({
        letter: this.names.letter(agentOf(move)),
        option: optionOf(move),
      })),
    );
  }

  /** Where the user wrote what a move does: for a completion, where its flight was issued. */
  position(index: number): Position | undefined {
    const record = this.records[index]!;
    if (record.step >= 0) return this.system.steps.position(record.step);
    const issuer = this.issuerOf(record.flightId, index);
    return issuer < 0 ? undefined : this.system.steps.position(this.records[issuer]!.step);
  }

  /** The last move before `index` that issued a flight, or −1. */
  issuerOf(flightId: number, index: number): number {
    return this.#issuers.get(flightId)?.findLast((at) => at < index) ?? -1;
  }

  #lookAt(words: Int32Array, move: Move) {
    const { system } = this;
    const agent = agentOf(move);
    const nothing = {
      agent,
      move,
      step: -1,
      instruction: null,
      flight: null,
      flightId: -1,
      stage: -1,
      testedBarrier: -1,
      waited: -1,
      phase: -1,
    };
    if (agent < system.roles) {
      const step = words[agent]!;
      const instruction = step < 0 ? null : system.steps.instruction(step);
      if (instruction === null || optionOf(move) >= system.options(words, agent)) {
        throw new InputError(
          `the schedule runs ${this.names.agent(agent)}, which is blocked in this state`,
        );
      }
      const isTry = instruction.kind === OpKind.tryWaitStage;
      const testedBarrier = isTry ? system.wantedBarrier(words, instruction) : -1;
      const stage = system.stageOf(words, instruction);
      return {
        ...nothing,
        step,
        instruction,
        stage,
        testedBarrier,
        ...this.#waitOf(words, instruction),
      };
    }
    const open = system.machine.openFlights;
    const index = open.completableOf(words, agent - system.roles, optionOf(move));
    if (index >= 0) {
      const flight = open.flightAt(words, index);
      return { ...nothing, flight, flightId: open.idAt(words, index) };
    }
    throw new InputError(
      `the schedule completes an operation of ${this.names.agent(agent)} that is not in flight`,
    );
  }

  #waitOf(words: Int32Array, instruction: Instruction): Pick<MoveRecord, 'waited' | 'phase'> {
    const { system } = this;
    const { kind, target } = instruction;
    if (kind === OpKind.waitParity) {
      return { waited: target, phase: system.machine.completed(words, target) - 1 };
    }
    if (!isWait(kind) || instruction.isAssumed) return { waited: -1, phase: -1 };
    const waited = system.wantedBarrier(words, instruction);
    return { waited, phase: system.wantedPhase(words, instruction) };
  }

  #changes(before: Int32Array): Pick<MoveRecord, 'completed' | 'reached' | 'levels'> {
    const { machine } = this.system;
    const completed: { barrier: number; phase: number }[] = [];
    const reached: number[] = [];
    const levels: BarrierLevel[] = [];
    const barriers = machine.shape.barriers.length * machine.shape.ctas;
    for (let barrier = 0; barrier < barriers; barrier++) {
      const at = machine.barrierAt(barrier);
      const first = machine.completed(before, barrier);
      const after = machine.completed(this.words, barrier);
      for (let phase = first; phase < after; phase++) completed.push({ barrier, phase });
      const same = [E, P, T].every((word) => this.words[at + word] === before[at + word]);
      if (same && after === first) continue;
      reached.push(barrier);
      const [expected, pending] = [this.words[at + E]!, this.words[at + P]!];
      levels.push({ barrier, expected, pending, bytes: this.words[at + T]!, completed: after });
    }
    return { completed, reached, levels };
  }
}

/** Reads a replay token as moves of this program. */
export function movesOfToken(names: Names, token: string): Move[] {
  return readToken(token).map(({ letter, option }) => {
    const agent = names.agentWith(letter);
    if (agent < 0) {
      const known = names.agents.map((one) => `${one.letter} (${one.kind} ${one.name})`);
      throw new InputError(
        `the replay token runs ${letter}, but the program has only ${known.join(', ')}`,
      );
    }
    return moveOf(agent, option);
  });
}
