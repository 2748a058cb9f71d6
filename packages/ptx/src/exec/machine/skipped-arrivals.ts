// Follows a run beside its steps for arrivals that warps go past: at which branch, and where the
// arrival would have been.
import { skipEdges } from '@poundlock/core/internal/base';
import { basicBlocks } from '../../flow/blocks.ts';
import { conditionsOf } from '../../flow/conditions.ts';
import type { Blocks } from '../../flow/blocks.ts';
import { arrives } from '../../isa/questions.ts';
import { transfer } from '../../flow/successors.ts';
import type { Instruction, PtxFunction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import type { ArrivalPlace } from '../warp/arrival-address.ts';
import { Guard } from '../warp/guard.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { ActionKind } from '../warp/program.ts';
import type { Warp } from '../warp/warp.ts';
import { Undecided, Unsupported } from './machine.ts';
import type { Observer } from './observer.ts';

/** The most events, and arrivals whose addresses are computed (bound `skipped-arrivals`). */
const MAX_EVENTS = 20_000;

/** Some lanes of a warp went past an arrival. */
export interface SkippedAt {
  readonly cta: number;
  readonly warp: number;
  /** Lanes that went past it, of those that came to the branch. */
  readonly lanes: number;
  readonly active: number;
  /** Steps of the warp before. */
  readonly steps: number;
  /** The branch, or the arrival itself where its own predicate is false. */
  readonly at: number;
  /** The branch, or the comparisons one of which makes that predicate false. */
  readonly decided: readonly number[];
  readonly arrival: number;
  /** Where it would have arrived; `null`: that is not known. */
  readonly place: ArrivalPlace | null;
  readonly isLoopEnd: boolean;
}

/** The line of the source that an instruction is of, as a name. */
type LineOf = (at: number) => string;

const UNKNOWN: Wide = { low: 0, high: 0 };
const out: Wide = { low: 0, high: 0 };

/** A way of a branch that goes past an arrival. */
interface Pass {
  readonly arrival: number;
  readonly isLoopEnd: boolean;
  /** Instructions from the other way to the arrival. */
  readonly path: readonly number[];
}

/** The ways of a branch. */
interface Ways {
  readonly taken: Pass[];
  readonly falling: Pass[];
}

export class SkippedArrivals implements Observer {
  readonly follows = new Uint8Array(0);
  readonly isThorough = true;
  readonly isOfGrid = true;
  events: SkippedAt[] = [];
  readonly #guard = new Guard();
  #code: PtxFunction | null = null;
  #ways: ReadonlyMap<number, Ways> = new Map();
  /** By warp: a branch on unknown data, whose way the next instruction shows. */
  readonly #open = new Map<Warp, { readonly at: number; readonly mask: number }>();
  readonly #conditions = new Map<number, readonly Instruction[]>();
  readonly #lineOf: LineOf;

  constructor(lineOf: LineOf) {
    this.#lineOf = lineOf;
  }

  begin(): void {
    this.events = [];
    this.#open.clear();
  }

  passesOver(warp: Warp): void {
    this.#open.delete(warp);
  }

  forgets(): void {}

  executes(warp: Warp, at: number, mask: number): void {
    if (warp.ahead.look !== null || warp.shadow.isRunning || warp.turns.isBlind) return;
    const { code, arrivals, guards, kinds } = warp.program;
    if (this.#code !== code) this.#prepare(code);
    this.#close(warp, at);
    const ways = this.#ways.get(at);
    const { mask: active } = warp.stack;
    if (ways !== undefined && kinds[at] === ActionKind.branch) this.#branch(warp, at, mask, ways);
    else if (ways !== undefined) {
      this.#note(warp, at, mask, active, ways.taken);
      this.#note(warp, at, active & ~mask, active, ways.falling);
    } else if (arrivals[at] !== null && guards[at]! >= 0) {
      const pass = { arrival: at, isLoopEnd: false, path: [] };
      this.#note(warp, at, active & ~mask, active, [pass]);
    }
  }

  #prepare(code: PtxFunction): void {
    this.#code = code;
    this.#ways = waysOf(code, this.#lineOf);
  }

  #branch(warp: Warp, at: number, mask: number, { taken, falling }: Ways): void {
    const guard = this.#guard;
    guard.split(warp, at, mask);
    if (guard.unknown !== 0) return void this.#open.set(warp, { at, mask });
    this.#note(warp, at, guard.executing, mask, taken);
    this.#note(warp, at, mask & ~guard.executing, mask, falling);
  }

  /** The way of a branch on unknown data: one for all lanes, or that is not known. */
  #close(warp: Warp, at: number): void {
    const open = this.#open.get(warp);
    if (open === undefined) return;
    this.#open.delete(warp);
    const ways = this.#ways.get(open.at)!;
    const [target] = this.#code!.instructions[open.at]!.targets;
    if (at === target) this.#note(warp, open.at, open.mask, open.mask, ways.taken);
    else if (at === open.at + 1) this.#note(warp, open.at, open.mask, open.mask, ways.falling);
  }

  /** The comparisons that make a predicate false in some lanes; all, where that is not known. */
  #falseAt(warp: Warp, lanes: number, at: number): readonly number[] {
    const { code, destinations } = warp.program;
    let all = this.#conditions.get(at);
    if (all === undefined) this.#conditions.set(at, (all = conditionsOf(code, at)));
    const isFalse = ({ index }: Instruction): boolean => {
      const register = destinations[index]![0];
      const after = destinations.slice(index + 1, at);
      if (register === undefined || after.some((one) => one.includes(register))) return false;
      return warp.registers.read(register, firstLane(lanes), out) && out.low === 0;
    };
    const found = code.instructions[at]!.guard!.negated ? [] : all.filter(isFalse);
    const decided = found.length > 0 ? found : all;
    return decided.length > 0 ? decided.map(({ index }) => index) : [at];
  }

  #note(warp: Warp, at: number, lanes: number, active: number, passes: readonly Pass[]): void {
    if (lanes === 0) return;
    for (const { arrival, isLoopEnd, path } of passes) {
      if (this.events.length >= MAX_EVENTS) return;
      const place = placeBehind(warp, lanes, path, arrival);
      const { cta, index, steps } = warp;
      const decided = at === arrival ? this.#falseAt(warp, lanes, at) : [at];
      const warpAt = { cta: cta.rank, warp: index, steps: steps.length, at, decided };
      this.events.push({ ...warpAt, lanes, active, arrival, place, isLoopEnd });
    }
  }
}

/** By branch: the arrivals that its ways go past; copies of one line of the source are one. */
function waysOf(code: PtxFunction, lineOf: LineOf): Map<number, Ways> {
  const blocks = basicBlocks(code);
  const found = new Map<number, Ways>();
  const arrivals = code.instructions.filter(arrives).map(({ index }) => index);
  for (const copies of Map.groupBy(arrivals, lineOf).values()) {
    const own = new Map(copies.map((arrival) => [blocks.blockOf[arrival]!, arrival]));
    for (const { from, to, isLoopEnd } of skipEdges(blocks.successors, 0, (one) => own.has(one))) {
      const at = blocks.starts[from + 1]! - 1;
      const branch = code.instructions[at]!;
      const target = targetOf(code, branch);
      if (target === null) continue;
      const isTaken = blocks.blockOf[target] === to;
      const path = pathTo(blocks, isTaken ? at + 1 : target, own);
      if (path === null) continue;
      const ways = found.get(at) ?? { taken: [], falling: [] };
      found.set(at, ways);
      (isTaken ? ways.taken : ways.falling).push({ ...path, isLoopEnd });
    }
  }
  return found;
}

/** Where an instruction goes on if its predicate is true; `null`: that does not decide. */
function targetOf(code: PtxFunction, instruction: Instruction): number | null {
  const { guard, targets } = instruction;
  if (guard === null) return null;
  const kind = transfer(instruction);
  if (kind === 'end') return code.instructions.length;
  return kind === 'branch' ? targets[0]! : null;
}

/** The instructions on the shortest way from one to an arrival; `null`: there is none. */
function pathTo(
  { blockOf, starts, successors }: Blocks,
  first: number,
  arrivals: ReadonlyMap<number, number>,
): Pick<Pass, 'arrival' | 'path'> | null {
  const before = new Map<number, number>([[blockOf[first]!, -1]]);
  for (const block of before.keys()) {
    const arrival = arrivals.get(block);
    if (arrival === undefined) {
      for (const next of successors[block]!) if (!before.has(next)) before.set(next, block);
      continue;
    }
    const path: number[] = [];
    let end = arrival;
    for (let at = block; at >= 0; at = before.get(at)!) {
      if (at !== block) end = starts[at + 1]!;
      const start = starts[at]!;
      path.unshift(...Array.from({ length: end - start }, (_, index) => start + index));
    }
    return { arrival, path };
  }
  return null;
}

/** Where an arrival behind a path is that lanes did not go; `null`: it is not known. */
function placeBehind(
  warp: Warp,
  mask: number,
  path: readonly number[],
  arrival: number,
): ArrivalPlace | null {
  const { registers, local, stack, program } = warp;
  const guard = new Guard();
  warp.registers = registers.copy();
  warp.local = local.copy();
  warp.stack = stack.copy();
  try {
    for (const at of path) {
      warp.stack.counter = at;
      const action = program.actions[at]!;
      let lanes = mask;
      if (program.guards[at]! >= 0) {
        guard.split(warp, at, mask);
        lanes = guard.unknown === 0 ? guard.executing : 0;
      }
      if (action.kind === 'silent' && lanes !== 0) action.run(warp, lanes);
      if (action.kind === 'silent' && lanes !== 0) continue;
      // What it loads, or may compute, is not known.
      for (const register of program.destinations[at]!)
        warp.registers.setUniform(register, UNKNOWN, false, mask, warp.lanes);
    }
    warp.stack.counter = arrival;
    return program.arrivals[arrival]!(warp, firstLane(mask));
  } catch (error) {
    if (error instanceof Unsupported || error instanceof Undecided) return null;
    throw error;
  } finally {
    Object.assign(warp, { registers, local, stack });
  }
}
