// Strands: warps of a role, or lanes of its warp, that do not all make the same operations.
import { currentPosition, InputError, optionTable } from '../base/index.ts';
import type { OptionsOf, OptionValue } from '../base/index.ts';
import type { Kernel } from './kernel.ts';

/** The most classes of strands of one role (bound `classes`). */
export const MAX_CLASSES = 8;

/**
 * Which strands of a role make an operation: all of them; `one`, which is elected; or those with
 * these numbers. A role has strands if it is declared with `warps`, or with `strands: 'lanes'`.
 */
export type By =
  | 'all'
  | 'one'
  | { readonly warp: number }
  | { readonly warps: readonly number[] }
  | { readonly lane: number }
  | { readonly lanes: readonly number[] };

/** Ways to name strands, one of which `by` has as an object. */
const STRAND_KEYS = ['warp', 'warps', 'lane', 'lanes'] as const;

/** What `by` may be, with further words. */
export function strandsOr<const W extends string>(...words: readonly W[]): OptionValue<By | W> {
  const all: readonly string[] = ['all', 'one', ...words];
  const isOne = (value: unknown): value is By | W => {
    if (typeof value === 'string') return all.includes(value);
    if (typeof value !== 'object' || value === null) return false;
    const [key, ...others] = Object.keys(value);
    if (key === undefined || others.length > 0) return false;
    const named = (value as Readonly<Record<string, unknown>>)[key];
    if (key === 'warp' || key === 'lane') return typeof named === 'number';
    return (key === 'warps' || key === 'lanes') && Array.isArray(named);
  };
  const must = `${all.join(', ')}, or { warp }, { warps }, { lane } or { lanes } alone`;
  return { accepts: isOne, must, words: all, keys: STRAND_KEYS };
}

/** What an operation has that only some strands may make. */
export const BY_STRANDS = optionTable({
  /** The strands that make the operation; all of them unless specified. */
  by: strandsOr<never>(),
});

/** Which strands of a role an operation is of: see {@link By}. */
export interface ByStrands extends OptionsOf<typeof BY_STRANDS> {}

/** The strands of one role that make the same operations (W01): an agent of its own. */
export interface StrandClass {
  /** The name of the role that it is a part of, and its index among the roles of the kernel. */
  readonly family: string;
  readonly written: number;
  /** The strands of the role, and how many threads each of them has. */
  readonly strands: number;
  readonly threadsEach: number;
  /** The strands of this class, and which class of the role it is, of how many. */
  readonly members: readonly number[];
  readonly index: number;
  readonly classes: number;
}

/** What a kernel was seen to do: by role, sets of strands that make operations of their own. */
interface Seen {
  readonly splits: Map<string, (readonly number[])[]>;
  /** Roles each of whose strands uses a part of its own of a buffer. */
  readonly shared: Map<number, Set<string>>;
}

const SEEN = new WeakMap<Kernel, Seen>();

function seenOf(kernel: Kernel): Seen {
  const known = SEEN.get(kernel);
  if (known !== undefined) return known;
  const seen = { splits: new Map(), shared: new Map() };
  SEEN.set(kernel, seen);
  return seen;
}

/** What was seen of a kernel also holds for another load of it. */
export function copySeen(from: Kernel, to: Kernel): void {
  SEEN.set(to, seenOf(from));
}

/** Ends a check that took strands for alike which are not, so that it begins again. */
export class StrandsDiffer extends Error {
  override readonly name = 'StrandsDiffer';
}

/**
 * Runs `attempt` with the strands of a kernel divided as far as they have to be: each attempt
 * learns where they are not alike.
 */
export async function withStrands<T>(attempt: () => T | Promise<T>): Promise<T> {
  for (let left = MAX_CLASSES * MAX_CLASSES * 4; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StrandsDiffer) || left === 0) throw error;
    }
  }
}

/** The classes of a role's strands, as far as the kernel was seen to tell them apart. */
export function classesOf(kernel: Kernel, role: string, strands: number): number[][] {
  let classes: number[][] = [Array.from({ length: strands }, (_, strand) => strand)];
  for (const members of seenOf(kernel).splits.get(role) ?? []) {
    classes = classes.flatMap((one) => {
      const inside = one.filter((strand) => members.includes(strand));
      const outside = one.filter((strand) => !members.includes(strand));
      return [inside, outside].filter(({ length }) => length > 0);
    });
  }
  return classes.toSorted((one, other) => one[0]! - other[0]!);
}

/** Roles of whose strands each uses its own part of a buffer. */
export function sharersOf(kernel: Kernel, buffer: number): ReadonlySet<string> {
  return seenOf(kernel).shared.get(buffer) ?? NO_FAMILY;
}

const NO_FAMILY: ReadonlySet<string> = new Set();

/** How a class is called: its strands, as ranges: `0`, `1-31`, `0-2+4-31`. */
export function spanOf(members: readonly number[]): string {
  const isStart = (at: number): boolean => at === 0 || members[at] !== members[at - 1]! + 1;
  const starts = members.flatMap((_, at) => (isStart(at) ? [at] : []));
  const spans = starts.map((from, index) => {
    const [first, last] = [members[from]!, members[(starts[index + 1] ?? members.length) - 1]!];
    return first === last ? `${first}` : `${first}-${last}`;
  });
  return spans.join('+');
}

/** Notes that the strands of a role use a part of a buffer each. */
export function differBySharing(kernel: Kernel, buffer: number, family: string): never {
  const { shared } = seenOf(kernel);
  const families = shared.get(buffer) ?? new Set();
  shared.set(buffer, families.add(family));
  throw new StrandsDiffer(`${family} shares buffer ${buffer}`);
}

/** The strands that an operation names. */
export function namedStrands(by: By, { strands, family }: StrandClass): readonly number[] | null {
  if (by === 'all') return null;
  const named =
    by === 'one'
      ? [0]
      : 'warp' in by
        ? [by.warp]
        : 'lane' in by
          ? [by.lane]
          : 'warps' in by
            ? by.warps
            : by.lanes;
  for (const strand of named) {
    if (Number.isInteger(strand) && strand >= 0 && strand < strands) continue;
    const count = strands === 1 ? 'no strands of its own' : `${strands} strands`;
    const what = `role ${family} has ${count}`;
    throw new InputError(
      `${what}, and an operation is by strand ${strand}: declare warps, or strands: 'lanes'`,
      currentPosition(),
    );
  }
  return named;
}

/** Whether the strands of a class make an operation; begins again where only some of them do. */
export function takesPart(kernel: Kernel, of: StrandClass, by: By): boolean {
  const named = namedStrands(by, of);
  if (named === null) return true;
  const inside = of.members.filter((strand) => named.includes(strand)).length;
  if (inside === 0) return false;
  if (inside === of.members.length) return true;
  const { splits } = seenOf(kernel);
  const known = splits.get(of.family) ?? [];
  splits.set(of.family, [...known, [...named]]);
  if (classesOf(kernel, of.family, of.strands).length > MAX_CLASSES) {
    throw new InputError(
      `the strands of role ${of.family} do more than ${MAX_CLASSES} different things`,
      currentPosition(),
    );
  }
  throw new StrandsDiffer(of.family);
}
