// What one step of the dull search does to barriers, flights and named barriers.
import type { Target, VisibleInstr } from './dull-code.ts';
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
  const { pc, started } = state.roles[role]!;
  return pc < 0 || !started ? undefined : (codes[role]![pc] as VisibleInstr | undefined);
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

export function barrierOf({ program }: Machine, me: RoleState, at: Target): number {
  if (typeof at === 'number') return at;
  const { ring, side, stage } = stageOf(program, me, at);
  return ringBarrier(program, ring, side === 'produce' ? 'full' : 'empty', stage);
}

/** N01 and N02; `true` when the role goes on at once. */
export function meet(step: Step, role: number, instr: VisibleInstr): boolean {
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
export function arriveNamed(
  step: Step,
  cta: number,
  id: number,
  count: number,
  lanes: number,
): boolean {
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

/** L02: whether the memory of a CTA is gone for roles of CTA `by`. */
function isGone({ machine, state }: Step, by: number, cta: number): boolean {
  if (state.exited[cta]!) return true;
  const { roles } = machine.program;
  return by !== cta && roles.every((role, at) => role.cta !== cta || state.roles[at]!.pc < 0);
}

/** L03: whether a flight of CTA `by` touches memory of that CTA. */
function usesOwn(
  { kind, ctas, barCta, bar, cell, cta, reads, writes }: Flight,
  by: number,
): boolean {
  if (reads.length + writes.length > 0 && ctas.includes(by)) return true;
  return (kind === 'copy' && bar >= 0 && barCta === by) || (cell >= 0 && cta === by);
}

function hasEnded({ machine, state }: Step, cta: number): boolean {
  const { roles } = machine.program;
  return (
    state.exited[cta]! || roles.every((role, at) => role.cta !== cta || state.roles[at]!.pc < 0)
  );
}

export function reachBuffer(step: Step, by: number, cta: number): void {
  if (isGone(step, by, cta)) step.broken.add('missing-drain');
}

/** The name of a pool's buffer. */
export function poolBuffer({ pool, at }: { pool: number; at: number }): string {
  return `p${pool}.${at}`;
}

/** A02: pools' buffers must be allocated when they are reached. */
export function touchPools(step: Step, cta: number, buffers: readonly string[]): void {
  for (const name of buffers) {
    if (!name.startsWith('p')) continue;
    const [pool, at] = name.slice(1).split('.').map(Number) as [number, number];
    if (step.state.pools[cta]![pool]!.units[at] === 0) step.broken.add('tmem-use-after-free');
  }
}

export function reach(step: Step, by: number, cta: number, bar: number): boolean {
  const { life } = step.state.barriers[cta]![bar]!;
  if (isGone(step, by, cta) || life === 'gone') step.broken.add('missing-drain'); // M02, L02
  else if (life === 'unborn') step.broken.add('uninitialised-barrier'); // M02
  else return true;
  return false;
}

export function init(step: Step, cta: number, bar: number, count: number): void {
  const { life } = step.state.barriers[cta]![bar]!;
  if (life === 'live') step.broken.add('uninitialised-barrier'); // M01
  if (isGone(step, cta, cta)) step.broken.add('missing-drain');
  step.state.barriers[cta]![bar] = { E: count, P: count, T: 0, k: 0, life: 'live' };
}

/** M03–M06, M11, M12. */
export function arrive(
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
  const isOwed = (one: Flight) => one.kind === 'copy' && one.barCta === cta && one.bar === bar;
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

export function openGroups({ flights }: State, role: number, unit: string): number {
  const isGroup = (one: Flight) => one.kind === 'group' && one.role === role && one.unit === unit;
  return flights.filter((one, at) => isGroup(one) && earlierWork(flights, at)).length;
}

/** U04: a complete group is forgotten. */
export function dropGroups(state: State): void {
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
  // X02: what copies do to the memory of their own CTA comes to nothing once it has ended.
  const isOver = flight.unit !== 'mma' && usesOwn(flight, by) && hasEnded(step, by);
  const isLeft = (owner: number): boolean => !isOver || owner !== by;
  for (const owner of flight.ctas.filter(isLeft)) {
    if (flight.reads.length + flight.writes.length > 0) reachBuffer(step, by, owner);
    touchPools(step, owner, flight.writes);
  }
  if (flight.cell >= 0 && isLeft(cta)) state.cells[cta]![flight.cell] = flight.value;
  if (flight.bar >= 0 && flight.kind === 'copy' && isLeft(flight.barCta))
    arrive(step, by, flight.barCta, flight.bar, 0, -flight.bytes);
}
