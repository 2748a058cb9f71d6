// How far a prediction can be trusted: by the measured programs that have the same mechanisms.
import type { LaunchRun } from './launch-run.ts';
import { MEASURED, type MeasuredProgram } from './measured-programs.ts';
import type { GpuModel } from './model.ts';

/** Launches of a size between those that were measured are interpolated. */
const MEASURED_CTAS = [1, 2] as const;

/** Sentences: the error of the nearest measured program, and what no measured program has. */
export function accuracyOf(run: LaunchRun, model: GpuModel): string[] {
  if (model.parameters.idleMegahertz.value === 0) return [];
  const table = MEASURED[model.name];
  if (table === undefined) {
    return [
      `the errors of the model ${model.name} are not known: \`poundlock calibrate\` prints them`,
    ];
  }
  const nearest = nearestProgram(run, table);
  const { medianPercent, p95Percent, program } = nearest;
  const error = `± ${medianPercent} % (median) and ± ${p95Percent} % (95 % of the rows)`;
  return [`error on the nearest measured program, ${program}: ${error}`, ...strangersOf(run)];
}

/** The measured program whose mechanisms are those of a run; the last one is the most common. */
function nearestProgram(run: LaunchRun, table: readonly MeasuredProgram[]): MeasuredProgram {
  const { units, program } = run.first;
  const kind = ((): MeasuredProgram['program'] => {
    if (program.ctas > 1) return 'multicast';
    if (units.clock.isHot) return 'tensor-core';
    if (units.storedBytes > 0) return 'store';
    if (program.declarations.launch.copies !== 'bulk') return 'tensormap';
    if (program.roles.some(({ waits }) => waits !== 'diverged')) return 'styles';
    return program.roles.length > 2 ? 'three-role' : 'two-role';
  })();
  return table.find((one) => one.program === kind)!;
}

/** What a run has that no measured program has. */
function strangersOf({ first, occupancy }: LaunchRun): string[] {
  const { program, units } = first;
  const { ctas, ctasPerSm, waves } = occupancy;
  const strangers: string[] = [];
  const isOne = MEASURED_CTAS.some((measured) => measured === ctas) || ctas === 132;
  if (!isOne) strangers.push(`${ctas} CTAs (1, 2 and 132 were measured)`);
  if (ctasPerSm > 1) strangers.push(`${ctasPerSm} CTAs on an SM`);
  if (waves > 1) strangers.push(`${waves} waves`);
  if (program.ctas > 2) strangers.push(`a cluster of ${program.ctas} CTAs`);
  if (units.clock.isHot && units.storedBytes > 0) strangers.push('stores beside tensor-core work');
  return strangers.length === 0 ? [] : [`not measured: ${strangers.join(', ')}`];
}
