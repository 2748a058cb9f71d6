// Which moves may be made in either order: the independence relation of docs/explanation/search.md.
import {
  FlightKind,
  parityPasses,
  USES_OWN_CTA,
  type Instruction,
} from '@poundlock/core/internal/machine';
import { CATALOGUE, isMeeting, isStageTest, isTest, OpKind } from '@poundlock/core/internal/op';
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
  readonly #hasEnds: boolean;

  constructor(system: System, lookahead: Lookahead) {
    this.#system = system;
    this.#lookahead = lookahead;
    this.#footprints = new Footprints(system.machine);
    this.#hasEnds = system.program.ctas > 1;
  }

  /** Blames every agent that an operation of a role, next in `words`, may depend on. */
  ofOperation(words: Int32Array, instruction: Instruction, blame: Blame): void {
    if (this.#isLocal(words, instruction)) return;
    for (const role of this.#lookahead.visits.wild) blame(role);
    const footprint = this.#footprints.of(instruction);
    this.#lifetimes(instruction.cta, footprint, blame);
    if (footprint.isAlone) return this.#allAgents(blame);
    this.#conflicts(footprint, blame);
    this.#phases(words, instruction, footprint.phases, blame);
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
    if ((traits[id]! & USES_OWN_CTA) !== 0) this.#ownEnd(words, flight.cta, blame);
    if (this.#hasEnds) for (const role of this.#lookahead.visits.ended) blame(role);
    this.#conflicts(this.#footprints.ofFlight(id), blame);
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

  /** I8: with several CTAs a role's end, and reaching into another CTA, meet each other. */
  #lifetimes(cta: number, { lives }: Footprint, blame: Blame): void {
    if (!this.#hasEnds) return;
    const { ended, instructions, agents, length } = this.#lookahead.visits;
    if (lives.length > 0) for (const role of ended) blame(role);
    // Any move may be its role's last.
    for (let visit = 0; visit < length; visit++) {
      const other = instructions[visit] ?? null;
      const needs = other === null || other.kind === OpKind.syncCluster;
      if (needs || this.#footprints.of(other).lives.includes(cta)) blame(agents[visit]!);
    }
  }

  /** I8: the work of a CTA meets its end, if every role that is left there can come to its own. */
  #ownEnd(words: Int32Array, cta: number, blame: Blame): void {
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
