// One step of the dull search: when a role can move, and what its instruction does.
import type { VisibleInstr } from './dull-code.ts';
import { arrive, arriveNamed, barrierOf, dropGroups, init, meet, nextOf } from './dull-effect.ts';
import {
  openGroups,
  poolBuffer,
  reach,
  reachBuffer,
  stageBuffer,
  touchPools,
  type Step,
} from './dull-effect.ts';
import { ringBarrier } from './dull-program.ts';
import { move, settleRole } from './dull-silent.ts';
import type { Handle, Machine, RoleState, State } from './dull-state.ts';

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
  if (instr.op === 'join') return state.roles[instr.role]!.pc < 0 ? [0] : []; // L01
  if (instr.op === 'alloc') return mayAlloc(machine, state, role, instr) ? [0] : [];
  const passes = waitPasses(machine, state, role);
  if (instr.op === 'tryWait' || instr.op === 'tryStage' || instr.op === 'claim') {
    const isPoll = instr.op === 'tryWait' && instr.isPoll === true;
    if (isPoll && me.failed === tryKey(instr)) return passes ? [1] : []; // P07
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
      own(step, me, slot, scope, { ring, side: 'consume', stage, at: null, linear: true });
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
  handle: Omit<Handle, 'id'>,
): void {
  const { ring, side, stage } = handle;
  const isSame = (one: Handle) => one.ring === ring && one.side === side && one.stage === stage;
  if (me.owned.some(isSame)) step.broken.add('double-acquire');
  const ids = new Set([...Object.values(me.slots), ...me.owned].map((one) => one.id));
  let id = 0;
  while (ids.has(id)) id++;
  me.slots[slot] = { id, ...handle };
  me.owned.push({ id, ...handle, scope });
}

function post(step: Step, role: number, instr: VisibleInstr): void {
  const { machine, state } = step;
  const me = state.roles[role]!;
  const { cta, lanes } = machine.program.roles[role]!;
  const bar = 'at' in instr ? barrierOf(machine, me, instr.at) : -1;
  const ctas = ('ctas' in instr && instr.ctas) || [cta];
  if (instr.op === 'exit') state.exited[cta] = true; // L02
  else if (instr.op === 'spawn') spawn(step, instr.role);
  else if ('memory' in instr || instr.op === 'relinquish') usePool(step, role, instr);
  else if (instr.op === 'store') state.cells[cta]![instr.cell] = instr.value;
  else if (instr.op === 'arriveNamed') arriveNamed(step, cta, instr.id, instr.threads, lanes);
  else if (instr.op === 'read' || instr.op === 'write') reachBuffer(step, cta, instr.cta ?? cta);
  else if (instr.op === 'readStage' || instr.op === 'writeStage') reachBuffer(step, cta, cta);
  else if (!signal(step, role, instr, bar, ctas)) start(step, role, instr, bar, ctas);
}

/** What changes a barrier at once. */
function signal(
  step: Step,
  role: number,
  instr: VisibleInstr,
  bar: number,
  ctas: readonly number[],
): boolean {
  const { machine, state } = step;
  const { cta, lanes } = machine.program.roles[role]!;
  if (instr.op === 'arrive') {
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
  } else return false;
  return true;
}

/** L01. */
function spawn(step: Step, role: number): void {
  const child = step.state.roles[role]!;
  if (child.started) return;
  child.started = true;
  settleRole(step, role);
}

type OnPool = VisibleInstr & { op: 'alloc' | 'free' | 'touchMemory' | 'relinquish' };

/** A01: whether an allocation goes on, be it to a finding. */
function mayAlloc(
  { program }: Machine,
  state: State,
  role: number,
  { pool, units }: VisibleInstr & { op: 'alloc' },
): boolean {
  const { units: taken, isRelinquished } = state.pools[program.roles[role]!.cta]![pool]!;
  const { capacity } = program.pools[pool]!;
  const left = capacity - taken.reduce((sum, one) => sum + one, 0);
  return isRelinquished || units > capacity || (units <= left && taken.includes(0));
}

/** A01–A03. */
function usePool(step: Step, role: number, instr: OnPool): void {
  const { machine, state } = step;
  const me = state.roles[role]!;
  const { cta } = machine.program.roles[role]!;
  if (instr.op === 'relinquish') state.pools[cta]![instr.pool]!.isRelinquished = true;
  else if (instr.op === 'alloc') {
    const { pool, units, memory } = instr;
    const target = state.pools[cta]![pool]!;
    if (target.isRelinquished || units > machine.program.pools[pool]!.capacity) {
      step.broken.add('capacity');
      return;
    }
    const at = target.units.indexOf(0);
    target.units[at] = units;
    target.wasUsed = true;
    me.memory[memory] = { pool, at };
  } else {
    const found = me.memory[instr.memory]!;
    const { units } = state.pools[cta]![found.pool]!;
    if (instr.op === 'free') {
      if (units[found.at] === 0) step.broken.add('tmem-double-free');
      units[found.at] = 0;
    } else if (instr.how === 'use') {
      const here = { cta, barCta: cta, ctas: [cta] };
      const none = { ...here, bar: -1, bytes: 0, reads: [], cell: -1, value: 0 };
      const writes = [poolBuffer(found)];
      state.flights.push({ ...none, role, kind: 'use', unit: 'mma', writes });
    } else {
      reachBuffer(step, cta, cta);
      touchPools(step, cta, [poolBuffer(found)]);
    }
  }
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
  const at = (one: number) => ({ cta: one, barCta: one, ctas: [one] });
  const none = { role, ...at(cta), bar, bytes: 0, reads: [], writes: [], cell: -1, value: 0 };
  if (instr.op === 'copy') {
    const { unit, cell, value } = instr;
    const handle = me.slots[instr.slot];
    const writes = handle === undefined ? instr.into : [stageBuffer(machine, me, instr.slot)];
    const bytes = handle === undefined ? instr.bytes : machine.program.rings[handle.ring]!.bytes;
    for (const target of ctas) {
      const barCta = instr.pair ? target - (target % 2) : target;
      const copy = { ...none, ...at(target), barCta, kind: 'copy', unit, bytes, writes } as const;
      flights.push({ ...copy, cell, value });
    }
  } else if (instr.op === 'asyncUse') {
    const { unit, reads, writes, group } = instr;
    flights.push({ ...none, kind: 'use', unit, reads, writes, ctas });
    if (group) flights.push({ ...none, kind: 'group', unit });
  } else if (instr.op === 'issue') {
    const reads = [stageBuffer(machine, me, instr.slot)];
    flights.push({ ...none, kind: 'use', unit: 'mma', reads, writes: instr.writes });
    flights.push({ ...none, kind: 'group', unit: 'mma' });
  } else if (instr.op === 'commit') {
    for (const target of ctas) {
      flights.push({ ...none, ...at(target), kind: 'signal', unit: instr.unit });
    }
  } else if (instr.op === 'commitGroup') flights.push({ ...none, kind: 'group', unit: instr.unit });
  dropGroups(state);
}
