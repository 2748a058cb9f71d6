// One step of the dull search: what a role's instruction or a landing does to a state.
import { isSilent, type SilentInstr, type Target, type VisibleInstr } from './dull-code.ts';
import { ringBarrier, type DullProgram, type Side } from './dull-program.ts';
import type { BarrierState, Flight, Handle, Machine, RoleState, State } from './dull-state.ts';

/** A state that is being changed, and the rules that the change breaks. */
export interface Step {
  readonly machine: Machine;
  readonly state: State;
  readonly broken: Set<string>;
}

/** The visible instruction a role stands at; `undefined` when it has ended. */
export function nextOf({ codes }: Machine, state: State, role: number): VisibleInstr | undefined {
  const { pc } = state.roles[role]!;
  return pc < 0 ? undefined : (codes[role]![pc] as VisibleInstr | undefined);
}

/** P10: runs what nobody else can see, up to the next visible instruction or the role's end. */
export function settleRole(step: Step, role: number): void {
  const me = step.state.roles[role]!;
  const code = step.machine.codes[role]!;
  while (me.pc < code.length) {
    const instr = code[me.pc]!;
    if (isSilent(instr)) runSilent(step, me, instr);
    else if (isOnNothing(me, instr)) me.pc++;
    else return;
  }
  if (me.owned.length > 0) step.broken.add('leaked-stage'); // O04
  me.owned = [];
  me.slots = {};
  me.pc = -1;
}

function isOnNothing(me: RoleState, instr: VisibleInstr): boolean {
  if ('at' in instr && typeof instr.at === 'string') return !holds(me, instr.at);
  const named = instr.op === 'issue' || instr.op === 'readStage' || instr.op === 'writeStage';
  return named && !holds(me, instr.slot);
}

function holds(me: RoleState, slot: string): boolean {
  return slot.startsWith('@') || me.slots[slot] !== undefined;
}

function runSilent(step: Step, me: RoleState, instr: SilentInstr): void {
  me.pc++;
  if (instr.op === 'jump') me.pc = instr.to;
  else if (instr.op === 'set') me.counters[instr.counter] = instr.value;
  else if (instr.op === 'countdown') {
    if (me.counters[instr.counter]! > 0) me.counters[instr.counter]!--;
    else {
      delete me.counters[instr.counter];
      me.pc = instr.to;
    }
  } else if (instr.op === 'more') {
    me.failed = '';
    if (me.used[instr.count]! < step.machine.program.counts[instr.count]!) {
      me.used[instr.count]!++;
    } else me.pc = instr.to;
  } else if (instr.op === 'clear') delete me.slots[instr.slot];
  else if (instr.op === 'show') me.slots[instr.as] = me.slots[instr.slot]!;
  else if (instr.op === 'step') {
    if (instr.isDivergent) step.broken.add('divergent-step'); // R10
    move(me, instr.ring, instr.side);
  } else if (instr.op === 'stepOf') stepOf(step, me, me.slots[instr.slot]!);
  else if (instr.op === 'touch') {
    const handle = me.slots[instr.slot];
    if (handle !== undefined) touch(step, me, handle);
  } else if (instr.op === 'leave') leave(step, me, instr);
  else runLoop(step, me, instr);
}

/** O03. */
function touch(step: Step, me: RoleState, handle: Handle): void {
  me.failed = '';
  if (!me.owned.some(({ id }) => id === handle.id)) step.broken.add('use-after-release');
}

/** O03, R03. */
function leave(step: Step, me: RoleState, instr: SilentInstr & { op: 'leave' }): void {
  const handle = me.slots[instr.slot];
  if (handle === undefined || handle.linear !== instr.linear) {
    me.pc = instr.to;
    return;
  }
  me.failed = '';
  if (!me.owned.some(({ id }) => id === handle.id)) step.broken.add('double-release');
  me.owned = me.owned.filter(({ id }) => id !== handle.id);
  if (instr.signal && handle.side === 'consume') return;
  stepOf(step, me, handle);
  me.pc = instr.to;
}

/** R03, R10. */
function stepOf({ machine, broken }: Step, me: RoleState, { ring, side, at }: Handle): void {
  if (machine.program.rings[ring]!.advance !== 'release') return;
  if (me.registers[`${ring}.${side}`] !== at) broken.add('release-order');
  move(me, ring, side);
}

function move(me: RoleState, ring: number, side: Side): void {
  me.failed = '';
  const key = `${ring}.${side}`;
  me.registers[key] = (me.registers[key] ?? 0) + 1;
}

/** O04, O05; P06: a round knows nothing of a try before it. */
function runLoop(step: Step, me: RoleState, instr: SilentInstr): void {
  me.failed = '';
  if (instr.op === 'enterLoop') give(me, instr.outer, instr.inner, instr.scope);
  else if (instr.op === 'leaveLoop') give(me, instr.inner, instr.outer, instr.scope);
  else if (instr.op === 'endRound') {
    const kept = me.slots[instr.inner];
    const isLeaked = (one: { id: number; scope: string }) =>
      one.scope === instr.scope && one.id !== kept?.id;
    if (me.owned.some(isLeaked)) step.broken.add('leaked-stage');
    me.owned = me.owned.filter((one) => !isLeaked(one));
    for (const key of Object.keys(me.slots)) {
      const inRound = key.startsWith(`${instr.scope}/`) || key.startsWith(`${instr.scope}.`);
      if (inRound && key !== instr.inner) delete me.slots[key];
    }
    me.pc = instr.to;
  }
}

/** Moves a linear handle to another variable, and to the scope of that variable. */
function give(me: RoleState, from: string, to: string, scope: string): void {
  const handle = me.slots[from];
  if (handle === undefined || !handle.linear) return;
  delete me.slots[from];
  me.slots[to] = handle;
  for (const one of me.owned) if (one.id === handle.id) one.scope = scope;
}

/** The answers with which a role can move now; empty when it has to wait. */
export function answers(machine: Machine, state: State, role: number): number[] {
  const me = state.roles[role]!;
  const instr = nextOf(machine, state, role);
  if (instr === undefined || me.meeting === 'waiting') return [];
  if (me.meeting === 'freed') return [0];
  if (instr.op === 'choose') return instr.targets.map((_, answer) => answer);
  if (instr.op === 'waitGroup') {
    return openGroups(state, role, instr.unit) <= instr.most ? [0] : [];
  }
  const passes = waitPasses(machine, state, role);
  if (instr.op === 'tryWait' || instr.op === 'tryStage' || instr.op === 'claim') {
    if (me.failed === tryKey(instr)) return passes ? [1] : []; // P07
    return passes ? [0, 1] : [0]; // M08
  }
  return passes ? [0] : [];
}

function tryKey(instr: VisibleInstr): string {
  if (instr.op === 'tryWait') return `wait ${instr.at} ${instr.phase}`;
  if (instr.op === 'tryStage') return `stage ${instr.ring} ${instr.side}`;
  return instr.op === 'claim' ? `claim ${instr.ring}` : '';
}

export interface Wanted {
  readonly bar: number;
  /** An absolute phase, or a parity where `byParity`. */
  readonly phase: number;
  readonly byParity: boolean;
  /** The stage of a ring that is waited for, or −1. */
  readonly stage: number;
  /** R08: the wait is skipped, and tests nothing. */
  readonly isSkipped: boolean;
}

/** What the wait that a role stands at waits for. */
export function wantedBy(machine: Machine, state: State, role: number): Wanted | undefined {
  const { program } = machine;
  const instr = nextOf(machine, state, role);
  if (instr?.op === 'wait' || instr?.op === 'tryWait') {
    return { bar: instr.at, phase: instr.phase, byParity: false, stage: -1, isSkipped: false };
  }
  if (instr?.op === 'waitParity') {
    return { bar: instr.at, phase: instr.bit, byParity: true, stage: -1, isSkipped: false };
  }
  if (instr?.op !== 'waitStage' && instr?.op !== 'tryStage' && instr?.op !== 'claim') {
    return undefined;
  }
  const { ring } = instr;
  const { stages } = program.rings[ring]!;
  const { cta } = program.roles[role]!;
  const side = instr.op === 'claim' ? 'consume' : instr.side;
  const at =
    instr.op === 'claim'
      ? state.shared[cta]![ring]!
      : state.roles[role]!.registers[`${ring}.${side}`]!;
  const stage = at % stages;
  const lap = Math.floor(at / stages);
  const isFull = side === 'consume';
  const bar = ringBarrier(program, ring, isFull ? 'full' : 'empty', stage);
  const isSkipped = instr.op === 'waitStage' && instr.skips;
  return { bar, phase: isFull ? lap : lap - 1, byParity: false, stage, isSkipped }; // R02
}

const odd = (value: number): number => Math.abs(value % 2);

function waitPasses(machine: Machine, state: State, role: number): boolean {
  const wanted = wantedBy(machine, state, role);
  if (wanted === undefined || wanted.isSkipped) return true;
  const { k } = state.barriers[machine.program.roles[role]!.cta]![wanted.bar]!;
  if (!wanted.byParity && machine.barriers[wanted.bar]!.mode === 'counter') {
    return k > wanted.phase; // M09
  }
  return odd(k) !== odd(wanted.phase); // M07
}

/** Performs what a role stands at, with one of its answers. */
export function performRole(step: Step, role: number, answer: number): void {
  const { machine, state } = step;
  const me = state.roles[role]!;
  const instr = nextOf(machine, state, role)!;
  const { stage = -1 } = wantedBy(machine, state, role) ?? {};
  const { cta } = machine.program.roles[role]!;
  const isMeeting = instr.op === 'syncNamed' || instr.op === 'syncCluster';
  if (me.meeting === 'freed') me.meeting = '';
  else if (isMeeting && !meet(step, role, instr)) return;
  me.failed = '';
  me.pc++;
  if (instr.op === 'choose') me.pc = instr.targets[answer]!;
  else if (instr.op === 'tryWait' || instr.op === 'tryStage' || instr.op === 'claim') {
    me.pc = answer === 1 ? instr.yes : instr.no;
    if (answer === 0) me.failed = tryKey(instr);
    if (answer === 1 && instr.op === 'claim') {
      state.shared[cta]![instr.ring]!++; // R05
      const { ring, slot, scope } = instr;
      own(step, me, slot, scope, { ring, side: 'consume', stage, at: -1, linear: true });
    }
  } else if (instr.op === 'waitStage' && instr.slot !== '') {
    const { ring, side, linear, scope } = instr;
    const at = me.registers[`${ring}.${side}`]!;
    own(step, me, instr.slot, scope, { ring, side, stage, at, linear });
    if (machine.program.rings[ring]!.advance === 'acquire') move(me, ring, side);
  } else if (instr.op === 'load') {
    const old = state.cells[cta]![instr.cell]!;
    state.cells[cta]![instr.cell] = old + instr.amount; // C01
    me.pc = old === instr.equals ? instr.yes : instr.no;
  } else post(step, role, instr);
  settleRole(step, role);
}

/** O03: the handle is owned even where it should not have been acquired. */
function own(
  step: Step,
  me: RoleState,
  slot: string,
  scope: string,
  made: Omit<Handle, 'id'>,
): void {
  const { ring, side, stage } = made;
  const isSame = (one: Handle) => one.ring === ring && one.side === side && one.stage === stage;
  if (me.owned.some(isSame)) step.broken.add('double-acquire');
  const ids = new Set([...Object.values(me.slots), ...me.owned].map((one) => one.id));
  let id = 0;
  while (ids.has(id)) id++;
  me.slots[slot] = { id, ...made };
  me.owned.push({ id, ...made, scope });
}

function post(step: Step, role: number, instr: VisibleInstr): void {
  const { machine, state } = step;
  const me = state.roles[role]!;
  const { cta, lanes } = machine.program.roles[role]!;
  const bar = 'at' in instr ? barrierOf(machine, me, instr.at) : -1;
  const ctas = ('ctas' in instr && instr.ctas) || [cta];
  const { exited } = state;
  if (instr.op === 'exit') exited[cta] = true; // L02
  else if (instr.op === 'store') state.cells[cta]![instr.cell] = instr.value;
  else if (instr.op === 'arriveNamed') arriveNamed(step, cta, instr.id, instr.threads, lanes);
  else if (instr.op === 'arrive') {
    for (const target of ctas) {
      for (let lane = 0; lane < (instr.everyLane ? lanes : 1); lane++) {
        arrive(step, cta, target, bar, instr.count, lane === 0 ? instr.bytes : 0); // M03
      }
    }
  } else if (instr.op === 'expectTx' || instr.op === 'completeTx') {
    const bytes = instr.op === 'expectTx' ? instr.bytes : -instr.bytes;
    for (const target of ctas) arrive(step, cta, target, bar, 0, bytes); // M04
  } else if (instr.op === 'arriveDrop') {
    state.barriers[cta]![bar]!.E -= instr.count; // M05
    arrive(step, cta, cta, bar, instr.count, 0);
  } else if (instr.op === 'init') init(step, cta, bar, instr.count);
  else if (instr.op === 'invalidate') {
    if (reach(step, cta, cta, bar)) state.barriers[cta]![bar]!.life = 'gone'; // M02
  } else if (instr.op === 'read' || instr.op === 'write') reachBuffer(step, cta, cta);
  else if (instr.op === 'readStage' || instr.op === 'writeStage') reachBuffer(step, cta, cta);
  else start(step, role, instr, bar, ctas);
}

/** U01–U04: what starts a flight, a signal or a group. */
function start(
  step: Step,
  role: number,
  instr: VisibleInstr,
  bar: number,
  ctas: readonly number[],
): void {
  const { machine, state } = step;
  const me = state.roles[role]!;
  const { cta } = machine.program.roles[role]!;
  const { flights } = state;
  const none = { role, cta, bar, bytes: 0, reads: [], writes: [], cell: -1, value: 0 };
  if (instr.op === 'copy') {
    const { unit, cell, value } = instr;
    const handle = me.slots[instr.slot];
    const writes = handle === undefined ? instr.into : [stageBuffer(machine, me, instr.slot)];
    const bytes = handle === undefined ? instr.bytes : machine.program.rings[handle.ring]!.bytes;
    for (const target of ctas) {
      flights.push({ ...none, kind: 'copy', unit, cta: target, bytes, writes, cell, value });
    }
  } else if (instr.op === 'asyncUse') {
    const { unit, reads, writes, group } = instr;
    flights.push({ ...none, kind: 'use', unit, reads, writes });
    if (group) flights.push({ ...none, kind: 'group', unit });
  } else if (instr.op === 'issue') {
    const reads = [stageBuffer(machine, me, instr.slot)];
    flights.push({ ...none, kind: 'use', unit: 'mma', reads, writes: instr.writes });
    flights.push({ ...none, kind: 'group', unit: 'mma' });
  } else if (instr.op === 'commit') {
    for (const target of ctas) {
      flights.push({ ...none, kind: 'signal', unit: instr.unit, cta: target });
    }
  } else if (instr.op === 'commitGroup') flights.push({ ...none, kind: 'group', unit: instr.unit });
  dropGroups(state);
}

/** The buffer of a handle's stage; copies of a ring share it (R09). */
export function stageBuffer({ program }: Machine, me: RoleState, slot: string): string {
  const { ring, stage } = stageOf(program, me, slot);
  return `q${program.rings[ring]!.copyOf ?? ring}.${stage}`;
}

/** The stage of the handle in a slot, or the one that a register stands at. */
function stageOf(
  { rings }: DullProgram,
  me: RoleState,
  slot: string,
): Pick<Handle, 'ring' | 'side' | 'stage'> {
  if (!slot.startsWith('@')) return me.slots[slot]!;
  const [ring, side] = slot.slice(1).split('.') as [string, Side];
  const { stages } = rings[Number(ring)]!;
  return { ring: Number(ring), side, stage: me.registers[slot.slice(1)]! % stages };
}

function barrierOf({ program }: Machine, me: RoleState, at: Target): number {
  if (typeof at === 'number') return at;
  const { ring, side, stage } = stageOf(program, me, at);
  return ringBarrier(program, ring, side === 'produce' ? 'full' : 'empty', stage);
}

/** N01 and N02; `true` when the role goes on at once. */
function meet(step: Step, role: number, instr: VisibleInstr): boolean {
  const { machine, state } = step;
  const { cta, lanes } = machine.program.roles[role]!;
  const me = state.roles[role]!;
  me.failed = '';
  if (instr.op === 'syncNamed') {
    if (arriveNamed(step, cta, instr.id, instr.threads, lanes)) return true;
  } else {
    state.cluster++;
    if (state.cluster === state.roles.length) {
      state.cluster = 0;
      free(step, (_, next) => next.op === 'syncCluster');
      return true;
    }
  }
  me.meeting = 'waiting';
  return false;
}

/** N01; `true` when the count is reached. */
function arriveNamed(step: Step, cta: number, id: number, count: number, lanes: number): boolean {
  const { machine, state } = step;
  const named = state.named[cta]!;
  const now = (named[id] ??= { count, arrived: 0 });
  now.arrived += lanes;
  if (now.count !== count || now.arrived > count) step.broken.add('named-barrier-mismatch');
  if (now.arrived < count) return false;
  delete named[id];
  free(step, (role, next) => {
    return next.op === 'syncNamed' && next.id === id && machine.program.roles[role]!.cta === cta;
  });
  return true;
}

function free(
  { machine, state }: Step,
  isFreed: (role: number, next: VisibleInstr) => boolean,
): void {
  for (const [role, one] of state.roles.entries()) {
    const next = nextOf(machine, state, role);
    if (one.meeting === 'waiting' && isFreed(role, next!)) one.meeting = 'freed';
  }
}

/** L02: whether what is in a CTA is gone for somebody of CTA `by`. */
function isGone({ machine, state }: Step, by: number, cta: number): boolean {
  if (state.exited[cta]!) return true;
  const { roles } = machine.program;
  return by !== cta && roles.every((role, at) => role.cta !== cta || state.roles[at]!.pc < 0);
}

function reachBuffer(step: Step, by: number, cta: number): void {
  if (isGone(step, by, cta)) step.broken.add('missing-drain');
}

function reach(step: Step, by: number, cta: number, bar: number): boolean {
  const { life } = step.state.barriers[cta]![bar]!;
  if (isGone(step, by, cta) || life === 'gone') step.broken.add('missing-drain'); // M02, L02
  else if (life === 'unborn') step.broken.add('uninitialised-barrier'); // M02
  else return true;
  return false;
}

function init(step: Step, cta: number, bar: number, count: number): void {
  const { life } = step.state.barriers[cta]![bar]!;
  if (life === 'live') step.broken.add('uninitialised-barrier'); // M01
  if (isGone(step, cta, cta)) step.broken.add('missing-drain');
  step.state.barriers[cta]![bar] = { E: count, P: count, T: 0, k: 0, life: 'live' };
}

/** M03–M06, M11, M12. */
function arrive(
  step: Step,
  by: number,
  cta: number,
  bar: number,
  count: number,
  bytes: number,
): void {
  if (!reach(step, by, cta, bar)) return;
  const target = step.state.barriers[cta]![bar]!;
  if (count > target.P) step.broken.add('over-arrival');
  target.T += bytes;
  target.P -= count;
  if (!completes(target)) return;
  // A copy that names a barrier and brings it no bytes is taken for one that owes them.
  const isOwed = (one: Flight) => one.kind === 'copy' && one.cta === cta && one.bar === bar;
  if (step.state.flights.some(isOwed)) step.broken.add('tx-mismatch');
}

function completes(target: BarrierState): boolean {
  if (target.P !== 0 || target.T !== 0) return false;
  target.k++;
  target.P = target.E;
  return true;
}

const isWork = (flight: Flight): boolean => flight.kind === 'copy' || flight.kind === 'use';

function earlierWork(flights: readonly Flight[], at: number): boolean {
  const { role, unit } = flights[at]!;
  return flights.slice(0, at).some((one) => isWork(one) && one.role === role && one.unit === unit);
}

function openGroups({ flights }: State, role: number, unit: string): number {
  const isGroup = (one: Flight) => one.kind === 'group' && one.role === role && one.unit === unit;
  return flights.filter((one, at) => isGroup(one) && earlierWork(flights, at)).length;
}

/** U04: a complete group is forgotten. */
function dropGroups(state: State): void {
  const { flights } = state;
  state.flights = flights.filter((one, at) => one.kind !== 'group' || earlierWork(flights, at));
}

/** The flights that can land next: U01–U03. */
export function landable({ flights }: State): number[] {
  return [...flights.keys()].filter((at) => {
    const { kind, unit } = flights[at]!;
    if (kind === 'group') return false;
    return (kind !== 'signal' && unit !== 'mma') || !earlierWork(flights, at);
  });
}

/** Lands a flight: its accesses and its arrival or bytes, as one step. */
export function land(step: Step, at: number): void {
  const { machine, state } = step;
  const flight = state.flights[at]!;
  state.flights.splice(at, 1);
  dropGroups(state);
  const { cta } = flight;
  const by = machine.program.roles[flight.role]!.cta;
  if (flight.kind === 'signal') {
    arrive(step, by, cta, flight.bar, 1, 0);
    return;
  }
  if (flight.reads.length + flight.writes.length > 0) reachBuffer(step, by, cta);
  if (flight.cell >= 0) state.cells[cta]![flight.cell] = flight.value;
  if (flight.bar >= 0 && flight.kind === 'copy')
    arrive(step, by, cta, flight.bar, 0, -flight.bytes);
}
