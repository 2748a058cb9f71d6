// An unoptimized breadth-first search: a second implementation of the rules of
// docs/reference/semantics.md.
import type { DullProgram } from './dull-program.ts';
import { initialState, keyOf, machineOf, type Machine, type State } from './dull-state.ts';
import { land, landable, nextOf, poolBuffer, stageBuffer, type Step } from './dull-effect.ts';
import { settleRole } from './dull-silent.ts';
import { answers, performRole, wantedBy } from './dull-step.ts';

export interface DullResult {
  readonly verdict: 'certified' | 'counterexample' | 'skipped';
  /** The steps to the first error; −1 without one. */
  readonly shortest: number;
  /** The rules that are broken at that depth. */
  readonly rules: ReadonlySet<string>;
  /** The warnings of all states; only where no error is. */
  readonly warnings: ReadonlySet<string>;
  readonly states: number;
}

/** The states that are known by their strings: their depth, and who follows whom. */
interface Known {
  readonly depths: Map<string, number>;
  readonly before: Map<string, string[]>;
  readonly ends: string[];
  /** Where every move changes nothing. */
  readonly still: Set<string>;
}

/** The flights that a state may have before the search gives up, well within U05. */
const MAX_FLIGHTS = 10;

/** Searches every interleaving of `program`; gives up beyond `maxStates` states. */
export function dullSearch(program: DullProgram, maxStates = 4_000): DullResult {
  const machine = machineOf(program);
  const known: Known = { depths: new Map(), before: new Map(), ends: [], still: new Set() };
  const warnings = new Set<string>();
  const start: Step = { machine, state: initialState(machine), broken: new Set() };
  for (const [role, { started }] of start.state.roles.entries()) {
    if (started) settleRole(start, role);
  }
  let broken = start.broken;
  let level = [keyOf(machine, start.state)];
  known.depths.set(level[0]!, 0);
  for (let depth = 0; level.length > 0; depth++) {
    const after: Level = { keys: [], broken: new Set(), isTooMuch: false };
    for (const key of level) {
      const state = JSON.parse(key) as State;
      judge(machine, state, broken, warnings);
      const steps = successors(machine, key, state);
      if (steps.length === 0 && !isEnd(state)) broken.add('deadlock'); // P11
      if (isEnd(state)) known.ends.push(key);
      if (follow(machine, known, key, steps, after)) known.still.add(key);
    }
    const states = known.depths.size;
    if (broken.size > 0) {
      return { verdict: 'counterexample', shortest: depth, rules: broken, warnings, states };
    }
    if (states > maxStates || after.isTooMuch) {
      return { verdict: 'skipped', shortest: -1, rules: broken, warnings, states };
    }
    ({ broken, keys: level } = after);
    // A step that breaks a rule leads to no state, but to a depth.
    if (level.length === 0 && broken.size > 0) {
      return { verdict: 'counterexample', shortest: depth + 1, rules: broken, warnings, states };
    }
  }
  return { ...livelock(known), warnings, states: known.depths.size };
}

/** The states at one depth, and what the steps to it break. */
interface Level {
  readonly keys: string[];
  readonly broken: Set<string>;
  isTooMuch: boolean;
}

/** Adds what steps of a state lead to; whether each of them changes nothing. */
function follow(
  machine: Machine,
  known: Known,
  key: string,
  steps: readonly Step[],
  level: Level,
): boolean {
  const { depths, before } = known;
  let isStill = true;
  for (const { state, broken } of steps) {
    for (const rule of broken) level.broken.add(rule);
    isStill &&= broken.size === 0;
    if (broken.size > 0) continue;
    const to = keyOf(machine, state);
    isStill &&= to === key;
    if (!before.get(to)?.push(key)) before.set(to, [key]);
    if (depths.has(to)) continue;
    depths.set(to, depths.get(key)! + 1);
    level.keys.push(to);
    level.isTooMuch ||= state.flights.length > MAX_FLIGHTS;
  }
  return isStill;
}

function successors(machine: Machine, key: string, state: State): Step[] {
  const steps: Step[] = [];
  const fresh = (): Step => {
    const step = { machine, state: JSON.parse(key) as State, broken: new Set<string>() };
    steps.push(step);
    return step;
  };
  for (const role of state.roles.keys()) {
    for (const answer of answers(machine, state, role)) performRole(fresh(), role, answer);
  }
  for (const at of landable(state)) land(fresh(), at);
  return steps;
}

function isEnd({ roles, flights }: State): boolean {
  return flights.length === 0 && roles.every((role) => role.pc < 0);
}

/** P11: no error is reachable, but from some state no end is either. */
function livelock(known: Known): Pick<DullResult, 'verdict' | 'shortest' | 'rules'> {
  const { depths, before, ends, still } = known;
  const alive = new Set(ends);
  const open = [...ends];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const earlier of before.get(key) ?? []) {
      if (alive.has(earlier)) continue;
      alive.add(earlier);
      open.push(earlier);
    }
  }
  const cannotEnd = [...depths].filter(([key]) => !alive.has(key));
  if (cannotEnd.length === 0) return { verdict: 'certified', shortest: -1, rules: new Set() };
  const atStill = cannotEnd.filter(([key]) => still.has(key));
  const reported = atStill.length > 0 ? atStill : cannotEnd;
  const shortest = Math.min(...reported.map(([, depth]) => depth));
  return { verdict: 'counterexample', shortest, rules: new Set(['deadlock']) };
}

/** The violations in a state, before a move. */
function judge(machine: Machine, state: State, broken: Set<string>, warnings: Set<string>): void {
  for (const role of state.roles.keys()) judgeWait(machine, state, role, broken, warnings);
  if (hasRace(machine, state)) broken.add('race');
  const isWaiting = state.cluster > 0;
  if (isWaiting && state.roles.some((role) => role.pc < 0)) broken.add('divergent-exit'); // N02
  if (!isEnd(state)) return;
  const isLeft = state.pools.flat().some(({ wasUsed, isRelinquished, units }) => {
    return (wasUsed && !isRelinquished) || units.some((taken) => taken > 0);
  });
  if (isLeft) warnings.add('tmem-not-relinquished'); // A03
  for (const barriers of state.barriers) {
    const isRestless = barriers.some(
      (one) => one.life === 'live' && (one.P !== one.E || one.T !== 0),
    );
    if (isRestless) warnings.add('not-quiescent'); // M13
  }
  if (state.named.some((one) => Object.keys(one).length > 0)) warnings.add('not-quiescent'); // M13
}

function judgeWait(
  machine: Machine,
  state: State,
  role: number,
  broken: Set<string>,
  warnings: Set<string>,
): void {
  const wanted = wantedBy(machine, state, role);
  if (wanted === undefined) return;
  if (isForked(machine, state, role)) broken.add('forked-pipeline'); // R09
  const { cta } = machine.program.roles[role]!;
  const { life, k } = state.barriers[cta]![wanted.bar]!;
  if (wanted.isSkipped) {
    if (k <= wanted.phase) broken.add('stale-try-token'); // R08
    return;
  }
  if (state.exited[cta]! || life === 'gone') broken.add('missing-drain');
  else if (life === 'unborn') broken.add('uninitialised-barrier');
  if (wanted.byParity || machine.barriers[wanted.bar]!.mode === 'counter') return;
  const ahead = k - wanted.phase; // M10
  const isOdd = ahead % 2 !== 0;
  if (ahead < 0 && isOdd) broken.add('false-pass');
  if (ahead > 1 && !isOdd) broken.add('false-block');
  if (ahead > 1 && isOdd) warnings.add('late-pass');
}

function isForked(machine: Machine, state: State, role: number): boolean {
  const instr = nextOf(machine, state, role);
  if (instr?.op !== 'waitStage' && instr?.op !== 'tryStage') return false;
  const { rings } = machine.program;
  const { registers } = state.roles[role]!;
  const group = (ring: number) => rings[ring]!.copyOf ?? ring;
  const mine = registers[`${instr.ring}.${instr.side}`]!;
  return [...rings.keys()].some(
    (other) =>
      group(other) === group(instr.ring) && (registers[`${other}.${instr.side}`] ?? 0) > mine,
  );
}

interface Access {
  readonly agent: string;
  readonly buffer: string;
  readonly isWrite: boolean;
}

/** S02. */
function hasRace(machine: Machine, state: State): boolean {
  const all: Access[] = [...state.roles.keys()].flatMap((role) => accessOf(machine, state, role));
  for (const at of landable(state)) {
    const { ctas, reads, writes } = state.flights[at]!;
    const agent = `flight ${at}`;
    for (const cta of ctas) {
      for (const one of reads) all.push({ agent, buffer: `${cta} ${one}`, isWrite: false });
      for (const one of writes) all.push({ agent, buffer: `${cta} ${one}`, isWrite: true });
    }
  }
  return all.some((a) =>
    all.some((b) => a.agent !== b.agent && a.buffer === b.buffer && (a.isWrite || b.isWrite)),
  );
}

/** The access that a role stands at, if it does. */
function accessOf(machine: Machine, state: State, role: number): Access[] {
  const instr = nextOf(machine, state, role);
  const { cta } = machine.program.roles[role]!;
  const access = (buffer: string, isWrite: boolean, owner = cta): Access[] => {
    return [{ agent: `role ${role}`, buffer: `${owner} ${buffer}`, isWrite }];
  };
  if (instr?.op === 'read' || instr?.op === 'write') {
    return access(instr.buffer, instr.op === 'write', instr.cta);
  }
  if (instr?.op === 'readStage' || instr?.op === 'writeStage') {
    const buffer = stageBuffer(machine, state.roles[role]!, instr.slot);
    return access(buffer, instr.op === 'writeStage');
  }
  if (instr?.op !== 'touchMemory' || instr.how === 'use') return [];
  return access(poolBuffer(state.roles[role]!.memory[instr.memory]!), instr.how === 'write');
}
