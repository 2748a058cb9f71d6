// Names the cause of a finding that the whole program shows: counts, bytes and parities.
import { E } from '../../machine/index.ts';
import { CATALOGUE } from '../../op/index.ts';
import { formatNumber, list, plural } from '../names.ts';
import type { System } from '../system.ts';
import type { Draft, Scene } from './draft.ts';
import { areShared, misfits, misfitText, type Misfit } from './ledger.ts';
import type { Need } from './needs.ts';
import { isSettled, protocolOf, type BarrierUse, type Protocol } from './protocol.ts';

/** A cause as a clause, and how to fix it. */
export interface Cause {
  readonly barrier: number;
  readonly message: string;
  readonly help: string;
}

/** Causes that concern one of some barriers, those first, or one of some roles. */
function causeAt(
  scene: Scene,
  barriers: readonly number[],
  roles: readonly number[],
): Cause | null {
  const { barriers: uses } = protocolOf(scene.system);
  // What is only tried keeps no role from going on.
  const all = misfits(scene.system).filter(({ barrier }) =>
    uses[barrier]!.some((use) => use.blocks),
  );
  const lapped = burst(scene, barriers);
  if (lapped !== null) return lapped;
  // Of a barrier that no role is at, it has to be sure that it is wrong.
  const concerns = ({ waiting, arrivals, isOdd }: Misfit): boolean =>
    isOdd && [...waiting, ...arrivals.map(({ role }) => role)].some((role) => roles.includes(role));
  const misfit =
    all.find(({ barrier }) => barriers.includes(barrier)) ?? all.find((one) => concerns(one));
  if (misfit !== undefined) {
    return { barrier: misfit.barrier, ...misfitText(scene, misfit) };
  }
  const arriving = barriers.flatMap((barrier) => {
    const provide = (uses[barrier] ?? []).filter((use) => use.arrivals + use.copied > 0);
    return provide.map(({ role }) => role);
  });
  return (
    stuckParity(scene, barriers, roles) ??
    bothStart(scene, [...roles, ...arriving]) ??
    startsLate(scene, barriers, [...roles, ...arriving])
  );
}

/** A role that completes phases of a barrier one after the other, and waits for nothing between. */
function burst({ system, names, schedule }: Scene, barriers: readonly number[]): Cause | null {
  const protocol = protocolOf(system);
  if (!protocol.isSeen) return null;
  for (const barrier of barriers) {
    if (barrier < 0 || protocol.changed.has(barrier)) continue;
    const uses = protocol.barriers[barrier]!;
    const count = countOf(system, barrier);
    const arriving = uses.filter((use) => use.arrivals > 0);
    const [only] = arriving;
    const waiting = uses.find((use) => use.waits > 1 && use.role !== only?.role);
    if (only === undefined || arriving.length > 1 || waiting === undefined) continue;
    const { arrivals, signals } = only.burst;
    const phases = Math.floor(arrivals / count);
    // More arrivals at once than a phase counts are another mistake.
    if (phases < 2 || signals < 2 || arrivals > signals * count) continue;
    if (!hasLapped(schedule, only.role, barrier)) continue;
    const [who, name] = [names.agent(only.role), names.barrier(barrier)];
    return {
      barrier,
      message:
        `${who} completes ${plural(phases, 'phase')} of ${name} without a wait between, ` +
        `and ${names.agent(waiting.role)} waits for one after the other`,
      help:
        `let ${who} arrive on ${name} once for each phase that ${names.agent(waiting.role)} ` +
        'waits for, or wait before the next arrival',
    };
  }
  return null;
}

/** Whether a role has completed two phases of a barrier in a schedule, with no wait between. */
function hasLapped({ records }: Scene['schedule'], role: number, barrier: number): boolean {
  let phases = 0;
  for (const { agent, instruction, completed } of records) {
    if (agent !== role) continue;
    if (instruction !== null && CATALOGUE[instruction.kind]!.cost === 'wait') phases = 0;
    phases += completed.filter((one) => one.barrier === barrier).length;
    if (phases >= 2) return true;
  }
  return false;
}

/** A role that waits for every phase that copies of others complete, and is one parity ahead. */
function startsLate(
  { system, names }: Scene,
  barriers: readonly number[],
  roles: readonly number[],
): Cause | null {
  const protocol = protocolOf(system);
  const late = protocol.barriers.flatMap((uses, barrier) => {
    if (!isKnown(protocol, barrier)) return [];
    const phases = phasesOf(system, uses, barrier);
    return uses.flatMap((use) => {
      const copier = uses.find((one) => one.copied > 0 && one.role !== use.role);
      const isLate = use.isRaw && use.startsFresh && use.waits === phases;
      return isLate && copier !== undefined ? [{ barrier, role: use.role, by: copier.role }] : [];
    });
  });
  const one =
    late.find(({ barrier }) => barriers.includes(barrier)) ??
    late.find(({ role }) => roles.includes(role));
  if (one === undefined) return null;
  const [who, name] = [names.agent(one.role), names.barrier(one.barrier)];
  return {
    barrier: one.barrier,
    message:
      `${who}'s first wait for ${name} tests parity 1, which passes on a fresh barrier: ` +
      `${who} does not wait for the first copy of ${names.agent(one.by)}`,
    help: `let ${who} start with parity 0 on ${name}`,
  };
}

/** Whether all that comes to a barrier is known, and its count stays. */
function isKnown(protocol: Protocol, barrier: number): boolean {
  return isSettled(protocol, barrier) && !protocol.changed.has(barrier);
}

/** Arrivals that a phase of a barrier takes. */
function countOf(system: System, barrier: number): number {
  const declared = system.initial()[system.machine.barrierAt(barrier) + E]!;
  return Math.max(1, protocolOf(system).counts.get(barrier) ?? declared);
}

/** The phases that a program completes by its arrivals. */
function phasesOf(system: System, uses: readonly BarrierUse[], barrier: number): number {
  return uses.reduce((all, use) => all + use.arrivals, 0) / countOf(system, barrier);
}

/** A role that waits once for each phase of a barrier, and tests one parity again and again. */
function stuckParity(
  { system, names }: Scene,
  barriers: readonly number[],
  roles: readonly number[],
): Cause | null {
  const protocol = protocolOf(system);
  const isStuck = (uses: readonly BarrierUse[], barrier: number) => {
    // Of two phases that a role waits for, another one may take that between them.
    if (areShared(uses.filter((use) => use.waits > 0))) return [];
    const phases = phasesOf(system, uses, barrier);
    return uses.filter((use) => {
      const isOften = use.waits > 1 && use.repeats > 0 && Number.isInteger(phases);
      return isOften && phases > 1 && Math.abs(use.waits - phases) <= 1;
    });
  };
  const found = protocol.barriers.flatMap((uses, barrier) => {
    if (!isKnown(protocol, barrier)) return [];
    return isStuck(uses, barrier).map((use) => ({ barrier, use }));
  });
  const one =
    found.find(({ barrier }) => barriers.includes(barrier)) ??
    found.find(({ use }) => roles.includes(use.role));
  if (one === undefined) return null;
  const [who, name] = [names.agent(one.use.role), names.barrier(one.barrier)];
  const what = one.use.isRaw ? 'parity' : 'phase';
  const always = one.use.repeats === one.use.waits - 1;
  const next = one.use.isRaw
    ? 'the parity must flip with each phase'
    : 'the phase must grow by one with each wait';
  return {
    barrier: one.barrier,
    message: always
      ? `${who} waits for ${what} ${one.use.last} of ${name} in all of its ` +
        `${one.use.waits} waits, one for each phase: ${next}`
      : `${who} waits for the same ${what} of ${name} twice in a row, ` +
        `in waits for two phases: ${next}`,
    help:
      `keep one ${what} for each barrier, or for each lap around the ring, ` +
      'and change it when the ring wraps around',
  };
}

/** A barrier that gets fewer arrivals in the whole program than its waits need: one is skipped. */
export function shortage({ system, names }: Scene, stuck: readonly Need[]): string | null {
  const protocol = protocolOf(system);
  for (const { barrier } of stuck) {
    if (barrier < 0 || !isKnown(protocol, barrier)) continue;
    const uses = protocol.barriers[barrier]!;
    const count = countOf(system, barrier);
    const [most] = uses.toSorted((one, other) => other.phases - one.phases);
    if (most === undefined) continue;
    const arrivals = uses.filter((use) => use.arrivals > 0);
    const total = arrivals.reduce((all, use) => all + use.arrivals, 0);
    const missing = most.phases * count - total;
    if (missing <= 0 || total === 0) continue;
    const [name, is] = [names.barrier(barrier), missing === 1 ? 'arrival is' : 'arrivals are'];
    const makes = arrivals.map(
      (use) => `${names.agent(use.role)} makes ${formatNumber(use.arrivals)}`,
    );
    const each = count === 1 ? '' : ` of ${plural(count, 'arrival')}`;
    return (
      `${names.agent(most.role)} waits for ${plural(most.phases, 'phase')}${each} of ${name}, ` +
      `and in all ${list(makes)} of its arrivals: ${formatNumber(missing)} ${is} missing`
    );
  }
  return null;
}

/** Two roles that hand stages to each other, and neither waits for the other in its first lap. */
function bothStart({ system, names }: Scene, roles: readonly number[]): Cause | null {
  const protocol = protocolOf(system);
  if (!protocol.isWhole) return null;
  // A raw parity says nothing of the phase to a role that waits for some of the phases only.
  const isOfEachPhase = (use: BarrierUse, uses: readonly BarrierUse[], barrier: number) => {
    const phases = phasesOf(system, uses, barrier);
    return !use.isRaw || Math.abs(use.waits - phases) <= 1;
  };
  const fresh = protocol.barriers.flatMap((uses, barrier) =>
    uses
      .filter((use) => use.startsFresh && use.waits > 0 && isOfEachPhase(use, uses, barrier))
      .flatMap((use) => {
        const by = uses.filter((one) => one.arrivals + one.copied > 0 && one.role !== use.role);
        return by.map((one) => ({ barrier, use, by: one }));
      }),
  );
  for (const one of fresh) {
    // The side that copies goes first.
    if (one.by.copied === 0 || !roles.includes(one.use.role)) continue;
    const other = fresh.find(({ use, by }) => use.role === one.by.role && by.role === one.use.role);
    if (other === undefined) continue;
    const [who, producer] = [names.agent(one.use.role), names.agent(one.by.role)];
    const name = names.barrier(one.barrier);
    const what = one.use.isRaw ? 'tests parity 1' : 'is for the phase before the first one';
    return {
      barrier: one.barrier,
      message:
        `${who}'s first wait for ${name} ${what}, which passes on a fresh barrier: ` +
        `${who} does not wait for ${producer}`,
      help:
        `let ${who} start with ${one.use.isRaw ? 'parity' : 'phase'} 0: ` +
        `only ${producer}, which fills a stage first, passes its first wait`,
    };
  }
  return null;
}

/** A role that takes a stage as often as the others, and gives it back less often. */
export function uneven({ system, names }: Scene, stuck: readonly Need[]): string | null {
  const protocol = protocolOf(system);
  if (!protocol.isWhole) return null;
  for (const { barrier } of stuck) {
    if (barrier < 0 || protocol.changed.has(barrier)) continue;
    const arriving = protocol.barriers[barrier]!.filter((use) => use.arrivals > 0);
    const most = Math.max(...arriving.map((use) => use.arrivals));
    const lazy = arriving.find((use) => use.arrivals < most);
    if (lazy === undefined) continue;
    const partner = protocol.barriers.findIndex((uses) => {
      const waits = (role: number): number => uses.find((use) => use.role === role)?.waits ?? 0;
      return arriving.every((use) => waits(use.role) === most);
    });
    if (partner < 0) continue;
    const times = (count: number): string =>
      count === 1 ? 'once' : `${formatNumber(count)} times`;
    return (
      `${names.agent(lazy.role)} waits ${times(most)} for ${names.barrier(partner)} and arrives ` +
      `only ${times(lazy.arrivals)} on ${names.barrier(barrier)}`
    );
  }
  return null;
}

/** Puts a cause first; what the schedule shows follows as a note. */
export function nameCause(scene: Scene, draft: Draft, isOnBarrier: boolean): void {
  const { symptom, schedule, system } = scene;
  const last = schedule.records.at(-1)?.flight?.role ?? -1;
  const flights = [symptom.agent, symptom.other]
    .filter((agent) => agent >= system.roles)
    .flatMap((agent) => openRoles(scene, agent - system.roles));
  const cause = causeAt(
    scene,
    isOnBarrier ? [symptom.at] : [],
    [symptom.agent, symptom.other, last, ...flights].filter((role) => role >= 0),
  );
  if (cause === null) return;
  draft.notes.unshift(draft.message);
  draft.message = cause.message;
  draft.helps.length = 0;
  draft.helps.push(cause.help);
}

/** The roles whose flights on a unit are open. */
function openRoles({ schedule, system }: Scene, unit: number): number[] {
  const open = system.machine.openFlights;
  const found: number[] = [];
  for (let index = 0; index < open.count(schedule.words); index++) {
    const flight = open.flightAt(schedule.words, index);
    if (flight.unit === unit) found.push(flight.role);
  }
  return found;
}

/** The cause of a deadlock, and what follows from it for the roles that are stuck. */
export function deadlockCause(scene: Scene, draft: Draft, stuck: readonly Need[]): string | null {
  const { names } = scene;
  const cause = causeAt(
    scene,
    stuck.map(({ barrier }) => barrier),
    stuck.map(({ role }) => role),
  );
  if (cause === null) return null;
  draft.helps.push(cause.help);
  const first = stuck.filter(({ barrier }) => barrier === cause.barrier);
  const waiting = (first.length > 0 ? first : stuck).map(({ role }) => names.agent(role));
  const wait = waiting.length === 1 ? 'waits' : 'wait';
  const it = first.length > 0 ? ' for it' : '';
  return `${cause.message}; ${list(waiting)} ${wait}${it} forever`;
}
