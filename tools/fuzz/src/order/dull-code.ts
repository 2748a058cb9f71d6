// Random programs as flat code with jumps: what the dull search steps through.
import type { Body, DullProgram, DullRole, Side, Statement, UnitName } from './dull-program.ts';

/** A barrier by number, that of the handle in a slot, or the next one of a side: `@0.produce`. */
export type Target = number | string;
type Ctas = readonly number[] | undefined;

/** Instructions that take no step of their own (P10, O01). Slots are named by scope and number. */
export type SilentInstr =
  | { op: 'jump'; to: number }
  | { op: 'set'; counter: string; value: number }
  | { op: 'countdown'; counter: string; to: number }
  | { op: 'more'; count: number; to: number }
  | { op: 'enterLoop' | 'leaveLoop'; scope: string; outer: string; inner: string }
  | { op: 'endRound'; scope: string; inner: string; to: number }
  | { op: 'pause' }
  | { op: 'touch' | 'clear' | 'stepOf'; slot: string }
  | { op: 'show'; slot: string; as: string }
  /** Ends ownership; goes on to the arrival that follows, or past it and the step. */
  | { op: 'leave'; slot: string; linear: boolean; signal: boolean; to: number }
  | { op: 'step'; ring: number; side: Side; isDivergent: boolean };

/** Instructions that are a step each. */
export type VisibleInstr =
  | { op: 'wait'; at: number; phase: number }
  | { op: 'waitParity'; at: number; bit: number }
  | WaitStage
  | { op: 'tryStage'; ring: number; side: Side; yes: number; no: number }
  /** `isPoll`: a failure leads back to it and changes nothing. */
  | { op: 'tryWait'; at: number; phase: number; yes: number; no: number; isPoll?: boolean }
  | { op: 'claim'; ring: number; slot: string; scope: string; yes: number; no: number }
  | { op: 'choose'; targets: number[] }
  | { op: 'arrive'; at: Target; count: number; bytes: number; everyLane: boolean; ctas: Ctas }
  | { op: 'expectTx' | 'completeTx'; at: number; bytes: number; ctas: Ctas }
  | { op: 'arriveDrop' | 'init'; at: number; count: number }
  | { op: 'invalidate'; at: number }
  | Copy
  | Use
  | { op: 'issue'; slot: string; writes: string[] }
  | { op: 'commit'; unit: UnitName; at: Target; ctas: Ctas }
  | { op: 'commitGroup'; unit: UnitName }
  | { op: 'waitGroup'; unit: UnitName; most: number }
  | { op: 'read' | 'write'; buffer: string; cta: number | undefined }
  | { op: 'readStage' | 'writeStage'; slot: string }
  | { op: 'store'; cell: number; value: number }
  | { op: 'load'; cell: number; amount: number; equals: number; yes: number; no: number }
  | { op: 'syncNamed' | 'arriveNamed'; id: number; threads: number }
  | { op: 'spawn' | 'join'; role: number }
  | { op: 'alloc'; pool: number; units: number; memory: string }
  | { op: 'free'; memory: string }
  | { op: 'touchMemory'; memory: string; how: 'read' | 'write' | 'use' }
  | { op: 'relinquish'; pool: number }
  | { op: 'syncCluster' | 'exit' };

interface WaitStage {
  op: 'waitStage';
  ring: number;
  side: Side;
  /** Where the handle goes; none when empty. */
  slot: string;
  linear: boolean;
  scope: string;
  /** Whether the wait is skipped, because a try has said that it may be (R08). */
  skips: boolean;
}

interface Use {
  op: 'asyncUse';
  unit: UnitName;
  reads: string[];
  writes: string[];
  group: boolean;
  ctas: Ctas;
}

interface Copy {
  op: 'copy';
  unit: UnitName;
  /** −1: none. */
  at: Target;
  /** −1: those of the handle's stage. */
  bytes: number;
  into: string[];
  /** The handle whose stage is filled, or none. */
  slot: string;
  cell: number;
  value: number;
  ctas: Ctas;
  pair: boolean;
}

export type Instr = SilentInstr | VisibleInstr;

const SILENT: ReadonlySet<string> = new Set<SilentInstr['op']>([
  'jump',
  'pause',
  'set',
  'countdown',
  'more',
  'enterLoop',
  'leaveLoop',
  'endRound',
  'touch',
  'leave',
  'show',
  'clear',
  'stepOf',
  'step',
]);

export function isSilent(instr: Instr): instr is SilentInstr {
  return SILENT.has(instr.op);
}

/** The code of one role; it ends where the code does. */
export function flatten(program: DullProgram, { body, lanes }: DullRole): Instr[] {
  const code: Instr[] = [];
  const writer: Writer = { program, code, lanes, unique: 0 };
  writeAll(writer, body, 's');
  return code;
}

interface Writer {
  readonly program: DullProgram;
  readonly code: Instr[];
  readonly lanes: number;
  unique: number;
}

function writeAll(writer: Writer, body: Body, scope: string): void {
  for (const one of body) {
    if (writeOnMemory(writer.code, one, scope)) continue;
    if (!writeStep(writer, one) && !writeOnStage(writer, one, scope)) {
      if (!writeBranch(writer, one, scope)) writeBlock(writer, one, scope);
    }
  }
}

const buffers = (ids: readonly number[]): string[] => ids.map((id) => `m${id}`);

/** Statements that name no slot. */
function writeStep({ program, code, lanes }: Writer, one: Statement): boolean {
  if (writeOnBarrier(code, one) || writeOnUnit(code, one)) return true;
  if (one.do === 'read' || one.do === 'write') {
    code.push({ op: one.do, buffer: `m${one.buffer}`, cta: one.cta });
  } else if (one.do === 'store') code.push({ op: 'store', cell: one.cell, value: one.value });
  else if (one.do === 'syncNamed' || one.do === 'arriveNamed') {
    code.push({ op: one.do, id: one.id, threads: one.threads });
  } else if (one.do === 'syncCluster' || one.do === 'exit') code.push({ op: one.do });
  else if (one.do === 'spawn' || one.do === 'join') code.push({ op: one.do, role: one.role });
  else if (one.do === 'pause') code.push({ op: 'pause' });
  else if (one.do === 'drain') {
    // R04.
    for (let stage = 0; stage < program.rings[one.ring]!.stages; stage++) {
      const { ring } = one;
      code.push(waitFor(ring, 'produce', false));
      code.push({ op: 'step', ring, side: 'produce', isDivergent: false });
    }
  } else return writeOnSide(code, one, lanes);
  return true;
}

function writeOnBarrier(code: Instr[], one: Statement): boolean {
  if (one.do === 'wait') code.push({ op: 'wait', at: one.bar, phase: one.phase });
  else if (one.do === 'waitParity') code.push({ op: 'waitParity', at: one.bar, bit: one.bit });
  else if (one.do === 'arrive') {
    const { count, bytes, everyLane, ctas } = one;
    code.push({ op: 'arrive', at: one.bar, count, bytes, everyLane, ctas });
  } else if (one.do === 'expectTx' || one.do === 'completeTx') {
    code.push({ op: one.do, at: one.bar, bytes: one.bytes, ctas: one.ctas });
  } else if (one.do === 'arriveDrop' || one.do === 'init') {
    code.push({ op: one.do, at: one.bar, count: one.count });
  } else if (one.do === 'invalidate') code.push({ op: 'invalidate', at: one.bar });
  else return false;
  return true;
}

function writeOnUnit(code: Instr[], one: Statement): boolean {
  if (one.do === 'asyncCopy') {
    const { unit, bytes, cell = -1, value = 0, ctas, pair = false } = one;
    const into = buffers(one.into);
    code.push({ op: 'copy', unit, at: one.bar, bytes, into, slot: '', cell, value, ctas, pair });
  } else if (one.do === 'asyncUse') {
    const { unit, group, ctas } = one;
    const [reads, writes] = [buffers(one.reads), buffers(one.writes)];
    code.push({ op: 'asyncUse', unit, reads, writes, group, ctas });
  } else if (one.do === 'commit') {
    code.push({ op: 'commit', unit: one.unit, at: one.bar, ctas: one.ctas });
  } else if (one.do === 'commitGroup') code.push({ op: 'commitGroup', unit: one.unit });
  else if (one.do === 'waitGroup') {
    code.push({ op: 'waitGroup', unit: one.unit, most: one.most });
  } else return false;
  return true;
}

/** Statements on allocated memory. */
function writeOnMemory(code: Instr[], one: Statement, scope: string): boolean {
  const memory = 'memory' in one ? `${scope}/${one.memory}` : '';
  if (one.do === 'alloc') code.push({ op: 'alloc', pool: one.pool, units: one.units, memory });
  else if (one.do === 'free') code.push({ op: 'free', memory });
  else if (one.do === 'touchMemory') code.push({ op: 'touchMemory', memory, how: one.how });
  else if (one.do === 'relinquish') code.push({ op: 'relinquish', pool: one.pool });
  else return false;
  return true;
}

function waitFor(ring: number, side: Side, skips: boolean): WaitStage {
  return { op: 'waitStage', ring, side, slot: '', linear: false, scope: '', skips };
}

/** Statements on a side of a ring, without a handle: R07, R08. */
function writeOnSide(code: Instr[], one: Statement, lanes: number): boolean {
  if (!('ring' in one) || 'slot' in one || 'then' in one || one.do === 'drain') return false;
  const { ring, side } = one;
  const next = `@${ring}.${side}`;
  const arrival = { op: 'arrive', at: next, count: 1, bytes: 0, ctas: undefined } as const;
  if (one.do === 'waitSide') {
    if (one.ready === 'try') {
      const no = code.length + 3;
      code.push({ op: 'tryStage', ring, side, yes: code.length + 1, no });
      code.push(waitFor(ring, side, true), { op: 'jump', to: no + 1 });
    }
    code.push(waitFor(ring, side, one.ready === 'yes'));
  } else if (one.do === 'stepSide') {
    code.push({ op: 'step', ring, side, isDivergent: one.lanes < lanes });
  } else if (one.do === 'signalStep') {
    code.push(waitFor(ring, side, false), { ...arrival, everyLane: true });
    code.push({ op: 'step', ring, side, isDivergent: false });
  } else if (one.what === 'arrive') code.push({ ...arrival, everyLane: false });
  else code.push({ op: one.what === 'read' ? 'readStage' : 'writeStage', slot: next });
  return true;
}

/** Statements on the handle in a slot. */
function writeOnStage(writer: Writer, one: Statement, scope: string): boolean {
  const { code } = writer;
  if (!('slot' in one) || 'ring' in one) return false;
  const slot = `${scope}/${one.slot}`;
  if (one.do === 'release') writeLeave(code, slot, true, one.signal);
  else if (one.do === 'expect') {
    const { bytes } = one;
    code.push({ op: 'touch', slot });
    code.push({ op: 'arrive', at: slot, count: 1, bytes, everyLane: false, ctas: undefined });
  } else if (one.do === 'copy') {
    code.push({ op: 'touch', slot });
    const { ctas } = one;
    code.push({
      op: 'copy',
      pair: false,
      unit: 'tma',
      at: slot,
      bytes: -1,
      into: [],
      slot,
      cell: -1,
      value: 0,
      ctas,
    });
  } else if (one.do === 'signal' || one.do === 'arriveStage') {
    const everyLane = one.do === 'signal';
    const ctas = one.do === 'signal' ? undefined : one.ctas;
    code.push({ op: 'touch', slot });
    code.push({ op: 'arrive', at: slot, count: 1, bytes: 0, everyLane, ctas });
  } else if (one.do === 'issue') {
    code.push({ op: 'touch', slot });
    code.push({ op: 'issue', slot, writes: one.into < 0 ? [] : buffers([one.into]) });
  } else if (one.do === 'commitStage') {
    code.push({ op: 'touch', slot });
    code.push({ op: 'commit', unit: 'mma', at: slot, ctas: one.ctas });
  } else if (one.do === 'readStage' || one.do === 'writeStage') {
    code.push({ op: 'touch', slot });
    code.push({ op: one.do, slot });
  }
  return true;
}

/** A release, or the end of a scoped handle's block. */
function writeLeave(code: Instr[], slot: string, linear: boolean, signal: boolean): void {
  code.push({ op: 'leave', slot, linear, signal, to: code.length + 3 });
  code.push({ op: 'arrive', at: slot, count: 1, bytes: 0, everyLane: true, ctas: undefined });
  code.push({ op: 'stepOf', slot });
}

/** Statements that answer, and branch on the answer. */
function writeBranch(writer: Writer, one: Statement, scope: string): boolean {
  const { code } = writer;
  if (one.do === 'choose') {
    const targets: number[] = [];
    code.push({ op: 'choose', targets });
    const jumps = one.branches.map((branch) => {
      targets.push(code.length);
      writeAll(writer, branch, scope);
      const jump = { op: 'jump' as const, to: 0 };
      code.push(jump);
      return jump;
    });
    for (const jump of jumps) jump.to = code.length;
    return true;
  }
  const pair = { yes: code.length + 1, no: 0 };
  if (one.do === 'tryWait') {
    code.push(Object.assign(pair, { op: 'tryWait' as const, at: one.bar, phase: one.phase }));
  } else if (one.do === 'load') {
    const { cell, amount = 0, equals } = one;
    code.push(Object.assign(pair, { op: 'load' as const, cell, amount, equals }));
  } else if (one.do === 'tryStage') {
    const { ring, side } = one;
    code.push(Object.assign(pair, { op: 'tryStage' as const, ring, side }));
  } else if (one.do === 'claim') {
    const slot = `${scope}/${one.slot}`;
    code.push(Object.assign(pair, { op: 'claim' as const, ring: one.ring, slot, scope }));
  } else return false;
  writeAll(writer, one.then, scope);
  const jump = { op: 'jump' as const, to: 0 };
  code.push(jump);
  pair.no = code.length;
  writeAll(writer, one.else, scope);
  jump.to = code.length;
  return true;
}

/** Acquires, repetitions and loops. */
function writeBlock(writer: Writer, one: Statement, scope: string): void {
  const { code } = writer;
  if (one.do === 'acquire') {
    const { ring, side } = one;
    const slot = `${scope}/${one.slot}`;
    code.push({ op: 'waitStage', ring, side, slot, linear: true, scope, skips: false });
  } else if (one.do === 'scoped') {
    const { ring, side } = one;
    const slot = `${scope}/${one.slot}`;
    const hidden = `${scope}/hidden${writer.unique++}`;
    code.push({ op: 'waitStage', ring, side, slot: hidden, linear: false, scope, skips: false });
    code.push({ op: 'show', slot: hidden, as: slot });
    writeAll(writer, one.body, scope);
    code.push({ op: 'clear', slot });
    writeLeave(code, hidden, false, side === 'consume' && !one.explicit);
    code.push({ op: 'clear', slot: hidden });
  } else if (one.do === 'repeat') {
    const counter = `repeat${writer.unique++}`;
    code.push({ op: 'set', counter, value: one.times });
    const top = { op: 'countdown' as const, counter, to: 0 };
    const start = code.push(top) - 1;
    writeAll(writer, one.body, scope);
    code.push({ op: 'jump', to: start });
    top.to = code.length;
  } else if (one.do === 'poll' && one.isPlain === true) {
    const [start, jump] = [code.length, { op: 'jump' as const, to: code.length }];
    const attempt = {
      op: 'tryWait' as const,
      at: one.bar,
      phase: one.phase,
      yes: 0,
      no: start + 1,
      isPoll: one.body.length === 0,
    };
    code.push(attempt);
    writeAll(writer, one.body, scope);
    attempt.yes = code.push(jump);
  } else writeLoop(writer, one, scope);
}

function writeLoop(writer: Writer, one: Statement, outerScope: string): void {
  if (one.do !== 'loop' && one.do !== 'until' && one.do !== 'poll' && one.do !== 'spin') {
    return;
  }
  const { code } = writer;
  const scope = `${outerScope}.${writer.unique++}`;
  const carry = 'carry' in one ? one.carry : undefined;
  const outer = carry === undefined ? '' : `${outerScope}/${carry}`;
  const inner = carry === undefined ? '' : `${scope}/${carry}`;
  code.push({ op: 'enterLoop', scope, outer, inner });
  const to = code.length;
  let setEnd: (end: number) => void;
  if (one.do === 'loop') {
    const instr = { op: 'more' as const, count: one.count, to: 0 };
    code.push(instr);
    setEnd = (end) => (instr.to = end);
  } else if (one.do === 'until') {
    const targets = [0, code.length + 1];
    code.push({ op: 'choose', targets });
    setEnd = (end) => (targets[0] = end);
  } else if (one.do === 'spin') {
    const { cell, equals } = one;
    const instr = { op: 'load' as const, cell, amount: 0, equals, yes: 0, no: to + 1 };
    code.push(instr);
    setEnd = (end) => (instr.yes = end);
  } else {
    const instr = { op: 'tryWait' as const, at: one.bar, phase: one.phase, yes: 0, no: to + 1 };
    code.push(instr);
    setEnd = (end) => (instr.yes = end);
  }
  writeAll(writer, one.body, scope);
  code.push({ op: 'endRound', scope, inner, to });
  setEnd(code.length);
  code.push({ op: 'leaveLoop', scope: outerScope, outer, inner });
}
