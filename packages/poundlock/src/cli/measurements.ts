// Reads tables of measurements, NAME.csv, and the programs that were measured.
import { basename, join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { isThere, kindOf, type Host } from '@poundlock/core/internal/host';
import { casesOf, PROBES, PROGRAM_TABLES, PROGRAMS } from '../simulate/index.ts';
import type { MeasuredCase, ProgramTable, Tables } from '../simulate/index.ts';
import { loadKernel } from './load-kernel.ts';
import { caseError, readCases, type Cases } from './options/cases.ts';
import { planRuns } from './plan.ts';

const MEASURED = 'total_cycles';
/** Wrong words that the measured program has found in its tiles. */
const ERRORS = 'errors';
const KNOWN: readonly string[] = [...PROGRAM_TABLES, ...PROBES];

/** The tables of a command, by name. */
export type TableFiles = ReadonlyMap<string, Cases>;

/** The files of a folder's tables, or the one file. */
function filesOf(path: string, cwd: string): string[] {
  const kind = kindOf(resolve(cwd, path), path);
  if (kind === null) throw new InputError(`${path} does not exist`);
  if (kind !== 'folder') return [path];
  return KNOWN.map((name) => join(path, `${name}.csv`)).filter((file) =>
    isThere(resolve(cwd, file)),
  );
}

/** Reads the tables of folders and files; throws an InputError with the line of a mistake. */
export async function readTables(paths: readonly string[], cwd: string): Promise<TableFiles> {
  const tables = new Map<string, Cases>();
  for (const file of paths.flatMap((path) => filesOf(path, cwd))) {
    const name = basename(file, '.csv');
    if (!KNOWN.includes(name)) {
      throw new InputError(`${file} is none of the tables ${KNOWN.join(', ')}`);
    }
    if (tables.has(name)) throw new InputError(`${file}: the table ${name} is there twice`);
    tables.set(name, await readCases(file, cwd));
  }
  if (tables.size > 0) return tables;
  const names = PROGRAM_TABLES.map((table) => `${table}.csv`).join(', ');
  throw new InputError(`${paths.join(', ')} has none of ${names}`);
}

/** The rows of all tables by their columns. */
export function rowsOf(files: TableFiles): Tables {
  return new Map(
    [...files].map(([name, { header, rows }]) => [
      name,
      rows.map(({ line, cells }) => {
        return { line, cells: Object.fromEntries(header.map((title, at) => [title, cells[at]!])) };
      }),
    ]),
  );
}

/** The runs of one program, which `kernels` holds. */
async function casesIn(
  table: ProgramTable,
  cases: Cases,
  kernels: string,
  host: Host,
): Promise<readonly MeasuredCase[]> {
  const kernel = await loadKernel(join(kernels, `${PROGRAMS[table]}.ts`), host);
  const column = cases.header.indexOf(MEASURED);
  if (column < 0) throw caseError(cases.file, 1, `there is no column ${MEASURED}`);
  const wrong = cases.header.indexOf(ERRORS);
  const params = planRuns(kernel, { sets: new Map(), sweeps: [], cases });
  const runs = cases.rows.map(({ line, cells }, at) => {
    const measuredCycles = Number(cells[column]);
    if (!(measuredCycles > 0)) {
      throw caseError(cases.file, line, `${MEASURED} must be a number above 0`);
    }
    if (wrong >= 0 && Number(cells[wrong]) !== 0) {
      throw caseError(cases.file, line, 'this run had wrong words: its time says nothing');
    }
    return { params: params[at]!, measuredCycles };
  });
  return casesOf([{ kernel, runs }]);
}

/** The measured runs of every program that has both a table and a file. */
export async function readMeasurements(
  files: TableFiles,
  kernels: string,
  host: Host,
): Promise<ReadonlyMap<ProgramTable, readonly MeasuredCase[]>> {
  const present = PROGRAM_TABLES.filter((table) => {
    return files.has(table) && isThere(resolve(host.cwd, kernels, `${PROGRAMS[table]}.ts`));
  });
  if (present.length === 0) {
    throw new InputError(
      `${kernels} has no program of a measured table: go to the checkout of the repository, ` +
        `or name the folder of the programs with --kernels`,
    );
  }
  const read = await Promise.all(
    present.map(async (table) => {
      return [table, await casesIn(table, files.get(table)!, kernels, host)] as const;
    }),
  );
  return new Map(read);
}
