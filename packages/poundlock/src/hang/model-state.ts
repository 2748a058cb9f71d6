// States of the model in which no role can move: what a hang is.
import type { BarrierState } from '@poundlock/core/internal/finding';
import type { Instruction } from '@poundlock/core/internal/machine';
import { OpKind } from '@poundlock/core/internal/op';
import { Program, resolveParameters } from '@poundlock/core/internal/program';
import type { Kernel, Overrides } from '@poundlock/core/internal/program';
import {
  agentOf,
  barriersAfter,
  movesOfToken,
  Names,
  Schedule,
  type Move,
  type System,
} from '@poundlock/core/internal/system';
import { Problem } from '../check/index.ts';

/** What a role of the model does in a state. */
export interface RoleState {
  readonly name: string;
  readonly cta: number;
  /** The number of its warp in its block. */
  readonly warp: number;
  /** A bit for each lane of the warp that it stands for. */
  readonly lanes: number;
  /** `open`: the run of the model ended while it waited, and what follows is not known. */
  readonly state: 'ended' | 'continues' | 'waits' | 'open';
  /** For a wait: what it waits for. */
  readonly wait: ModelWait | null;
  /** The line of the PTX that it is at; `null` where it has ended. */
  readonly ptxLine: number | null;
}

/** What a role waits for. */
export type ModelWait =
  | { readonly kind: 'mbarrier'; readonly name: string; readonly parity: 0 | 1 }
  | { readonly kind: 'named'; readonly id: number }
  | { readonly kind: 'cluster' | 'other' };

/** A state of the model. */
export interface ModelState {
  readonly roles: readonly RoleState[];
  readonly barriers: readonly BarrierState[];
  /** Blocks of the model. */
  readonly ctas: number;
  readonly token: string;
  /** Whether no role and no unit can move. */
  readonly isFinal: boolean;
}

/** How the next move is chosen among those that are possible. */
export type Choice = (moves: readonly Move[], system: System) => Move;

/** The most moves of a schedule, and the most that a state has. */
const MAX_STEPS = 20_000;
const MAX_MOVES = 1 << 16;
const ALL_LANES = 0xffff_ffff;

/** Units first, since work always completes; then the first role. */
const UNITS_FIRST: Choice = (moves, system) =>
  moves.find((move) => agentOf(move) >= system.roles) ?? moves[0]!;

/** Follows schedules of a kernel to states in which nothing can move. */
export class ModelStates {
  readonly system: System;
  readonly names: Names;

  constructor(kernel: Kernel, params: Overrides = {}) {
    const program = new Program(kernel, resolveParameters(kernel, params));
    this.system = new Problem(program, {}).runnable.system;
    this.names = new Names(this.system);
  }

  /** The state that a replay token leads to, and then each move that is possible. */
  after(token: string, choose: Choice = UNITS_FIRST): ModelState {
    return this.#stateOf(...this.#extend(movesOfToken(this.names, token), choose));
  }

  /** One schedule to its end, and the state there. */
  run(): { readonly schedule: Schedule; readonly states: ModelState } {
    const [schedule, isFinal] = this.#extend([], UNITS_FIRST);
    return { schedule, states: this.#stateOf(schedule, isFinal) };
  }

  #extend(begun: readonly Move[], choose: Choice): [Schedule, boolean] {
    const { system } = this;
    const moves = [...begun];
    const { words } = new Schedule(system, this.names, begun);
    const possible = new Int32Array(MAX_MOVES);
    let isFinal = false;
    while (moves.length < MAX_STEPS) {
      const count = system.moves(words, possible);
      if (count === 0) {
        isFinal = true;
        break;
      }
      const move = choose([...possible.subarray(0, count)], system);
      system.apply(words, move);
      moves.push(move);
    }
    return [new Schedule(system, this.names, moves), isFinal];
  }

  #stateOf(schedule: Schedule, isFinal: boolean): ModelState {
    const { system } = this;
    return {
      roles: system.program.roles.map((_, role) => this.#roleState(schedule, role)),
      barriers: barriersAfter(schedule),
      ctas: system.program.ctas,
      token: schedule.token(),
      isFinal,
    };
  }

  #roleState({ words }: Schedule, role: number): RoleState {
    const { system } = this;
    const { name, cta, part, isCut = false } = system.program.roles[role]!;
    const step = words[role]!;
    const instruction = step < 0 ? null : system.steps.instruction(step);
    const [, warp = '-1'] = /warp(\d+)/.exec(part?.family ?? name) ?? [];
    const members = part === null || part === undefined ? null : part.members;
    const lanes = members?.reduce((mask, lane) => mask | (1 << lane), 0) ?? ALL_LANES;
    const own = { name, cta: cta ?? 0, warp: Number(warp), lanes: lanes >>> 0 };
    if (instruction === null)
      return { ...own, state: isCut ? 'open' : 'ended', wait: null, ptxLine: null };
    const position = system.steps.position(step);
    const ptxLine = position?.ptx?.line ?? position?.line ?? null;
    const isStuck = system.options(words, role) === 0;
    if (!isStuck) return { ...own, state: 'continues', wait: null, ptxLine };
    return { ...own, state: 'waits', wait: this.#waitOf(words, instruction), ptxLine };
  }

  #waitOf(words: Int32Array, instruction: Instruction): ModelWait {
    const { system, names } = this;
    const barrier = system.waits.testedBarrier(words, instruction);
    if (barrier >= 0) {
      const name = names.barrier(barrier);
      const completed = system.machine.completed(words, barrier);
      // A wait for a parity is blocked while it is that of the open phase.
      return { kind: 'mbarrier', name, parity: (completed & 1) === 0 ? 0 : 1 };
    }
    const { kind, target } = instruction;
    if (kind === OpKind.syncNamed)
      return { kind: 'named', id: target % system.program.namedBarriers };
    if (kind === OpKind.syncCluster || kind === OpKind.waitCluster) return { kind: 'cluster' };
    return { kind: 'other' };
  }
}
