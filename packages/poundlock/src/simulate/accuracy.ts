// How far a prediction can be trusted: by the measured programs that have the same mechanisms.
import { grouped } from '@poundlock/core/internal/base';
import type { LaunchRun } from './launch-run.ts';
import { programsOf, STAND_IN, type MeasuredProgram } from './measured-programs.ts';
import { MECHANISMS, type Mechanism, type Mechanisms } from './mechanisms.ts';
import type { GpuModel } from './model.ts';

/** Launches that fill a part of the SMs are interpolated. */
const MEASURED_CTAS = 2;
/** The most of the measured launches. */
const MEASURED_ON_SM = 4;
const MEASURED_WAVES = 5;
/** What a measured program lacks says more against it than what it has beside. */
const LACKING = 2;

/** Sentences: the error of the nearest measured program, and what no measured program has. */
export function accuracyOf(
  run: LaunchRun,
  mechanisms: Mechanisms,
  { name, errors, parameters }: GpuModel,
): string[] {
  if (parameters.idleMegahertz.value === 0) return [];
  if (run.first.program.kernel.reference !== undefined) {
    return ['error: not known: a kernel that is read from PTX has no prices for its arithmetic'];
  }
  if (errors === undefined) {
    return [`the errors of the model ${name} are not known: \`poundlock calibrate\` prints them`];
  }
  const { chip, program, lacks } = nearestProgram(usedBy(run, mechanisms), name, errors);
  const { medianPercent, p95Percent, table } = program;
  const error = `± ${medianPercent} % (median) and ± ${p95Percent} % (95 % of the rows)`;
  const where = chip === name ? table : `${table} of the ${chip} model`;
  const { rings } = run.first.program.declarations;
  const stages = Math.max(0, ...rings.map((ring) => ring.stages));
  const strangers = [
    ...lacks.map((one) => MECHANISMS[one]),
    ...strangersOf(run, parameters.multiprocessors.value),
    ...mechanisms.regime.strangers(stages),
  ];
  return [
    `error on the nearest measured program, ${where}: ${error}`,
    ...(strangers.length === 0 ? [] : [`not measured with it: ${strangers.join(', ')}`]),
  ];
}

/** The mechanisms of a program, and those of its launch. */
function usedBy({ occupancy }: LaunchRun, mechanisms: Mechanisms): ReadonlySet<Mechanism> {
  const used = new Set(mechanisms.used());
  if (occupancy.ctasPerSm > 1) used.add('resident');
  if (occupancy.waves > 1) used.add('waves');
  return used;
}

/** A measured program, and the mechanisms of a run that it lacks. */
interface Nearest {
  readonly chip: string;
  readonly program: MeasuredProgram;
  readonly lacks: readonly Mechanism[];
}

/** The measured program whose mechanisms are most like those of a run; of equals, the worst. */
function nearestProgram(
  used: ReadonlySet<Mechanism>,
  name: string,
  errors: Readonly<Record<string, readonly [number, number]>>,
): Nearest {
  const own = programsOf(errors);
  const tables = new Set(own.map(({ table }) => table));
  const { chip: other } = STAND_IN;
  const others = programsOf(errors === STAND_IN.of ? STAND_IN.errors : {}).filter(
    ({ table }) => !tables.has(table),
  );
  const all = [
    ...own.map((program) => ({ chip: name, program })),
    ...others.map((program) => ({ chip: other, program })),
  ].map(({ chip, program }) => {
    const lacks = [...used].filter((one) => !program.mechanisms.has(one));
    const beside = [...program.mechanisms].filter((one) => !used.has(one));
    return { chip, program, lacks, distance: LACKING * lacks.length + beside.length };
  });
  return all.reduce((best, one) => {
    if (one.distance !== best.distance) return one.distance < best.distance ? one : best;
    return one.program.p95Percent > best.program.p95Percent ? one : best;
  });
}

/** What a launch has that no measured launch has. */
function strangersOf({ first: { program }, occupancy }: LaunchRun, sms: number): string[] {
  const { ctas, ctasPerSm, waves } = occupancy;
  const strangers: string[] = [];
  if (ctas > MEASURED_CTAS && ctas < sms) strangers.push(`${grouped(ctas)} CTAs`);
  if (ctasPerSm > MEASURED_ON_SM) strangers.push(`${ctasPerSm} CTAs on an SM`);
  if (waves > MEASURED_WAVES) strangers.push(`${grouped(waves)} waves`);
  if (program.ctas > 2) strangers.push(`a cluster of ${program.ctas} CTAs`);
  return strangers;
}
