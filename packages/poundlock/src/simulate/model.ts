// GPU models: named parameters with their units and sources, and what they cost at a clock.
import { option } from '@poundlock/core/internal/base';
import { PARAMETER_NAMES, type ParameterName } from './parameters.ts';

/** The name of a cost: memory's own time, in nanoseconds, becomes cycles of an SM. */
export type CostName<Name extends string> = Name extends `${infer Base}Nanoseconds`
  ? `${Base}Cycles`
  : Name extends `${infer Base}BytesPerNanosecond`
    ? `${Base}BytesPerCycle`
    : Name;

/** The numbers of a GPU model at one clock of its SMs, in their cycles. Names end with units. */
export type Costs = Readonly<Record<CostName<ParameterName>, number>>;

/** A number of a GPU model with its origin; {@link PARAMETERS} has its unit and its meaning. */
export interface GpuModelParameter {
  /** The number. */
  readonly value: number;
  /** Where it comes from: a measurement or a document. */
  readonly source: string;
}

/** The model of a GPU: what operations cost, and where each number comes from. */
export interface GpuModel {
  /** Its name on the command line. */
  readonly name: string;
  /** Its name in reports. */
  readonly title: string;
  /** A warning that every output shows if the numbers are not measured; else `null`. */
  readonly caveat: string | null;
  /**
   * By measured program (`two_role`, …): its errors on rows of it, in percent, the median and the
   * 95th percentile; what `simulate` prints its error bars from.
   */
  readonly errors?: Readonly<Record<string, readonly [number, number]>>;
  /** The numbers. */
  readonly parameters: Readonly<Record<ParameterName, GpuModelParameter>>;
}

/** What takes a model: one of `MODELS`, or one that `calibrate` wrote. */
export const gpuModel = option.object<GpuModel>(
  'a model of MODELS',
  (value) => 'parameters' in value,
);

/** A model without a clock counts its nanoseconds as cycles. */
const ONE_TO_ONE = 1000;
const TIME = /Nanoseconds$/;
const RATE = /BytesPerNanosecond$/;

/** The name of the cost that a parameter becomes. */
export function costNameOf(name: ParameterName): keyof Costs {
  return name.replace(TIME, 'Cycles').replace(RATE, 'BytesPerCycle') as keyof Costs;
}

/** The values of a model's parameters at a clock of the SM; the idle one unless specified. */
export function costsOf(model: GpuModel, megahertz?: number): Costs {
  const clock = megahertz ?? model.parameters.idleMegahertz.value;
  const perNanosecond = (clock || ONE_TO_ONE) / 1000;
  const costs = PARAMETER_NAMES.map((name): [string, number] => {
    const { value } = model.parameters[name];
    if (TIME.test(name)) return [name.replace(TIME, 'Cycles'), value * perNanosecond];
    if (RATE.test(name)) return [name.replace(RATE, 'BytesPerCycle'), value / perNanosecond];
    return [name, value];
  });
  const fixed = megahertz === undefined ? {} : { idleMegahertz: clock, tensorMegahertz: clock };
  return { ...Object.fromEntries(costs), ...fixed } as Costs;
}

/** The costs of memory that depend on the clock of the SM. */
const TIMES = PARAMETER_NAMES.filter((name) => TIME.test(name)).map(costNameOf);
const RATES = PARAMETER_NAMES.filter((name) => RATE.test(name)).map(costNameOf);

/** The costs of a kernel with tensor-core work at some clock of the SM. */
export function atMegahertz(costs: Costs, megahertz: number): Costs {
  const factor = costs.idleMegahertz === 0 ? 1 : megahertz / costs.idleMegahertz;
  const changed: Record<keyof Costs, number> = { ...costs };
  for (const name of TIMES) changed[name] *= factor;
  for (const name of RATES) changed[name] /= factor;
  changed.hbmLatencyCycles = costs.mmaHbmLatencyCycles * factor;
  return changed;
}

/** The same GPU when tensor-core work has lasted so long that its power limit sets the clock. */
export function atSustainedClock(model: GpuModel): GpuModel {
  const { sustainedMegahertz, loadMegahertz } = model.parameters;
  return {
    ...model,
    title: `${model.title}, sustained clock`,
    parameters: {
      ...model.parameters,
      tensorMegahertz: sustainedMegahertz,
      loadMegahertz: { ...loadMegahertz, value: 0 },
    },
  };
}
