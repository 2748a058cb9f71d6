// How far a prediction can be trusted: by the measured programs that have the same mechanisms.
import { grouped } from '@poundlock/core/internal/base';
import type { Timing } from '@poundlock/core/internal/program';
import { ATTENTION_ERRORS } from './attention-errors.ts';
import { BUILT_ERRORS } from './built-errors.ts';
import type { IssuedErrors } from './issue/issued-use.ts';
import type { LaunchRun } from './launch-run.ts';
import { ONE_ROLE_ERRORS } from './one-role-errors.ts';
import { PIPELINE_ERRORS } from './pipeline-errors.ts';
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
  const { kernel, params } = run.first.program;
  const timing = kernel.timing?.(params) ?? null;
  if (kernel.reference !== undefined && timing === null) {
    return ['error: not known: the instructions between the operations of this run have no prices'];
  }
  if (timing !== null) {
    return accuracyOfBuilt(run, mechanisms, { name, parameters, timing });
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

const ESTIMATE =
  'the time between operations is an estimate: ptxas fuses, moves and deletes instructions of PTX';

function beginning(nextLaunchNanoseconds: number): string {
  const micro = (nextLaunchNanoseconds / 1000).toFixed(1);
  return `from its first instruction on, which comes ${micro} µs after the launch before has ended`;
}

/** Pipelines of public libraries, and the errors of their launches by model. */
interface Pipelines {
  readonly which: string;
  readonly of: Readonly<Record<string, IssuedErrors>>;
}

/** The pipelines that were measured and are most like a kernel. */
function pipelinesLike({ hasOneRole }: Mechanisms, { hasChainedProducts }: Timing): Pipelines {
  if (hasOneRole) return { which: "Triton's products and attention", of: ONE_ROLE_ERRORS };
  if (hasChainedProducts) return { which: 'FlashAttention-3', of: ATTENTION_ERRORS };
  return { which: "CUTLASS's products", of: PIPELINE_ERRORS };
}

/** The same for a kernel read from PTX, by the measured ones that were read from PTX, too. */
function accuracyOfBuilt(
  run: LaunchRun,
  mechanisms: Mechanisms,
  of: Pick<GpuModel, 'name' | 'parameters'> & { readonly timing: Timing },
): string[] {
  const { name, parameters } = of;
  const { unpriced } = of.timing;
  const errors: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> =
    BUILT_ERRORS;
  const measured = ofChip(name, errors[name] ?? {});
  const notes = [
    beginning(parameters.nextLaunchNanoseconds.value),
    ESTIMATE,
    ...(unpriced.length === 0 ? [] : [`instructions without a price: ${unpriced.join(', ')}`]),
  ];
  const { which, of: launched } = pipelinesLike(mechanisms, of.timing);
  const known = launched[name];
  if (known !== undefined && run.first.program.declarations.launch.copies === 'tensor') {
    const { launches, medianPercent, mostPercent } = known;
    const error = `± ${medianPercent} % (median) and ± ${mostPercent} % (90 %)`;
    return [`error: ${error}, on ${launches} launches of ${which}, with their launch`, ...notes];
  }
  if (measured.length === 0)
    return ['error: not known: no kernel from PTX was measured on it', ...notes];
  const { program, lacks } = nearest(usedBy(run, mechanisms), measured);
  const { medianPercent, p95Percent, table } = program;
  const error = `± ${medianPercent} % (median) and ± ${p95Percent} % (95 % of the rows)`;
  const strangers = [
    ...lacks.map((one) => MECHANISMS[one]),
    ...strangersOf(run, parameters.multiprocessors.value),
    ...mechanisms.regime.strangers(0),
  ];
  return [
    `error on the nearest measured program read from PTX, ${table}: ${error}`,
    ...(strangers.length === 0 ? [] : [`not measured with it: ${strangers.join(', ')}`]),
    ...notes,
  ];
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
  return nearest(used, [
    ...own.map((program) => ({ chip: name, program })),
    ...others.map((program) => ({ chip: other, program })),
  ]);
}

type OfChip = Omit<Nearest, 'lacks'>;

function ofChip(
  chip: string,
  errors: Readonly<Record<string, readonly [number, number]>>,
): OfChip[] {
  return programsOf(errors).map((program) => ({ chip, program }));
}

function nearest(used: ReadonlySet<Mechanism>, programs: readonly OfChip[]): Nearest {
  const all = programs.map(({ chip, program }) => {
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
