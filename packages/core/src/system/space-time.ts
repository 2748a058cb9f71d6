// A schedule as findings show it: every step with its changes, and where every role ends up.
import type { Position } from '../base/index.ts';
import type { BarrierState, IssuedWork, Standing, TraceStep } from '../finding/index.ts';
import { FlightKind, type Flight, type Instruction } from '../machine/index.ts';
import { OpKind, type InstructionKind } from '../op/index.ts';
import { describe, describeFlight } from './describe.ts';
import { movesInPhase } from './explain/history.ts';
import { debts, needs, type Need } from './explain/needs.ts';
import { isHeldUp, protocolOf } from './explain/protocol.ts';
import { formatNumber, list, plural, type Names } from './names.ts';
import type { BarrierLevel, MoveRecord, Schedule } from './schedule.ts';
import { Slots } from './slots.ts';

/** The steps as findings show them. */
export function traceOf(schedule: Schedule): TraceStep[] {
  const { names, records } = schedule;
  const slots = new Slots(schedule.system, names);
  const completions = new Map<string, number>();
  const places = placesOf(schedule);
  const work = workOf(schedule);
  return records.map((one, index) => {
    const { kind = 'unit' } = names.agents[one.agent] ?? {};
    const from = fromOf(schedule, one, index, completions);
    for (const { barrier, phase } of one.completed) completions.set(`${barrier} ${phase}`, index);
    return {
      agent: names.agent(one.agent),
      kind,
      verb: verbOf(one),
      text: textOf(names, one),
      effects: one.completed.map(({ barrier, phase }) => {
        return `${names.barrier(barrier)} phase ${phase} completes`;
      }),
      ...(from >= 0 && { from: from + 1 }),
      ...(one.waited >= 0 && { waited: waitedText(names, one) }),
      ...(work[index] !== undefined && { issues: work[index] }),
      barriers: one.levels.map((level) => barrierState(names, level)),
      slots: slots.after(one),
      ...places[index],
    };
  });
}

/**
 * The work that each move issues, with the move that completes it. Equal work completes in the
 * order in which it was issued. A group is no work.
 */
function workOf({ system, names, records }: Schedule): (IssuedWork[] | undefined)[] {
  const open = new Map<number, { unit: string; until?: number }[]>();
  return records.map(({ instruction, flight, flightId }, index) => {
    if (flight !== null) {
      const oldest = open.get(flightId)?.shift();
      if (oldest !== undefined) oldest.until = index + 1;
    }
    const issued = (instruction?.flights ?? []).flatMap((id) => {
      const { kind, unit } = system.machine.flights.flights[id]!;
      if (kind === FlightKind.group) return [];
      const one = { unit: names.agent(system.roles + unit) };
      const same = open.get(id) ?? [];
      same.push(one);
      open.set(id, same);
      return [one];
    });
    return issued.length === 0 ? undefined : issued;
  });
}

function waitedText(names: Names, { waited, phase }: MoveRecord): string {
  return `${names.barrier(waited)} phase ${phase}${phase < 0 ? ', fresh' : ''}`;
}

/** From the last step on: a place is found by re-running its role, which yields all before it. */
function placesOf(schedule: Schedule): (Position | undefined)[] {
  const places: (Position | undefined)[] = [];
  for (let index = schedule.records.length - 1; index >= 0; index--) {
    places[index] = schedule.position(index);
  }
  return places;
}

/** The move whose completion let a wait pass, or −1. */
function fromOf(
  schedule: Schedule,
  { waited, phase, instruction, agent }: MoveRecord,
  index: number,
  completions: ReadonlyMap<string, number>,
): number {
  if (waited >= 0) return completions.get(`${waited} ${phase}`) ?? -1;
  if (instruction?.kind !== OpKind.waitGroup) return -1;
  return schedule.records.findLastIndex(({ flight }, at) => {
    return at < index && flight?.role === agent && flight.unit === instruction.unit;
  });
}

/** What a step is called in a narrow column. */
const VERBS = {
  [OpKind.init]: 'init',
  [OpKind.invalidate]: 'inval',
  [OpKind.wait]: 'wait',
  [OpKind.waitParity]: 'wait',
  [OpKind.waitStage]: 'wait',
  [OpKind.tryWait]: 'try',
  [OpKind.tryWaitStage]: 'try',
  [OpKind.arrive]: 'arrive',
  [OpKind.expectTx]: 'expect',
  [OpKind.completeTx]: 'bytes',
  [OpKind.arriveDrop]: 'drop',
  [OpKind.asyncCopy]: 'copy',
  [OpKind.asyncUse]: 'use',
  [OpKind.commit]: 'commit',
  [OpKind.waitGroup]: 'group',
  [OpKind.syncNamed]: 'sync',
  [OpKind.arriveNamed]: 'arrive',
  [OpKind.syncCluster]: 'sync',
  [OpKind.read]: 'read',
  [OpKind.write]: 'write',
  [OpKind.fence]: 'fence',
  [OpKind.store]: 'store',
  [OpKind.load]: 'load',
  [OpKind.fetchAdd]: 'add',
  [OpKind.tryClaim]: 'claim',
  [OpKind.compute]: 'compute',
  [OpKind.alloc]: 'alloc',
  [OpKind.free]: 'free',
  [OpKind.relinquish]: 'relinquish',
  [OpKind.choose]: 'choose',
  [OpKind.more]: 'more',
  [OpKind.spawn]: 'spawn',
  [OpKind.join]: 'join',
  [OpKind.exit]: 'exit',
  [OpKind.step]: 'step',
  [OpKind.stage]: 'stage',
  [OpKind.arriveCluster]: 'arrive',
  [OpKind.waitCluster]: 'sync',
  [OpKind.giveRegisters]: 'give',
  [OpKind.takeRegisters]: 'take',
  [OpKind.launchDependents]: 'launch',
  [OpKind.waitGrids]: 'grid',
} satisfies Record<InstructionKind, string>;

function verbOf({ instruction, flight }: MoveRecord): string {
  if (instruction === null) return flight!.kind === FlightKind.signal ? 'signal' : 'complete';
  return VERBS[instruction.kind];
}

function textOf(names: Names, { instruction, flight, stage }: MoveRecord): string {
  if (instruction === null) return describeFlight(names, flight!);
  return describe(names, instruction) + (stage < 0 ? '' : `: stage ${stage}`);
}

/** A barrier as a step shows it. */
export function barrierState(names: Names, level: BarrierLevel): BarrierState {
  const { barrier, completed, pending, expected, bytes } = level;
  const parity = (completed & 1) === 0 ? 0 : 1;
  return {
    name: names.barrier(barrier),
    phase: completed,
    parity,
    pending,
    expected,
    txBytes: bytes,
  };
}

/** Where every role is after the last step, what roles owe, and what is still under way. */
export function standingOf(schedule: Schedule): Standing[] {
  const { system, words } = schedule;
  const stuck = needs(system, words);
  // Work in flight always completes, and a role with an option can move.
  const isOver =
    system.machine.openFlights.count(words) === 0 &&
    system.program.roles.every((_, role) => system.options(words, role) === 0);
  const roles = system.program.roles.map(({ name }, role): Standing => {
    const need = stuck.find((one) => one.role === role);
    const about = barriersOf(schedule, role);
    const barriers = about.length > 0 && { barriers: about };
    if (need === undefined)
      return { agent: name, kind: 'role', ...goingOn(schedule, role), ...barriers };
    const state = isOver ? 'starves' : 'waits';
    const owed = [...new Set(need.debts.map((debt) => schedule.names.agent(debt.role)))];
    const owedBy = owed.length > 0 && { owedBy: owed };
    const text = waiting(schedule, need);
    return { agent: name, kind: 'role', state, ...owedBy, ...barriers, text };
  });
  return [...roles, ...underWay(schedule)].filter(({ text }) => text !== '');
}

/** The barriers that the next operation of a role tests or reaches. */
function barriersOf({ system, names, words }: Schedule, role: number): string[] {
  const instruction = words[role]! < 0 ? null : system.steps.instruction(words[role]!);
  if (instruction === null) return [];
  const tested = system.waits.testedBarrier(words, instruction);
  const all = new Set([...(tested < 0 ? [] : [tested]), ...instruction.barriers]);
  return [...all].map((one) => names.barrier(one));
}

function goingOn(
  { system, names, words, symptoms, records }: Schedule,
  role: number,
): Pick<Standing, 'state' | 'text'> {
  const step = words[role]!;
  const broken = symptoms.find(({ agent, inMove }) => inMove && agent === role);
  if (broken !== undefined) {
    return {
      state: 'fails',
      text: `violates the rule ${broken.rule} in step ${records.length}`,
    };
  }
  if (step < 0) return { state: 'absent', text: 'has not been started' };
  const instruction = system.steps.instruction(step);
  if (instruction !== null) {
    return { state: 'continues', text: `next operation: ${describe(names, instruction)}` };
  }
  const misuse = system.steps.misuse(step);
  if (misuse !== null) return { state: 'fails', text: `violates the rule ${misuse.rule}` };
  return { state: 'ended', text: 'has ended' };
}

/** `waits for ab.empty[0] phase 0: mma still owes an arrival`. */
function waiting(schedule: Schedule, need: Need): string {
  const { names } = schedule;
  const { machine } = schedule.system;
  if (need.barrier < 0) return withoutBarrier(schedule, need.instruction);
  const completed = machine.completed(schedule.words, need.barrier);
  const what = `waits for ${names.barrier(need.barrier)} phase ${need.phase}`;
  // M10: its phase is over, and parity shows another one that is not.
  if (completed > need.phase + 1) {
    const have = completed === 1 ? 'has' : 'have';
    return `${what}, and ${plural(completed, 'phase')} ${have} completed`;
  }
  return `${what}: ${owing(schedule, need)}`;
}

/** `waits for the cluster`, `waits to sync at named barrier 1 with 96 threads: 64 have arrived`. */
function withoutBarrier({ system, names, words }: Schedule, instruction: Instruction): string {
  const text = describe(names, instruction);
  const waits = text.startsWith('wait ') ? text.replace('wait', 'waits') : `waits to ${text}`;
  if (instruction.kind !== OpKind.syncNamed) return waits;
  const arrived = words[system.machine.layout.named + instruction.target * 2]!;
  return `${waits}: ${formatNumber(arrived)} ${arrived === 1 ? 'has' : 'have'} arrived`;
}

function owing(schedule: Schedule, { barrier, pending, bytes }: Need): string {
  const { system, names, words, records } = schedule;
  const all = debts(system, words, barrier);
  const came = new Set(
    movesInPhase(schedule, barrier).flatMap((index) => {
      const { flight, agent, instruction } = records[index]!;
      // Who initializes a barrier has not arrived at it.
      return instruction?.kind === OpKind.init ? [] : [flight?.role ?? agent];
    }),
  );
  const owes = (what: 'arrival' | 'bytes'): string[] => {
    const roles = [...new Set(all.filter((debt) => debt.what === what).map(({ role }) => role))];
    const late = roles.filter((role) => !came.has(role));
    return (late.length > 0 ? late : roles).map((role) => names.agent(role));
  };
  // What is behind a wait that no role passes may not be known.
  const none = (words: string) => (isHeldUp(protocolOf(system), barrier) ? '' : words);
  const parts: string[] = [];
  if (pending > 0) {
    const who = owes('arrival');
    const missing = plural(pending, 'arrival');
    if (who.length === 0) parts.push(`${missing} missing${none(', which no role provides')}`);
    else if (who.length === pending) parts.push(`${list(who)} still ${owe(who)} an arrival`);
    else parts.push(`${missing} missing, which ${list(who)} still ${owe(who)}`);
  }
  const missing = bytes - bytesUnderWay(schedule, barrier);
  if (bytes > 0 && missing <= 0) parts.push(`${formatNumber(bytes)} B are in flight`);
  else if (bytes > 0) {
    const who = owes('bytes');
    const what = `${formatNumber(missing)} B`;
    if (who.length > 0) parts.push(`${list(who)} still ${owe(who)} ${what}`);
    else parts.push(`${what} missing${none(', which no role copies')}`);
  }
  return parts.join(', and ') || 'its phase has completed, and the parity bit has changed';
}

const owe = (who: readonly string[]): string => (who.length === 1 ? 'owes' : 'owe');

function openFlights({ system, words }: Schedule) {
  const open = system.machine.openFlights;
  return Array.from({ length: open.count(words) }, (_, index) => open.flightAt(words, index));
}

function bytesUnderWay(schedule: Schedule, barrier: number): number {
  const open = openFlights(schedule).filter((flight) => flight.barrier === barrier);
  return open.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The most flights of a unit that are listed one by one. */
const MAX_LISTED = 2;

function underWay(schedule: Schedule): Standing[] {
  const { system, names } = schedule;
  const open = openFlights(schedule).filter(({ kind }) => kind !== FlightKind.group);
  return [...Map.groupBy(open, ({ unit }) => unit)].flatMap(([unit, flights]) => {
    const agent = { agent: names.agent(system.roles + unit), kind: 'unit', state: 'open' } as const;
    const roles = [...new Set(flights.map(({ role }) => names.agent(role)))];
    const barriers = (some: readonly Flight[]): Pick<Standing, 'barriers'> => {
      const all = new Set(some.flatMap(({ barrier }) => (barrier < 0 ? [] : [barrier])));
      return all.size === 0 ? {} : { barriers: [...all].map((one) => names.barrier(one)) };
    };
    const text = `has ${formatNumber(flights.length)} operations of ${list(roles)} in flight`;
    if (flights.length > MAX_LISTED) return [{ ...agent, ...barriers(flights), text }];
    return flights.map((flight) => {
      const one = `still has to ${describeFlight(names, flight)}`;
      return { ...agent, ...barriers([flight]), text: one };
    });
  });
}
