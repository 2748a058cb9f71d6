// Whether a parameter counts items: a larger value repeats what roles do, and changes nothing else.
import { BoundError, InputError } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { CATALOGUE } from '@poundlock/core/internal/op';
import { Program, Resolver, runLinear } from '@poundlock/core/internal/program';
import type { Kernel, ResolvedParameters } from '@poundlock/core/internal/program';
import { layOutSystem } from '@poundlock/core/internal/system';
import { unfold } from '../search-space.ts';
import { firstRun } from '../sample-run.ts';

/** The most moves of a run that shows what roles do (bound `item-moves`). */
const MAX_MOVES = 6_000;

/** What the roles of a program do, each alone. */
interface Recorded {
  readonly length: number;
  /** Every operation with its amounts, whatever barrier or buffer it names. */
  readonly operations: string;
}

/** Whether the two programs declare the same, but for how far they count. */
export function isSameShape(one: Program, other: Program): boolean {
  const roles = ({ roles: all }: Program): string =>
    JSON.stringify(all.map(({ name, cta, lanes }) => [name, cta, lanes]));
  return roles(one) === roles(other) && one.declarations.isSameShape(other.declarations);
}

/** Whether `count` declares another total in the two programs. */
export function countsOtherwise(one: Program, other: Program): boolean {
  const { counts } = other.declarations;
  return one.declarations.counts.some(({ total }, at) => counts[at]?.total !== total);
}

/**
 * Whether `name` counts items: of three growing values, each lets the roles do more than the one
 * before, and the last two the same operations with the same amounts. A selector, a number of
 * bytes, lanes or columns, or a depth is none.
 */
export function isItemCount(kernel: Kernel, params: ResolvedParameters, name: string): boolean {
  const value = Number(params.values[name]);
  const few = isGrowing(kernel, params, name, [5, 7, 9]);
  if (few === null) return isGrowing(kernel, params, name, [1, 2, 3]) === true;
  // A number of elements may only count in blocks.
  const isLarge = value >= BLOCK;
  return (
    few || (isLarge && isGrowing(kernel, params, name, [value, 2 * value, 3 * value]) === true)
  );
}

/** From here on a value may be a number of elements, which are counted in blocks. */
const BLOCK = 16;

/** `null` where the kernel refuses one of the values. */
function isGrowing(
  kernel: Kernel,
  params: ResolvedParameters,
  name: string,
  values: readonly [number, number, number],
): boolean | null {
  const recorded = values.map((one) => record(kernel, params, { [name]: one }));
  const [small, middle, large] = recorded;
  if (!small || !middle || !large) return null;
  const grows = small.length < middle.length && middle.length < large.length;
  return grows && middle.operations === large.operations;
}

/** What a kernel's roles do; `null` where it refuses these parameters, or they do too much. */
function record(
  kernel: Kernel,
  params: ResolvedParameters,
  changes: Readonly<Record<string, number>>,
): Recorded | null {
  try {
    const program = new Program(kernel, params.change(changes));
    return recordAlone(program) ?? recordTogether(program);
  } catch (error) {
    if (error instanceof InputError || error instanceof BoundError) return null;
    throw error;
  }
}

/**
 * Each role alone, as if no wait blocked, so that a deadlock hides nothing; `null` for roles with
 * choices.
 */
function recordAlone(program: Program): Recorded | null {
  try {
    const resolver = new Resolver(program, layOutSystem(program).machine);
    const instructions = program.roles.flatMap((_, role) =>
      runLinear(program, role).map(({ op }) => {
        const { class: kind } = CATALOGUE[op.kind]!;
        return kind === 'ghost' || kind === 'control' ? null : resolver.resolve(op, role);
      }),
    );
    return recordedOf(instructions);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** One run of all roles. */
function recordTogether(program: Program): Recorded {
  const { system, unfolding } = unfold(program);
  const lists = firstRun(program, unfolding, system, MAX_MOVES);
  return recordedOf(lists.flat().map(({ instruction }) => instruction));
}

function recordedOf(instructions: readonly (Instruction | null)[]): Recorded {
  const operations = new Set<string>();
  for (const instruction of instructions) {
    if (instruction === null) continue;
    const { kind, arrivals, lanes, threads, bytes, amount, units } = instruction;
    const { inFlight, choices, unit } = instruction;
    const amounts = [kind, arrivals, lanes, threads, bytes, amount, units, inFlight, choices, unit];
    operations.add(amounts.join(' '));
  }
  return { length: instructions.length, operations: [...operations].toSorted().join('\n') };
}
