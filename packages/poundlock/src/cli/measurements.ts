// Reads tables of measurements: NAME.csv next to the measured kernels.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { MeasuredKernel } from '../simulate/index.ts';
import type { Host } from '@poundlock/core/internal/host';
import { loadKernel } from './load-kernel.ts';
import { caseError, readCases } from './options/cases.ts';
import { planRuns } from './plan.ts';

/** The measured programs; `two_role.csv` has the measurements of `two-role.ts`. */
const TABLES = ['two_role', 'three_role', 'release_order', 'tensor_core'];
const MEASURED = 'total_cycles';

/** Throws an InputError with the line of a table that is malformed. */
export async function readMeasurements(
  directory: string,
  kernels: string,
  host: Host,
): Promise<MeasuredKernel[]> {
  const present = TABLES.filter((table) =>
    existsSync(resolve(host.cwd, directory, `${table}.csv`)),
  );
  if (present.length === 0) {
    const names = TABLES.map((table) => `${table}.csv`).join(', ');
    throw new InputError(`${directory} has none of ${names}`);
  }
  return Promise.all(
    present.map(async (table) => {
      const cases = await readCases(join(directory, `${table}.csv`), host.cwd);
      const kernel = await loadKernel(join(kernels, `${table.replace('_', '-')}.ts`), host);
      const column = cases.header.indexOf(MEASURED);
      if (column < 0) throw caseError(cases.file, 1, `there is no column ${MEASURED}`);
      const params = planRuns(kernel, { sets: new Map(), sweeps: [], cases });
      const runs = cases.rows.map(({ line, cells }, at) => {
        const measuredCycles = Number(cells[column]);
        if (measuredCycles > 0) return { params: params[at]!, measuredCycles };
        throw caseError(cases.file, line, `${MEASURED} must be a number above 0`);
      });
      return { kernel, runs };
    }),
  );
}
