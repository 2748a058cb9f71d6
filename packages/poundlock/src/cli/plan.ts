// Expands --set, --sweep and --cases to the parameter sets of the checks of a kernel.
import { InputError } from '@poundlock/core/internal/base';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import { requireParameter, resolveParameters } from '@poundlock/core/internal/program';
import type { Kernel, Overrides, ResolvedParameters } from '@poundlock/core/internal/program';
import { grouped } from '../report/index.ts';
import { camelCase, caseError, type CaseRow, type Cases } from './options/cases.ts';
import type { Sweep } from './options/sweep.ts';

/** The most results of one command. */
export const MAX_RUNS = 100_000;

/** The parameters that the user requests for every kernel. */
export interface Request {
  readonly sets: ReadonlyMap<string, ParameterValue>;
  readonly sweeps: readonly Sweep[];
  readonly cases?: Cases | undefined;
}

/** The overrides of every row: columns named like a parameter; empty cells keep the default. */
function rowOverrides(kernel: Kernel, cases: Cases): (readonly [CaseRow, Overrides])[] {
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
function combinations(sweeps: readonly Sweep[]): Overrides[] {
  return sweeps.reduce<Overrides[]>(
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
    `--sweep and --cases request ${grouped(number)} checks, the maximum is ${most}`,
  );
}

/**
 * The parameters of every check of `kernel`, in order: row by row, and in each the sweeps with the
 * last one fastest. --set and --sweep win over a row's cell.
 */
export function planRuns(
  kernel: Kernel,
  { sets, sweeps, cases }: Request,
): readonly ResolvedParameters[] {
  const fixed = Object.fromEntries(sets);
  for (const name of sets.keys()) requireParameter(kernel, name);
  for (const { name } of sweeps) requireParameter(kernel, name);
  const both = sweeps.find(({ name }) => sets.has(name));
  if (both !== undefined) throw new InputError(`--set and --sweep both give ${both.name}`);
  const base = resolveParameters(kernel, fixed);

  const rows = cases === undefined ? [] : rowOverrides(kernel, cases);
  mustBeFew(Math.max(1, rows.length), sweeps);
  const swept = combinations(sweeps);
  if (cases === undefined) return swept.map((values) => base.change(values));
  return rows.flatMap(([{ line }, cells]) =>
    swept.map((values) => {
      return ofRow({ file: cases.file, line }, () => {
        return resolveParameters(kernel, { ...cells, ...fixed, ...values });
      });
    }),
  );
}

/** An error of a row is shown at its line. */
function ofRow({ file, line }: { file: string; line: number }, resolve: () => ResolvedParameters) {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof InputError) || error.position) throw error;
    throw caseError(file, line, error.message);
  }
}
