// Which parameters a kernel is checked with: --set, --sweep and --cases together.
import { InputError } from '@poundlock/core/internal/base';
import type { Parameters } from '@poundlock/core/internal/finding';
import { resolveParameters, type Kernel } from '@poundlock/core/internal/program';
import { grouped } from '../report/index.ts';
import { nearest } from './nearest.ts';
import { camelCase, caseError, type CaseRow, type Cases } from './options/cases.ts';
import type { Sweep } from './options/sweep.ts';

/** The most results that one command is asked for. */
export const MAX_RUNS = 100_000;

/** What the user wants of every kernel. */
export interface Request {
  readonly sets: ReadonlyMap<string, string>;
  readonly sweeps: readonly Sweep[];
  readonly cases?: Cases | undefined;
}

/** One check: the raw overrides, and every parameter with its type. */
export interface Run {
  readonly overrides: Readonly<Record<string, string>>;
  readonly params: Parameters;
}

function mustKnow(kernel: Kernel, name: string): void {
  const known = Object.keys(kernel.defaults);
  if (known.includes(name)) return;
  const guess = nearest(name, known);
  const list = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  const help = guess === undefined ? list : `did you mean ${guess}? (${list})`;
  throw new InputError(`kernel ${kernel.name} has no parameter ${name}: ${help}`);
}

/** The overrides of every row: columns named like a parameter, empty cells left to the default. */
function rowOverrides(
  kernel: Kernel,
  cases: Cases,
): (readonly [CaseRow, Record<string, string>])[] {
  const known = Object.keys(kernel.defaults);
  const columns = cases.header.flatMap((title, at) => {
    const name = [title, camelCase(title)].find((one) => known.includes(one));
    return name === undefined ? [] : [{ name, title, at }];
  });
  if (columns.length === 0) {
    const list = known.length === 0 ? 'none' : known.join(', ');
    const message = `no column names a parameter of kernel ${kernel.name} (it has ${list})`;
    throw caseError(cases.file, 1, message);
  }
  const twice = columns.find(({ name }, at) => columns.findIndex((c) => c.name === name) !== at);
  if (twice !== undefined) {
    throw caseError(cases.file, 1, `two columns name the parameter ${twice.name}`);
  }
  return cases.rows.map((row) => {
    const cells = columns.map(({ name, at }) => [name, row.cells[at]!] as const);
    return [row, Object.fromEntries(cells.filter(([, cell]) => cell !== ''))] as const;
  });
}

/** The cross product of the sweeps. */
function combinations(sweeps: readonly Sweep[]): Record<string, string>[] {
  return sweeps.reduce<Record<string, string>[]>(
    (before, { name, values }) =>
      before.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

function mustBeFew(rows: number, sweeps: readonly Sweep[]): void {
  const number = sweeps.reduce((product, { values }) => product * values.length, rows);
  if (number <= MAX_RUNS) return;
  const most = grouped(MAX_RUNS);
  throw new InputError(
    `--sweep and --cases ask for ${grouped(number)} checks, the most is ${most}`,
  );
}

function resolved(
  kernel: Kernel,
  overrides: Run['overrides'],
  from?: { file: string; line: number },
) {
  try {
    return resolveParameters(kernel, overrides);
  } catch (error) {
    if (from === undefined || !(error instanceof InputError) || error.position) throw error;
    throw caseError(from.file, from.line, error.message);
  }
}

/**
 * Every check that is asked for of `kernel`, in order: row by row, and in each the sweeps with the
 * last one fastest. --set and --sweep win over a row's cell.
 */
export function planRuns(kernel: Kernel, { sets, sweeps, cases }: Request): Run[] {
  const fixed = Object.fromEntries(sets);
  for (const name of [...sets.keys(), ...sweeps.map((sweep) => sweep.name)]) mustKnow(kernel, name);
  const both = sweeps.find(({ name }) => sets.has(name));
  if (both !== undefined) throw new InputError(`--set and --sweep both give ${both.name}`);
  resolved(kernel, fixed);

  const rows = cases === undefined ? [undefined] : rowOverrides(kernel, cases);
  mustBeFew(rows.length, sweeps);
  const swept = combinations(sweeps);
  return rows.flatMap((row) =>
    swept.map((values) => {
      const overrides = { ...row?.[1], ...fixed, ...values };
      const from = row && cases && { file: cases.file, line: row[0].line };
      return { overrides, params: resolved(kernel, overrides, from) };
    }),
  );
}

/** The fewest overrides that give the same parameters: what a replay command has to name. */
export function neededOverrides(kernel: Kernel, { overrides, params }: Run): Parameters {
  const wanted = JSON.stringify(params);
  const needed: Record<string, string> = { ...overrides };
  for (const [name, value] of Object.entries(overrides)) {
    delete needed[name];
    if (JSON.stringify(resolveParameters(kernel, needed)) !== wanted) needed[name] = value;
  }
  return Object.fromEntries(
    Object.keys(params).flatMap((name) => (name in needed ? [[name, params[name]!]] : [])),
  );
}
