// Silent operations of a role between two steps of the reference search (P10).
import { isSilent, type SilentInstr, type VisibleInstr } from './dull-code.ts';
import type { Step } from './dull-effect.ts';
import type { Side } from './dull-program.ts';
import type { Handle, RoleState } from './dull-state.ts';

/** P10: runs silent operations, up to the next visible instruction or the role's end. */
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
  me.memory = {};
  me.pc = -1;
}

function isOnNothing(me: RoleState, instr: VisibleInstr): boolean {
  if (instr.op === 'free' || instr.op === 'touchMemory') {
    return me.memory[instr.memory] === undefined;
  }
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
  else if (instr.op === 'pause') me.failed = '';
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
  // P07: what neither signals nor steps is no operation.
  if (!me.owned.some(({ id }) => id === handle.id)) step.broken.add('double-release');
  me.owned = me.owned.filter(({ id }) => id !== handle.id);
  if (instr.signal && handle.side === 'consume') return;
  stepOf(step, me, handle);
  me.pc = instr.to;
}

/** R03, R10. */
function stepOf({ machine, broken }: Step, me: RoleState, handle: Handle): void {
  const { ring, side, stage, at } = handle;
  const { advance, stages } = machine.program.rings[ring]!;
  if (advance !== 'release') return;
  const register = me.registers[`${ring}.${side}`]!;
  // Steps around the whole ring are seen where no loop lies between: a loop may be one round.
  if (at === null ? register % stages !== stage : register !== at) broken.add('release-order');
  move(me, ring, side);
}

export function move(me: RoleState, ring: number, side: Side): void {
  me.failed = '';
  const key = `${ring}.${side}`;
  me.registers[key] = (me.registers[key] ?? 0) + 1;
}

/** O04, O05; P06: a round knows nothing of a try before it. */
function runLoop(step: Step, me: RoleState, instr: SilentInstr): void {
  me.failed = '';
  for (const handle of Object.values(me.slots)) handle.at = null;
  if (instr.op === 'enterLoop') give(me, instr.outer, instr.inner, instr.scope);
  else if (instr.op === 'leaveLoop') give(me, instr.inner, instr.outer, instr.scope);
  else if (instr.op === 'endRound') {
    const slot = me.slots[instr.inner];
    const isLeaked = (one: { id: number; scope: string }) =>
      one.scope === instr.scope && one.id !== slot?.id;
    if (me.owned.some(isLeaked)) step.broken.add('leaked-stage');
    me.owned = me.owned.filter((one) => !isLeaked(one));
    const inRound = (key: string) =>
      key.startsWith(`${instr.scope}/`) || key.startsWith(`${instr.scope}.`);
    for (const key of Object.keys(me.slots)) {
      if (inRound(key) && key !== instr.inner) delete me.slots[key];
    }
    for (const key of Object.keys(me.memory)) if (inRound(key)) delete me.memory[key];
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
