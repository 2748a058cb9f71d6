// `calibrate TABLES… --out FILE.json`: the model of the measured GPU.
import { basename } from 'node:path';
import type { Host } from '@poundlock/core/internal/host';
import { Progress, writeAtomically } from '@poundlock/core/internal/host';
import { modelTables } from '../../report/index.ts';
import { deviceName, errorsOf, fitModel, costsOf, modelText } from '../../simulate/index.ts';
import {
  summarizeErrors,
  type ErrorSummary,
  type GpuModel,
  type ProgramCases,
} from '../../simulate/index.ts';
import type { Tables } from '../../simulate/index.ts';

/** What the command was asked for. */
export interface ModelRequest {
  readonly base: GpuModel;
  readonly rounds: number;
  readonly out: string;
}

/** Fits a model to the tables, writes it, and prints how well it predicts rows it has not seen. */
export function writeModel(
  tables: Tables,
  cases: ProgramCases,
  { base, rounds, out }: ModelRequest,
  host: Host,
): void {
  const progress = new Progress(host);
  const onRound = (group: string, round: number, loss: number): void => {
    const facts = [`loss ${loss.toFixed(5)}`];
    progress.update(`fitting ${group}`, [{ done: round, all: rounds, unit: 'round', facts }]);
  };
  const { model: fitted, others } = fitModel(tables, cases, base, { rounds, onRound });
  progress.clear();
  const name = basename(out, '.json')
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 40);
  const title = `${deviceName(tables) ?? 'GPU'}, calibrated`;
  const errors = (of: GpuModel) => summarizeErrors(others, errorsOf(others, costsOf(of)));
  const after = errors(fitted);
  const model: GpuModel = { ...fitted, name, title, caveat: null, errors: errorsByTable(after) };
  writeAtomically(out, host.cwd, modelText(model));
  host.stdout.write(modelTables({ base, model, errors: [errors(base), after] }));
  host.stdout.write(`\n${out}: written; use it with --model ${out}\n`);
}

/** What `simulate` prints error bars from: errors on rows that no fit has seen. */
function errorsByTable(errors: readonly ErrorSummary[]): NonNullable<GpuModel['errors']> {
  return Object.fromEntries(
    errors.map(({ kernel, medianPercent, p95Percent }) => {
      const both = [medianPercent, p95Percent].map((percent) => Number(percent.toFixed(2)));
      return [kernel.replaceAll('-', '_'), both as [number, number]];
    }),
  );
}
