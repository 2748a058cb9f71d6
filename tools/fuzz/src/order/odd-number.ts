// Right programs with one odd number: at the edges, or none that a program can have.
import * as fc from 'fast-check';
import type { Checker } from '../checker.ts';
import { InputError } from '@poundlock/core/internal/base';
import type { Body, DullProgram, Statement } from './dull-program.ts';
import { blocks, everyStatement, toKernel, withBlocks } from './dull-program.ts';
import { dullSearch } from './dull-search.ts';
import type { Looked } from '../looked.ts';
import { rightProgram } from './random-program.ts';

const EDGES = [0, 1, 2, 2 ** 20 - 2, 2 ** 20 - 1];
const BEYOND = [2 ** 20, 2 ** 20 + 1, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53];
const NONE = [0.5, 1.5, -0, -1, -8, -(2 ** 31), Number.NaN, Infinity, -Infinity, 1e300, 1e-300];

/** What the hardware counts, and what a word of a state holds. */
const [COUNTED, WORD] = [2 ** 20 - 1, 2 ** 30 - 1];
/** Numbers of statements that only count, and name nothing: the largest that is one. */
const NUMBERS: Readonly<Record<string, number>> = {
  phase: WORD,
  bit: 1,
  count: COUNTED,
  bytes: COUNTED,
  most: WORD,
  value: WORD,
  amount: WORD,
  units: WORD,
};
/** The same for declared numbers. */
const PLACES = {
  barrier: COUNTED,
  lanes: COUNTED,
  cell: WORD,
  total: Infinity,
  stages: WORD,
  // Of a stage that threads write; what copies bring is counted by their statements.
  bytes: Number.MAX_SAFE_INTEGER,
  capacity: WORD,
} as const;
type Place = keyof typeof PLACES;
/** A total that is larger than all others, for the dull search in the place of a huge one. */
const LARGE = 8;

export interface OddProgram {
  readonly program: DullProgram;
  /** Which number of all: taken modulo how many there are. */
  readonly at: number;
  /** Text, since JSON has no −0 and no NaN. */
  readonly odd: string;
}

export const oddProgram: fc.Arbitrary<OddProgram> = fc
  .record({
    program: rightProgram,
    at: fc.nat(9_999),
    odd: fc.constantFrom(...EDGES, ...BEYOND, ...NONE),
  })
  .map((one) => ({ ...one, odd: Object.is(one.odd, -0) ? '-0' : String(one.odd) }));

interface Changed {
  readonly program: DullProgram;
  readonly largest: number;
  /** The program that the dull search can take for it. */
  readonly searched: DullProgram;
  /** The program with a wait for ever in the place of the number's statement. */
  readonly stuck: DullProgram | null;
}

/** One variant for each number of a program. */
function variants(program: DullProgram, odd: number): (() => Changed)[] {
  const inBodies = program.roles.flatMap((role, at) =>
    everyStatement(role.body).flatMap((chosen) => {
      const isLoop = chosen.do === 'loop';
      const names = Object.keys(chosen).filter((name) => name in NUMBERS && !isLoop);
      const set = (next: Statement): DullProgram => {
        const body = replaced(role.body, chosen, next);
        return { ...program, roles: program.roles.with(at, { ...role, body }) };
      };
      const stuck: Statement = { do: 'syncNamed', id: 15, threads: 999 };
      return names.map((name) => () => {
        const changed = set({ ...chosen, [name]: odd } as Statement);
        const largest = NUMBERS[name]!;
        return { program: changed, searched: changed, largest, stuck: set(stuck) };
      });
    }),
  );
  return [
    ...inBodies,
    ...(Object.keys(PLACES) as Place[]).flatMap((place) => declared(program, place, odd)),
  ];
}

function declared(program: DullProgram, place: Place, odd: number): (() => Changed)[] {
  const each = <T>(list: readonly T[], change: (one: T, at: number) => DullProgram) =>
    list.map((one, at) => (): Changed => {
      const changed = change(one, at);
      const totals = changed.counts.map((total) => Math.min(total, LARGE));
      const searched = place === 'total' ? { ...changed, counts: totals } : changed;
      const largest = PLACES[place];
      return { program: changed, searched, largest, stuck: null };
    });
  const { barriers, roles, cells, counts, pools } = program;
  // A copy is what its original is.
  const rings = program.rings.some((one) => one.copyOf !== undefined) ? [] : program.rings;
  const of: Readonly<Record<Place, () => (() => Changed)[]>> = {
    barrier: () =>
      each(barriers, (one, at) => ({
        ...program,
        barriers: barriers.with(at, { ...one, count: odd }),
      })),
    lanes: () =>
      each(roles, (one, at) => ({ ...program, roles: roles.with(at, { ...one, lanes: odd }) })),
    cell: () => each(cells, (_, at) => ({ ...program, cells: cells.with(at, odd) })),
    total: () => each(counts, (_, at) => ({ ...program, counts: counts.with(at, odd) })),
    // Another number of stages moves the numbers of the barriers after the ring.
    stages: () =>
      odd > 0 && Number.isInteger(odd)
        ? []
        : each(rings, (one, at) => ({
            ...program,
            rings: rings.with(at, { ...one, stages: odd }),
          })),
    bytes: () =>
      each(program.roles.some(({ body }) => copies(body)) ? [] : rings, (one, at) => ({
        ...program,
        rings: rings.with(at, { ...one, bytes: odd }),
      })),
    capacity: () =>
      each(pools, (one, at) => ({ ...program, pools: pools.with(at, { ...one, capacity: odd }) })),
  };
  return of[place]();
}

function copies(body: Body): boolean {
  return everyStatement(body).some((one) => one.do === 'copy');
}

function replaced(body: Body, chosen: Statement, next: Statement): Body {
  return body.map((one) => {
    if (one === chosen) return next;
    return withBlocks(
      one,
      blocks(one).map((block) => replaced(block, chosen, next)),
    );
  });
}

const MAX_DULL_STATES = 300;
const BOUNDS = { maxStates: 20_000, maxEvents: 10_000, timeoutMs: 500 };

/** The program with its odd number in its place; as it is where it has no numbers. */
export function changedProgram({ program, at, odd }: OddProgram): DullProgram {
  const all = variants(program, Number(odd));
  return all.length === 0 ? program : all[at % all.length]!().program;
}

/** An error of input, an error that is real, or the right verdict; and nothing is thrown. */
export async function lookAtOdd(check: Checker, { program, at, odd }: OddProgram): Promise<Looked> {
  const value = Number(odd);
  const all = variants(program, value);
  if (all.length === 0) return { verdict: 'skipped', fault: '' };
  const changed = all[at % all.length]!();
  const verdict = await verdictOf(check, changed.program);
  if (verdict.startsWith('thrown')) return { verdict: 'thrown', fault: verdict };
  if (verdict === 'inconclusive') return { verdict, fault: '' };
  const isWhole = Number.isInteger(value) && !Object.is(value, -0);
  const isNumber = isWhole && Math.abs(value) <= changed.largest;
  if (verdict === 'refused') return { verdict, fault: '' };
  if (!isNumber) {
    if (verdict === 'counterexample') return { verdict: 'found', fault: '' };
    // It is right where no run comes to the number.
    const stuck = changed.stuck === null ? null : dullSearch(changed.stuck, MAX_DULL_STATES);
    const isWrong = stuck === null || stuck.verdict === 'counterexample';
    return { verdict, fault: isWrong ? `${verdict} with ${odd}` : '' };
  }
  const dull = dullSearch(changed.searched, MAX_DULL_STATES);
  if (dull.verdict === 'skipped') return { verdict: 'skipped', fault: '' };
  const rules = [...dull.rules].join(' ');
  const isSame = dull.verdict === verdict;
  return { verdict, fault: isSame ? '' : `${verdict} with ${odd}, not ${dull.verdict} (${rules})` };
}

async function verdictOf(check: Checker, program: DullProgram): Promise<string> {
  try {
    return (await check(toKernel(program), { memory: 'none', ...BOUNDS })).verdict;
  } catch (error) {
    return error instanceof InputError ? 'refused' : `thrown: ${String(error)}`;
  }
}
