// Which moves may be made in either order: the independence relation of docs/explanation/search.md.
import { unreachable } from '@poundlock/core/internal/base';
import {
  FlightKind,
  parityPasses,
  USES_OWN_CTA,
  type Instruction,
} from '@poundlock/core/internal/machine';
import {
  CATALOGUE,
  isMeeting,
  isOnCell,
  isOnPool,
  isStageTest,
  isTest,
  OpKind,
} from '@poundlock/core/internal/op';
import type { System } from '@poundlock/core/internal/system';
import type { Lookahead } from './lookahead.ts';
import { ORDER_MATTERS, type Contribution } from './contribution-bounds.ts';
import { cellWritten } from './tickets.ts';

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
  readonly #hasEnds: boolean;

  constructor(system: System, lookahead: Lookahead) {
    this.#system = system;
    this.#lookahead = lookahead;
    this.#hasEnds = system.program.ctas > 1;
  }

  /** Blames every agent that an operation of a role, next in `words`, may depend on. */
  ofOperation(words: Int32Array, instruction: Instruction, blame: Blame): void {
    const { kind, target, bytes } = instruction;
    if (this.#isLocal(words, instruction)) return;
    for (const role of this.#lookahead.visits.wild) blame(role);
    this.#lifetimes(instruction, blame);
    switch (kind) {
      case OpKind.wait:
      case OpKind.waitParity:
      case OpKind.waitStage:
        if (instruction.isAssumed) return;
        return this.#tests(words, this.#testedBy(words, instruction), true, blame);
      case OpKind.tryClaim:
        this.#sameTarget(instruction, (other) => other === OpKind.tryClaim, blame);
        return this.#tests(words, this.#testedBy(words, instruction), false, blame);
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
        return this.#tests(words, this.#testedBy(words, instruction), false, blame);
      case OpKind.arrive:
        return this.#contributes(words, instruction, arrival(instruction), blame);
      case OpKind.expectTx:
        return this.#contributes(words, instruction, { ...NOTHING, expectedAlone: bytes }, blame);
      case OpKind.completeTx:
        if (bytes <= 0) return this.#allAgents(blame);
        return this.#contributes(words, instruction, { ...NOTHING, completed: bytes }, blame);
      case OpKind.asyncCopy:
      case OpKind.asyncUse:
      case OpKind.commit:
        if (instruction.arrivals + instruction.team.length > 0) return this.#allAgents(blame);
        return this.#launches(words, instruction, blame);
      case OpKind.read:
      case OpKind.write:
        return this.#accesses(instruction.reads, instruction.writes, blame);
      case OpKind.load:
        return this.#cell(target, false, blame);
      case OpKind.store:
      case OpKind.fetchAdd:
        return this.#cell(target, true, blame);
      case OpKind.alloc:
        return this.#pools(true, blame);
      case OpKind.relinquish:
        return this.#pools(false, blame);
      case OpKind.free:
        return this.#accesses([], instruction.writes, blame);
      case OpKind.syncNamed:
      case OpKind.arriveNamed:
        return this.#sameTarget(instruction, isGathering, blame);
      // I12: what is given is added up, and what is taken may be missing elsewhere.
      case OpKind.giveRegisters:
        return this.#sameTarget(instruction, (other) => other === OpKind.takeRegisters, blame);
      case OpKind.takeRegisters:
        return this.#sameTarget(instruction, isOnRegisters, blame);
      // I13: arrivals are added up, and a wait that can pass is its role's own business.
      case OpKind.arriveCluster:
      case OpKind.launchDependents:
        return;
      // Lifetimes and the cluster's barrier: alone only when no other agent can move.
      case OpKind.init:
      case OpKind.invalidate:
      case OpKind.arriveDrop:
      case OpKind.syncCluster:
      case OpKind.spawn:
      case OpKind.exit:
        return this.#allAgents(blame);
      // I1: these never come here.
      case OpKind.choose:
      case OpKind.waitGroup:
      case OpKind.join:
      case OpKind.waitCluster:
      case OpKind.waitGrids:
      case OpKind.fence:
      case OpKind.compute:
      case OpKind.more:
      case OpKind.step:
      case OpKind.stage:
        return this.#allAgents(blame);
      default:
        return unreachable(kind);
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
    this.#accesses(flight.reads, flight.writes, blame);
    if (flight.cell >= 0) this.#cell(flight.cell, true, blame);
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
  #lifetimes({ cta, barriers, writes, flights }: Instruction, blame: Blame): void {
    if (!this.#hasEnds) return;
    const { ended, instructions, agents, length } = this.#lookahead.visits;
    const { ctas } = this.#system.program;
    const isRemote = (id: number): boolean => id % ctas !== cta;
    if (barriers.some(isRemote) || writes.some(isRemote) || flights.length > 0) {
      for (const role of ended) blame(role);
    }
    // Any move may be its role's last.
    for (let visit = 0; visit < length; visit++) {
      const other = instructions[visit];
      if (other === null || other === undefined) blame(agents[visit]!);
      else if (other.barriers.some((id) => id % ctas !== other.cta)) blame(agents[visit]!);
      else if (other.kind === OpKind.syncCluster) blame(agents[visit]!);
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

  /** I6: two accesses to one buffer, one of them a write; and pools that hand out buffers. */
  #accesses(reads: readonly number[], writes: readonly number[], blame: Blame): void {
    if (reads.length + writes.length === 0) return;
    const { visits } = this.#lookahead;
    const { flights } = this.#system.machine.flights;
    for (let visit = 0; visit < visits.length; visit++) {
      const instruction = visits.instructions[visit];
      const isLaunch = instruction !== null && instruction!.flights.length > 0;
      if (isLaunch) continue;
      const other = instruction ?? flights[visits.flights[visit]!]!;
      const meets =
        writes.some((one) => other.writes.includes(one) || other.reads.includes(one)) ||
        reads.some((one) => other.writes.includes(one));
      const isPool = instruction !== null && isOnPool(instruction!.kind);
      if (meets || isPool) blame(visits.agents[visit]!);
    }
  }

  /** I6: an allocation meets other operations on pools, and accesses to what is not allocated. */
  #pools(allocates: boolean, blame: Blame): void {
    const { visits } = this.#lookahead;
    const { flights } = this.#system.machine.flights;
    for (let visit = 0; visit < visits.length; visit++) {
      const instruction = visits.instructions[visit] ?? null;
      const isPool = instruction !== null && isOnPool(instruction.kind);
      const { reads, writes } = instruction ?? flights[visits.flights[visit]!]!;
      if (isPool || (allocates && reads.length + writes.length > 0)) blame(visits.agents[visit]!);
    }
  }

  /** I7: two operations on one cell, one of which writes. */
  #cell(cell: number, writes: boolean, blame: Blame): void {
    const { visits } = this.#lookahead;
    const { flights } = this.#system.machine.flights;
    for (let visit = 0; visit < visits.length; visit++) {
      const instruction = visits.instructions[visit];
      if (instruction === null) {
        if (flights[visits.flights[visit]!]!.cell === cell) blame(visits.agents[visit]!);
      } else if (instruction!.target === cell) {
        const isWrite = cellWritten(instruction!) === cell;
        if (isWrite || (writes && isOnCell(instruction!.kind))) blame(visits.agents[visit]!);
      }
    }
  }

  #sameTarget({ target, cta }: Instruction, isIt: (kind: OpKind) => boolean, blame: Blame): void {
    const { instructions, agents, length } = this.#lookahead.visits;
    for (let visit = 0; visit < length; visit++) {
      const other = instructions[visit];
      if (other === null || other === undefined || !isIt(other.kind)) continue;
      if (other.target === target && other.cta === cta) blame(agents[visit]!);
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

function isOnRegisters(kind: OpKind): boolean {
  return CATALOGUE[kind]!.names === 'registers';
}

function isGathering(kind: OpKind): boolean {
  return CATALOGUE[kind]!.names === 'named';
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
