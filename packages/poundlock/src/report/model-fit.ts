// Tables of a model that was fitted to a GPU: its errors beside those of its base, and its numbers.
import { PARAMETER_NAMES, PARAMETERS } from '../simulate/parameters.ts';
import type { ErrorSummary, GpuModel } from '../simulate/index.ts';
import { markdownTable, percent } from './calibration.ts';

/** A fitted model with the one it started from, and the errors of both on rows of no fit. */
export interface ModelFit {
  readonly base: GpuModel;
  readonly model: GpuModel;
  /** Of the base, then of the model. */
  readonly errors: readonly [readonly ErrorSummary[], readonly ErrorSummary[]];
}

const digits = (value: number): string => String(Number(value.toPrecision(5)));

/** How well the model predicts what its fit has not seen, and the numbers that it changed. */
export function modelTables({ base, model, errors: [before, after] }: ModelFit): string {
  const heading = ['rows of no fit', 'rows', `${base.name}: median`, 'p95'];
  const programs = before.map(({ kernel, runs, medianPercent, p95Percent }) => {
    const own = after.find((one) => one.kernel === kernel)!;
    const shares = [medianPercent, p95Percent, own.medianPercent, own.p95Percent];
    return [kernel, String(runs), ...shares.map(percent)];
  });
  const changed = PARAMETER_NAMES.filter((name) => {
    return base.parameters[name].source !== model.parameters[name].source;
  });
  const numbers = changed.map((name) => {
    const { value, source } = model.parameters[name];
    return [
      name,
      PARAMETERS[name].unit,
      digits(base.parameters[name].value),
      digits(value),
      source,
    ];
  });
  const parts = [
    markdownTable([[...heading, `${model.name}: median`, 'p95'], ...programs]),
    markdownTable([['parameter', 'unit', base.name, model.name, 'source'], ...numbers]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
