// Which moves may be made in either order: the independence relation of docs/explanation/search.md.
import {
  FlightKind,
  parityPasses,
  USES_OWN_CTA,
  type Instruction,
} from '@poundlock/core/internal/machine';
import {
  CATALOGUE,
  isMeeting,
  isSilent,
  isStageTest,
  isTest,
  OpKind,
} from '@poundlock/core/internal/op';
import type { System } from '@poundlock/core/internal/system';
import type { Lookahead } from './lookahead.ts';
import { ORDER_MATTERS, type Contribution } from './contribution-bounds.ts';
import { conflicts, Footprints, type Footprint, type PhaseUse } from './footprints.ts';

/** Receives each agent that a move may depend on. */
export type Blame = (agent: number) => void;

/**
 * Decides whether a move commutes with everything that a {@link Lookahead} has seen: no order of
 * the two leads to another state, shows another finding or lets one of them wait. Rules by number
 * are those of docs/explanation/search.md.
 */
export class Independence {
  readonly #system: System;
  readonly #lookahead: Lookahead;
  readonly #footprints: Footprints;

  constructor(system: System, lookahead: Lookahead) {
    this.#system = system;
    this.#lookahead = lookahead;
    this.#footprints = new Footprints(system.machine);
  }

  /** Blames every agent that an operation of a role, next in `words`, may depend on. */
  ofOperation(words: Int32Array, instruction: Instruction, blame: Blame): void {
    const isLocal = this.#isLocal(words, instruction);
    const mayBeLast = this.#mayBeLast(words[instruction.role]!, instruction.kind);
    if (isLocal && !mayBeLast) return;
    for (const role of this.#lookahead.visits.wild) blame(role);
    const footprint = this.#footprints.of(instruction);
    for (const cta of footprint.lives) this.#endOf(words, cta, blame);
    if (mayBeLast) this.#ends(words, instruction, blame);
    if (isLocal) return;
    if (footprint.isAlone) return this.#allAgents(blame);
    if (!this.#commutesAnyway(words, instruction)) this.#conflicts(footprint, blame);
    this.#phases(words, instruction, footprint.phases, blame);
  }

  /** Whether what it shares with others makes no difference here: I9, I12. */
  #commutesAnyway(words: Int32Array, instruction: Instruction): boolean {
    switch (instruction.kind) {
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
        return this.#isOfOneMeeting(instruction);
      case OpKind.takeRegisters:
        return this.#isEnoughForAll(words, instruction);
      default:
        return false;
    }
  }

  /** I2–I5: what it does to phases of barriers, or wants to know of one. */
  #phases(words: Int32Array, instruction: Instruction, use: PhaseUse, blame: Blame): void {
    const { bytes, arrivals, team, isAssumed } = instruction;
    switch (use) {
      case 'waits':
        if (isAssumed) return;
        return this.#tests(words, this.#testedBy(words, instruction), true, blame);
      case 'tries':
        return this.#tests(words, this.#testedBy(words, instruction), false, blame);
      case 'arrives':
        return this.#contributes(words, instruction, arrival(instruction), blame);
      case 'expects':
        return this.#contributes(words, instruction, { ...NOTHING, expectedAlone: bytes }, blame);
      case 'completes':
        if (bytes <= 0) return this.#allAgents(blame);
        return this.#contributes(words, instruction, { ...NOTHING, completed: bytes }, blame);
      case 'begins':
        return this.#ofBarrier(instruction.target, blame);
      case 'launches':
        if (arrivals + team.length > 0) return this.#allAgents(blame);
        return this.#launches(words, instruction, blame);
      case '':
        return;
    }
  }

  #testedBy(words: Int32Array, instruction: Instruction): number {
    return this.#system.waits.testedBarrier(words, instruction);
  }

  /** Blames every agent that the completion of a flight may depend on. */
  ofCompletion(words: Int32Array, id: number, blame: Blame): void {
    const { flights, traits } = this.#system.machine.flights;
    const flight = flights[id]!;
    for (const role of this.#lookahead.visits.wild) blame(role);
    if ((traits[id]! & USES_OWN_CTA) !== 0) this.#endOf(words, flight.cta, blame);
    const footprint = this.#footprints.ofFlight(id);
    for (const cta of footprint.lives) this.#endOf(words, cta, blame);
    this.#conflicts(footprint, blame);
    const { barrier, bytes } = flight;
    if (barrier < 0 || flight.kind === FlightKind.use) return;
    const isSignal = flight.kind === FlightKind.signal;
    const own = isSignal ? ONE_ARRIVAL : { ...NOTHING, completed: bytes };
    // A copy without bytes ends no phase, but no phase may end while it is under way (M11).
    if (!isSignal && bytes <= 0) return this.#ofBarrier(barrier, blame);
    this.#contributesTo(words, barrier, own, blame);
  }

  /** I1: no other agent observes these. */
  #isLocal(words: Int32Array, { kind, role, team }: Instruction): boolean {
    // H4: other roles of a team add groups to those that it waits for.
    if (LOCAL[kind] === 1) return team.length === 0;
    const { layout } = this.#system.machine;
    return isMeeting(kind) && words[layout.sync + role] !== 0;
  }

  /**
   * I9: whether an arrival at a named barrier and all that may come before it complete the barrier
   * at most once, with the last of them, so that their order makes no difference.
   */
  #isOfOneMeeting({ target, lanes, threads }: Instruction): boolean {
    if (this.#lookahead.threadsAt(target, threads) + lanes > threads) return false;
    const { instructions, length } = this.#lookahead.visits;
    for (let visit = 0; visit < length; visit++) {
      const other = instructions[visit] ?? null;
      if (other === null || CATALOGUE[other.kind]!.names !== 'named') continue;
      if (other.target === target && other.threads !== threads) return false;
    }
    return true;
  }

  /** I12: whether what is free now is enough for this and all takings that may come before it. */
  #isEnoughForAll(words: Int32Array, { role, cta, units, threads }: Instruction): boolean {
    const { registers } = this.#system.machine;
    const more = (one: number, wanted: number, lanes: number): number =>
      Math.max(0, wanted - registers.held(words, one)) * lanes;
    const needs = new Map([[role, more(role, units, threads)]]);
    const { instructions, length } = this.#lookahead.visits;
    for (let visit = 0; visit < length; visit++) {
      const other = instructions[visit] ?? null;
      if (other?.kind !== OpKind.takeRegisters || other.cta !== cta) continue;
      const need = more(other.role, other.units, other.threads);
      needs.set(other.role, Math.max(need, needs.get(other.role) ?? 0));
    }
    let sum = 0;
    for (const need of needs.values()) sum += need;
    return sum <= registers.free(words, cta);
  }

  /** I8: the end of a role meets what its CTA has under way, and what reaches into it. */
  #ends(words: Int32Array, { role, cta }: Instruction, blame: Blame): void {
    const mayEnd = this.#mayEnd(words, cta, role);
    const { instructions, flights, agents, length } = this.#lookahead.visits;
    const { traits, flights: all } = this.#system.machine.flights;
    for (let visit = 0; visit < length; visit++) {
      const other = instructions[visit] ?? null;
      if (other !== null) {
        const reaches = mayEnd && this.#footprints.of(other).lives.includes(cta);
        if (reaches || other.kind === OpKind.syncCluster) blame(agents[visit]!);
        continue;
      }
      if (!mayEnd) continue;
      const flight = flights[visit]!;
      const isOwn = all[flight]!.cta === cta && (traits[flight]! & USES_OWN_CTA) !== 0;
      if (isOwn || this.#footprints.ofFlight(flight).lives.includes(cta)) blame(agents[visit]!);
    }
  }

  /** Whether an operation may be the last one of its role; one with several answers always may. */
  #mayBeLast(step: number, kind: OpKind): boolean {
    const { steps } = this.#system;
    const answers = steps.answers(step);
    if (answers.length === 0 || CATALOGUE[kind]!.answer !== 'none') return true;
    return answers.some((answer) => {
      const next = this.#system.instruction(steps.known(step, answer));
      return next === null || isSilent(next.kind);
    });
  }

  /** Whether all other roles of a CTA have ended, or can come to their ends. */
  #mayEnd(words: Int32Array, cta: number, except: number): boolean {
    const system = this.#system;
    const { ended } = this.#lookahead.visits;
    for (let role = 0; role < system.roles; role++) {
      if (role === except || system.program.roles[role]!.cta !== cta) continue;
      if (!system.hasEnded(words, role) && !ended.includes(role)) return false;
    }
    return true;
  }

  /** I8: what reaches a CTA meets its end, if every role that is left there can come to its own. */
  #endOf(words: Int32Array, cta: number, blame: Blame): void {
    const system = this.#system;
    const { ended } = this.#lookahead.visits;
    let last = -1;
    for (let role = 0; role < system.roles; role++) {
      if (system.program.roles[role]!.cta !== cta || system.hasEnded(words, role)) continue;
      if (!ended.includes(role)) return;
      last = role;
    }
    // Without that role, the others can not end the CTA.
    if (last >= 0) blame(last);
  }

  /**
   * I2: a test of a barrier depends on whatever can end a phase of it; but a wait for a counter
   * that passes now will always pass.
   */
  #tests(words: Int32Array, barrier: number, waits: boolean, blame: Blame): void {
    const { machine } = this.#system;
    if (waits && machine.isCounter(barrier)) return;
    const latest = this.#lookahead.bounds.latest(words, barrier);
    if (latest > machine.completed(words, barrier)) this.#ofBarrier(barrier, blame);
  }

  #contributes(
    words: Int32Array,
    { barriers }: Instruction,
    own: Contribution,
    blame: Blame,
  ): void {
    for (const barrier of barriers) this.#contributesTo(words, barrier, own, blame);
  }

  /** I3, I4: contributions in any order, and whether any test can distinguish them. */
  #contributesTo(words: Int32Array, barrier: number, own: Contribution, blame: Blame): void {
    const { visits, bounds } = this.#lookahead;
    const { machine } = this.#system;
    const latest = bounds.outcome(words, barrier, own);
    if (latest === ORDER_MATTERS) return this.#ofBarrier(barrier, blame);
    const completed = machine.completed(words, barrier);
    if (latest === completed) return;
    for (let visit = 0; visit < visits.length; visit++) {
      const instruction = visits.instructions[visit];
      if (instruction === null || instruction === undefined) continue;
      if (testedBy(visits.barriers[visit]!, instruction) !== barrier) continue;
      if (machine.isCounter(barrier) && !instruction.isAssumed) continue;
      if (canDistinguish(instruction, visits.phases[visit]!, completed, latest)) {
        blame(visits.agents[visit]!);
      }
    }
  }

  /** I5: a copy under way must not see a phase of its barrier end (M11); flights are their own. */
  #launches(words: Int32Array, { flights }: Instruction, blame: Blame): void {
    const { machine } = this.#system;
    for (const id of flights) {
      const { kind, barrier } = machine.flights.flights[id]!;
      if (kind !== FlightKind.copy || barrier < 0) continue;
      const latest = this.#lookahead.bounds.latest(words, barrier);
      if (latest > machine.completed(words, barrier)) this.#ofBarrier(barrier, blame);
    }
  }

  /** I6, I7, I9, I12: one of two writes what the other reads or writes. */
  #conflicts(own: Footprint, blame: Blame): void {
    if (own.reads.length + own.writes.length === 0) return;
    const { instructions, flights, agents, length } = this.#lookahead.visits;
    for (let visit = 0; visit < length; visit++) {
      const instruction = instructions[visit] ?? null;
      const other =
        instruction === null
          ? this.#footprints.ofFlight(flights[visit]!)
          : this.#footprints.of(instruction);
      if (conflicts(own, other)) blame(agents[visit]!);
    }
  }

  /** All agents that contribute to a barrier or test it. */
  #ofBarrier(barrier: number, blame: Blame): void {
    const { visits } = this.#lookahead;
    const { flights } = this.#system.machine.flights;
    for (let visit = 0; visit < visits.length; visit++) {
      const instruction = visits.instructions[visit];
      const reaches =
        instruction === null
          ? flights[visits.flights[visit]!]!.barrier === barrier
          : instruction!.barriers.includes(barrier) || visits.barriers[visit] === barrier;
      if (reaches) blame(visits.agents[visit]!);
    }
  }

  #allAgents(blame: Blame): void {
    const { agents, ended } = this.#lookahead.visits;
    for (const agent of agents) blame(agent);
    for (const role of ended) blame(role);
  }
}

const NOTHING: Contribution = {
  arrivals: 0,
  most: 0,
  expected: 0,
  expectedAlone: 0,
  completed: 0,
};

const ONE_ARRIVAL: Contribution = { ...NOTHING, arrivals: 1, most: 1 };

function arrival({ arrivals, lanes, bytes }: Instruction): Contribution {
  return { ...NOTHING, arrivals: arrivals * lanes, most: arrivals, expected: bytes };
}

/** I1, I13: where they can be performed at all, they touch nothing of others. */
const LOCAL = new Uint8Array(CATALOGUE.length);
for (const kind of [
  OpKind.choose,
  OpKind.waitGroup,
  OpKind.join,
  OpKind.waitCluster,
  OpKind.waitGrids,
]) {
  LOCAL[kind] = 1;
}

/** The barrier that an operation tests, −1 for one that tests none. */
function testedBy(barrier: number, { kind, target }: Instruction): number {
  if (barrier >= 0) return barrier;
  return isTest(kind) && !isStageTest(kind) ? target : -1;
}

/** I4: whether a test has another result as phases from `completed` to `latest` complete. */
function canDistinguish(
  { kind, isAssumed, isRaw, parity }: Instruction,
  phase: number,
  completed: number,
  latest: number,
): boolean {
  if (kind === OpKind.waitParity) {
    return latest > completed + 1 || parityPasses(completed, parity);
  }
  // M08: a try of a parity answers no before it answers yes, and yes before no.
  if (isRaw) return true;
  if (isAssumed) return completed <= phase;
  // It waits for the phase under way, which ends once: then it passes, and it did not before.
  return latest !== completed + 1 || completed !== phase;
}
