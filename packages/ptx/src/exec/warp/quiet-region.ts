// What lies between a branch and its meeting point: quiet if no other warp can observe it.
import { accessSpace, exchangesValues, isExchange, isStore, readOf } from '../../isa/questions.ts';
import type { Instruction, PtxFunction } from '../../text/module.ts';
import { ActionKind } from './program.ts';
import type { Program } from './program.ts';
import { activeMasksOf, namesAll } from '../../flow/active-members.ts';
import { readsOf, registersIn } from '../../flow/liveness.ts';
import { successors } from '../../flow/successors.ts';

/** The instructions between a branch and where its ways meet. */
export interface Region {
  /** Where the ways meet. */
  readonly meeting: number;
  /** Registers that may be written, also after an obstacle. */
  readonly writes: readonly number[];
  /** An instruction that others can observe, or that ends the kernel; `null` if it is quiet. */
  readonly obstacle: Instruction | null;
  /** A read of global memory that other blocks write, in a loop around the branch; else `null`. */
  readonly spin: Instruction | null;
  /** A read of shared memory that is repeated until another warp has written; else `null`. */
  readonly poll: Instruction | null;
  /** Whether all that others can observe are accesses to memory. */
  readonly isAccessOnly: boolean;
  /** Whether it stores to memory that no other warp reads here. */
  readonly isStoring: boolean;
  /** Whether what lies between may be executed more than once. */
  readonly isLoop: boolean;
  /** What lies between, in the order of the text. */
  readonly instructions: readonly number[];
  /** An exchange between lanes of the warp, in which lanes that have parted cannot take part. */
  readonly exchange: Instruction | null;
  /** An exchange that each way comes to, in which all lanes of a warp take part; else `null`. */
  readonly join: Instruction | null;
  /** A trap in the region, which ends all that runs. */
  readonly trap: Instruction | null;
}

/** Whether an instruction reads global memory in a way that sees what other blocks write. */
function isOutside(instruction: Instruction): boolean {
  const read = readOf(instruction);
  return read !== null && read.isStrong && read.space !== 'shared';
}

/** Whether an instruction reads memory in a way that sees what others of its CTA write. */
function isOrderedRead(instruction: Instruction): boolean {
  const read = readOf(instruction);
  return read !== null && read.isStrong && read.space !== 'global';
}

/**
 * The read of a loop that finds another value only once another warp has written one: it is the
 * same in each round, or all of the round is. A loop that goes on with what it has computed is no
 * wait.
 */
function pollIn(
  program: Program,
  branch: Instruction,
  { meeting, instructions, writes }: Pick<Region, 'meeting' | 'instructions' | 'writes'>,
): Instruction | null {
  const { code } = program;
  const written = new Set(writes);
  const heads = new Set(
    [...instructions, branch.index].flatMap((at) =>
      successors(code, code.instructions[at]!).filter((next) => next <= at && next !== meeting),
    ),
  );
  const isCarried = [...heads].some((head) =>
    [...registersIn(program.liveBefore(head))].some((register) => written.has(register)),
  );
  const isPoll = (at: number): boolean => {
    const instruction = code.instructions[at]!;
    if (!isOrderedRead(instruction)) return false;
    return !isCarried || !readsOf(instruction).some((register) => written.has(register));
  };
  const at = instructions.find(isPoll);
  return at === undefined ? null : code.instructions[at]!;
}

/** Whether an instruction stores to memory that is not the thread's own. */
function isSharedStore(instruction: Instruction): boolean {
  const space = accessSpace(instruction);
  return isStore(instruction) && space !== 'local' && space !== 'param';
}

/** Whether an instruction may be followed by an earlier one, other than where the ways meet. */
function transferBack(code: PtxFunction, instruction: Instruction, meeting: number): boolean {
  return successors(code, instruction).some(
    (next) => next <= instruction.index && next !== meeting,
  );
}

/** Follows all ways from a branch up to where they meet. */
function explore(program: Program, branch: Instruction, meeting: number) {
  const { code, kinds, actions, destinations } = program;
  const after = (instruction: Instruction): number[] =>
    successors(code, instruction).filter((target) => target !== meeting);
  const seen = new Set<number>();
  const writes = new Set<number>();
  const exchanges: Instruction[] = [];
  let trap: Instruction | null = null;
  let outside: Instruction | null = null;
  let access: Instruction | null = null;
  let end: Instruction | null = null;
  let isLoop = false;
  let isStoring = false;
  const open = after(branch);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at >= code.instructions.length) {
      end ??= branch;
      continue;
    }
    if (seen.has(at)) continue;
    seen.add(at);
    const instruction = code.instructions[at]!;
    const kind = kinds[at];
    for (const register of destinations[at]!) writes.add(register);
    open.push(...after(instruction));
    // What comes after an obstacle matters only for what is written there.
    if (end !== null) continue;
    isStoring ||= isSharedStore(instruction) && kind === ActionKind.silent;
    isLoop ||= at === branch.index || transferBack(code, instruction, meeting);
    if (isOutside(instruction)) outside = instruction;
    if (isExchange(instruction)) exchanges.push(instruction);
    const action = actions[at]!;
    if (kind === ActionKind.trap) trap = instruction;
    else if (action.kind === 'visible' && action.isAccess) access ??= instruction;
    else if (action.kind === 'visible' || action.kind === 'return') end = instruction;
  }
  return { seen, writes, exchanges, trap, outside, access, end, isLoop, isStoring };
}

/** Whether all lanes of a warp that has not parted take part in an instruction, and join. */
function joinsAll({ provenance: { definitions }, collective }: Program, at: Instruction): boolean {
  if (at.guard !== null) return false;
  return collective[at.index] === 1 || (isExchange(at) && namesAll(definitions, at));
}

/**
 * A join of all lanes on each way from a branch to where its ways meet, the first on some way: one
 * that the ISA does not promise comes before one that it does.
 */
function joinOnEachWay(program: Program, branch: Instruction, meeting: number): Instruction | null {
  const { code } = program;
  const joins: Instruction[] = [];
  const seen = new Set<number>();
  const open = [...successors(code, branch)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const instruction = code.instructions[at];
    if (at === meeting || instruction === undefined) return null;
    if (seen.has(at)) continue;
    seen.add(at);
    if (joinsAll(program, instruction)) joins.push(instruction);
    else open.push(...successors(code, instruction));
  }
  return joins.find((each) => exchangesValues(each)) ?? joins[0] ?? null;
}

/** Finds the region of a branch. */
export function regionOf(program: Program, branch: Instruction): Region {
  const meeting = program.meetingPoints[branch.index]!;
  const found = explore(program, branch, meeting);
  const { seen, access, end, isLoop, isStoring, trap } = found;
  // Lanes that have parted exchange values among themselves where they find out who is there.
  const needsAll = (exchange: Instruction): boolean => {
    const masks = activeMasksOf(program.provenance.definitions, exchange);
    return masks === null || !masks.every(({ index }) => seen.has(index));
  };
  const instructions = [...seen].toSorted((one, other) => one - other);
  const region = { meeting, instructions, writes: [...found.writes] };
  return {
    ...region,
    obstacle: end ?? access,
    isAccessOnly: end === null,
    isStoring,
    isLoop,
    exchange: found.exchanges.find(needsAll) ?? null,
    join: joinOnEachWay(program, branch, meeting),
    spin: isLoop ? found.outside : null,
    poll: isLoop ? pollIn(program, branch, region) : null,
    trap,
  };
}
