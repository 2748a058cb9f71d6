// What a run of one cluster rests on: values that are computed from where its blocks lie, and that
// decide what its warps do. Other clusters whose values are the same make the same steps.
import { SHARED_WINDOW, LOCAL_WINDOW } from '../../launch/windows.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Origin, Picked } from '../../values/origin.ts';
import { LANES } from '../../values/register-file.ts';
import type { Wide } from '../../values/wide.ts';
import type { BlockDecision, Deciding } from '../../steps/block-decision.ts';
import type { Instruction } from '../../text/module.ts';
import { ActionKind } from '../warp/program.ts';
import type { Program } from '../warp/program.ts';
import type { Warp } from '../warp/warp.ts';
import { atMost } from './at-most.ts';
import { originOf } from './expressions.ts';
import { OpenBranches } from './open-branches.ts';
import { isIn, within } from './within.ts';
import type { Range } from './within.ts';

/** The most values of a run that may decide. */
const MAX_DECISIONS = 500_000;

const value: Wide = { low: 0, high: 0 };
const TRUE = Uint32Array.of(1, 0);

/** Which operands decide, by register; `size` is how much a `cp.async` reads. */
type Operands = readonly (readonly [register: number, what: Deciding | 'size' | 'place'])[];

/** The decisions of one run. */
export class BlockDecisions {
  readonly list: BlockDecision[] = [];
  readonly #operands: (Operands | undefined)[] = [];
  /** Whether there were too many to keep. */
  isFull = false;
  /** Branches that decide nothing here, as they are unknown; `null`: there are none. */
  #opened: OpenBranches | null = null;
  /** What was decided last at an instruction, lest it is noted in each round. */
  readonly #last = new Map<Origin, BlockDecision>();
  /** That sizes are not too large, by the sizes. */
  readonly #bounded = new Map<Origin, Origin>();

  /** From now on, nothing is known of what decides these branches. */
  open(branches: ReadonlySet<number> = new Set()): void {
    if (branches.size > 0) this.#opened = new OpenBranches(branches);
  }

  /** Before an instruction whose guard depends on the block: it decides, unless it is picked by. */
  guard(warp: Warp, at: number, mask: number): Picked | null {
    const { program, registers } = warp;
    const register = program.guards[at]!;
    if (this.#opened?.forget(registers, register, at, warp.lanes) === true) return null;
    const isKnown = (registers.known[register]! & mask) === mask;
    // What other blocks store into contents that the launch gives is not followed.
    const isStore = warp.machine.global.hasContents && effectOf(warp, at).kind === 'access';
    if (isKnown && !isStore && program.isPickable[at] === 1)
      return { guard: registers.origins[register]!, isNegated: program.isNegated[at] === 1, mask };
    this.#note(warp, register, at, 'truth', mask);
    return null;
  }

  /** Before an instruction that others can observe, or that goes to one of several places. */
  operands(warp: Warp, at: number, mask: number): void {
    const { program, registers } = warp;
    const operands = (this.#operands[at] ??= operandsOf(program, at));
    for (const [register, what] of operands) {
      if (registers.depends[register] === 0) continue;
      if (what === 'size') this.#size(warp, register, at, mask);
      else if (what !== 'place') this.#note(warp, register, at, what, mask);
      else if (warp.machine.words !== null) this.#note(warp, register, at, 'value', mask);
    }
  }

  /** Before a `cp.async` that reads as much as a register says, and writes all of its bytes. */
  #size(warp: Warp, register: number, at: number, mask: number): void {
    const { compared, words, global } = warp.machine;
    const bytes = bytesOf(warp, at);
    const own = originOf(warp.registers, register);
    const isSize = bytes !== null && warp.program.bitsOf(register) === 32;
    const isRead = compared !== null || words !== null || global.hasContents;
    if (!isSize || isRead || own === OPAQUE) return this.#note(warp, register, at, 'value', mask);
    let bounded = this.#bounded.get(own);
    if (bounded === undefined) this.#bounded.set(own, (bounded = atMost(own, bytes)));
    const isAtMost = (low: number): boolean => low <= bytes;
    this.#add(warp, { origin: bounded, at, what: 'truth', mask }, register, isAtMost);
  }

  /** That a register lies in a range, which it does in the block that is executed. */
  range(warp: Warp, register: number, at: number, mask: number, range: Range): void {
    const origin = within(originOf(warp.registers, register), range);
    this.#add(warp, { origin, at, what: 'truth', mask }, register, (low) => isIn(low, range));
  }

  /** The address of local memory that a warp accesses. */
  address(warp: Warp, register: number, at: number, mask: number): void {
    this.#note(warp, register, at, 'value', mask);
  }

  /** That values are equal, which holds in the block that was executed. */
  equal(at: number, origin: Origin): void {
    if (this.list.length >= MAX_DECISIONS) this.isFull = true;
    else this.list.push({ origin, at, what: 'truth', mask: 1, values: TRUE, known: 1 });
  }

  #note(warp: Warp, register: number, at: number, what: Deciding, mask: number): void {
    const origin = originOf(warp.registers, register);
    this.#add(warp, { origin, at, what, mask }, register);
  }

  #add(
    { registers }: Warp,
    { origin, at, what, mask }: Pick<BlockDecision, 'origin' | 'at' | 'what' | 'mask'>,
    register: number,
    holds?: (low: number) => boolean,
  ): void {
    const last = this.#last.get(origin);
    if (last?.what === what && (last.mask | mask) === last.mask && origin !== OPAQUE) return;
    if (this.list.length >= MAX_DECISIONS) {
      this.isFull = true;
      return;
    }
    const values: number[] = [];
    let known = 0;
    for (let lane = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      if (registers.read(register, lane, value)) known |= 1 << lane;
      if (holds === undefined) values.push(value.low, value.high);
      else values.push(holds(value.low) ? 1 : 0, 0);
    }
    const decision = { origin, at, what, mask, values: Uint32Array.from(values), known };
    this.list.push(decision);
    this.#last.set(origin, decision);
  }
}

function effectOf({ program }: Warp, at: number): Instruction['effect'] {
  return program.code.instructions[at]!.effect;
}

/** Registers of an operand that is read; those of vectors and lists are data. */
function registersOf(operand: Instruction['operands'][number]): number[] {
  switch (operand.kind) {
    case 'register':
      return [operand.register];
    case 'address':
      return [operand.base, ...operand.more].flatMap(registersOf);
    case 'not':
      return registersOf(operand.operand);
    case 'pair':
    case 'immediate':
    case 'symbol':
    case 'special':
    case 'sink':
    case 'vector':
    case 'list':
      return [];
  }
}

/** Whether data is read or written there: it decides nothing by itself. */
const DATA = ['result', 'value', 'coordinates', 'policy'] as const;

function operandsOf({ code, kinds, destinations }: Program, at: number): Operands {
  const instruction = code.instructions[at]!;
  const { effect, roles, operands } = instruction;
  if (kinds[at] !== ActionKind.visible && kinds[at] !== ActionKind.table) return [];
  const data = new Set(DATA.map((role) => roles[role] ?? -1));
  if (effect.kind === 'copy') {
    if (effect.from === 'global') data.add(roles.from ?? -1);
    if (effect.to === 'global') data.add(roles.to ?? -1);
  }
  const isAccess = effect.kind === 'access';
  const written = new Set(destinations[at]);
  return operands.flatMap((operand, index) => {
    if (data.has(index)) return [];
    const isResult = operand.kind === 'register' && index === 0 && written.has(operand.register);
    if (isResult || (isAccess && operand.kind !== 'address')) return [];
    const what = whatOf(instruction, index);
    return registersOf(operand).map((register) => [register, what] as const);
  });
}

/** What an operand decides by. */
function whatOf({ effect, roles }: Instruction, index: number): Operands[number][1] {
  if (index === roles.map) return 'map';
  if (effect.kind === 'copy' && effect.op === 'thread' && index === SIZE) return 'size';
  if (effect.kind !== 'access') return 'value';
  // Where blocks touch global memory is compared beside what decides.
  if (effect.space === 'global') return 'place';
  return effect.space === 'generic' ? 'window' : 'value';
}

/** The operand of `cp.async` that says how much it reads. */
const SIZE = 3;

/** What a `cp.async` writes. */
function bytesOf({ program }: Warp, at: number): number | null {
  const { operands, roles } = program.code.instructions[at]!;
  const bytes = operands[roles.bytes ?? -1];
  return bytes?.kind === 'immediate' ? bytes.value.low : null;
}

/** Whether an address is one that only the block, or only the thread knows. */
export function isInWindow(high: number): boolean {
  return high === SHARED_WINDOW || high === LOCAL_WINDOW;
}
