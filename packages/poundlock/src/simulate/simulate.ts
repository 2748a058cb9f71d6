// Simulates a kernel and collects the result.
import type {
  DeviceUse,
  Parameters,
  PathShare,
  RingUse,
  RoleTime,
  StalledLine,
  Timeline,
  TimelineSpan,
} from '@poundlock/core/internal/finding';
import { option, optionTable, requireOptions } from '@poundlock/core/internal/base';
import type { OptionsOf, Position } from '@poundlock/core/internal/base';
import type { Machine } from '@poundlock/core/internal/machine';
import type { Unit } from '@poundlock/core/internal/op';
import { Program, Unfolding } from '@poundlock/core/internal/program';
import type { Kernel, KernelParameters, StepId, Steps } from '@poundlock/core/internal/program';
import { layOutSystem } from '@poundlock/core/internal/system';
import { issuedTimeOf } from './domain.ts';
import { issuedUseOf } from './issue/issued-use.ts';
import { criticalPath, pathShares } from './critical-path.ts';
import { RoleStepSource } from './step-source.ts';
import { costsOf, gpuModel, type Costs, type GpuModel } from './model.ts';
import type { Observer } from './observer.ts';
import { DEFAULT_MAX_SPANS, Recording, type Span } from './recording.ts';
import type { PreparedProgram } from './prepared.ts';
import { deviceUseOf } from './device-use.ts';
import { runLaunch } from './launch-run.ts';
import { impossibleWork, missingUnits } from './regime.ts';
import { limitsOf } from './residency.ts';
import { lastRole } from './sm-run.ts';
import { contextOf, StepGraph } from './step-graph.ts';
import { Statistics } from './statistics.ts';

const SIMULATE = optionTable({
  /** The GPU model. */
  model: gpuModel,
  /** Kernel parameters that differ from their defaults. */
  params: option.checkedLater<KernelParameters>(),
  /** The seed of random latencies; 1 unless specified. */
  seed: option.amount,
  /** The most operations to record for the timeline; 0 records none. 200,000 unless specified. */
  maxSpans: option.amount,
  /**
   * Makes an observer of the first CTA, or of the first cluster.
   *
   * @internal
   */
  observe: option.internal(option.callable<(program: Program) => Observer>()),
});

/** Options of {@link simulate}. */
export interface SimulateOptions extends OptionsOf<typeof SIMULATE, 'model'> {}

/** The result of simulating one kernel with one set of parameters. */
export interface SimulateResult {
  /** The kernel's name. */
  readonly kernel: string;
  /** All parameters, with their defaults. */
  readonly params: Parameters;
  /** The name of the GPU model. */
  readonly model: string;
  /** The model's warning, if any. */
  readonly caveat: string | null;
  /** When the role marked `measured` ended, else the last one, in cycles. */
  readonly totalCycles: number;
  /** Why no GPU of the model can run it, as sentences. */
  readonly limits: readonly string[];
  /** Its duration, and what it made of the GPU. */
  readonly device: DeviceUse;
  /** How long each role worked and stalled. */
  readonly roles: readonly RoleTime[];
  /** How full each ring was. */
  readonly rings: readonly RingUse[];
  /** The lines at which roles stalled, the longest stalls first. */
  readonly lines: readonly StalledLine[];
  /** The critical path by role and unit, the largest share first. */
  readonly criticalPath: readonly PathShare[];
  /** The run operation by operation; `null` if `maxSpans` is 0. */
  readonly recording: Timeline | null;
  /**
   * The line of an operation of the recording, for the first 64 operations of the program text.
   *
   * @internal
   */
  readonly placeOf: (span: TimelineSpan) => Position | undefined;
  /** How many events were simulated. */
  readonly stats: { readonly events: number };
}

/** A program whose roles run from their generators, and the graph of their steps. */
export interface PreparedInPlace extends PreparedProgram {
  readonly steps: Steps;
  /** Its units by number, of which more become known as it runs. */
  readonly units: readonly Unit[];
}

/** Cache of prepared programs: a program that is predicted repeatedly is unfolded once. */
const preparedPrograms = new WeakMap<Program, PreparedInPlace>();

/** Prepares a program to run from the generators of its roles. */
export function prepareInPlace(program: Program): PreparedInPlace {
  const before = preparedPrograms.get(program);
  if (before !== undefined) return before;
  const { layout, machine } = layOutSystem(program);
  const rings = contextOf(program, layout, machine);
  const steps = new Unfolding(program, machine);
  const graph = new StepGraph(steps, rings);
  const { resolver } = steps;
  const sources = () =>
    program.roles.map((_, role) => new RoleStepSource(rings, role, graph, resolver));
  const { mechanisms } = rings;
  const { units } = resolver;
  const prepared = { program, layout, machine, mechanisms, steps, units, sources };
  preparedPrograms.set(program, prepared);
  return prepared;
}

/** Prepares a program to play back lists of steps: recorded ones, possibly edited. */
export function preparePlayback(
  program: Program,
  makeSteps: (program: Program, machine: Machine) => Steps,
): PreparedProgram {
  const { layout, machine } = layOutSystem(program);
  const rings = contextOf(program, layout, machine);
  const steps = makeSteps(program, machine);
  const graph = new StepGraph(steps, rings);
  const sources = () =>
    program.roles.map((_, role) => new RoleStepSource(rings, role, graph, null));
  return { program, layout, machine, mechanisms: rings.mechanisms, sources };
}

/** A program with the time of the instructions between its operations, where that is known. */
export function timedProgram(kernel: Kernel, model: GpuModel, params?: KernelParameters): Program {
  const timed = kernel.timed?.(costsOf(model));
  if (timed !== undefined) {
    const program = Program.together(timed, params);
    if ((timed.timing?.(program.params) ?? null) !== null) return program;
  }
  return Program.together(kernel, params);
}

/**
 * Predicts only the total time of a kernel, for sweeps and calibrations.
 *
 * @throws NotTimedError for a kernel as built most of which the model has no price for.
 */
export function predict(program: Program, model: GpuModel, seed = 1): number {
  const costs = costsOf(model);
  const launched = runLaunch(prepareInPlace(program), { costs, seed });
  return issuedTimeOf(program, launched, costs)?.cycles ?? launched.totalCycles;
}

/** What a prediction draws latencies from, and what watches the run. */
interface RunOptions {
  readonly seed?: number;
  readonly observer?: Observer;
}

/** Predicts the total time with the parameters of a model that is being fitted. */
export function predictWith(program: Program, costs: Costs, options: RunOptions = {}): number {
  const { seed = 1, observer = null } = options;
  return runLaunch(prepareInPlace(program), { costs, seed, observer }).totalCycles;
}

/** The total time of a prepared program. */
export function cyclesOf(prepared: PreparedProgram, costs: Costs, seed = 1): number {
  return runLaunch(prepared, { costs, seed }).totalCycles;
}

/**
 * Simulates a kernel on the model of a GPU.
 *
 * @throws InputError if the kernel cannot be executed, deadlocks, or breaks a rule of the machine.
 * @throws NotTimedError for a kernel as built most of which the model has no price for.
 *
 * @example
 * import { kernel, mma, pipeline, role, tma } from 'poundlock';
 * import { MODELS, simulate } from 'poundlock/simulate';
 *
 * const one = kernel('one', {}, () => {
 *   const ab = pipeline('ab', { stages: 1, bytes: 1024 });
 *   return [
 *     role('load', function* () {
 *       using slot = yield* ab.produce();
 *       tma.load(slot);
 *     }),
 *     role('mma', function* () {
 *       using tile = yield* ab.consume();
 *       mma.issue(tile, [], { cycles: 128 });
 *       yield* mma.waitGroup(0);
 *     }),
 *   ];
 * });
 * const { totalCycles, roles } = simulate(one, { model: MODELS.h200 });
 * console.log(totalCycles > 128, roles.length); // true 2
 */
export function simulate(kernel: Kernel, options: SimulateOptions): SimulateResult {
  requireOptions('simulate()', SIMULATE, options);
  const { model, params, seed = 1, maxSpans = DEFAULT_MAX_SPANS } = options;
  const program = timedProgram(kernel, model, params);
  const prepared = prepareInPlace(program);
  const statistics = new Statistics(program);
  const recording = maxSpans > 0 ? new Recording(program, prepared.units, maxSpans) : null;
  const own = recording === null ? statistics : new ObserverPair(statistics, recording);
  const other = options.observe?.(program);
  const observer = other === undefined ? own : new ObserverPair(own, other);
  const costs = costsOf(model);
  const launched = runLaunch(prepared, { costs, seed, observer });
  const issued = issuedTimeOf(program, launched, costs);
  const { first: simulation } = launched;
  const names = program.roles.map(({ name }) => name);
  const last = lastRole(simulation);
  if (recording !== null)
    recording.path = criticalPath(recording, { role: last, time: simulation.ends[last]! });
  let lines: readonly StalledLine[] | undefined;
  return {
    kernel: kernel.name,
    params: program.params,
    model: model.name,
    caveat: model.caveat,
    totalCycles: Math.round(issued?.cycles ?? launched.totalCycles),
    limits: [
      ...limitsOf(program, costs),
      ...impossibleWork(prepared.mechanisms.regime, program, costs),
      ...missingUnits(prepared.mechanisms.regime, prepared.units, costs),
    ],
    device:
      issued === null
        ? deviceUseOf(launched, prepared.mechanisms, model)
        : issuedUseOf(issued, launched, model),
    roles: statistics.roles(),
    rings: statistics.rings(),
    // Looking up the lines costs as much as a short simulation: only for those who read them.
    get lines() {
      return (lines ??= stalledLines(statistics, names, prepared.steps));
    },
    criticalPath: recording === null ? [] : pathShares(recording, names),
    recording,
    placeOf: placesIn(prepared.steps),
    stats: { events: simulation.events },
  };
}

/** The most steps whose source position is looked up: each lookup runs a role again. */
const MAX_LINES = 64;

/** The lines of operations, each of which is looked up once. */
function placesIn(steps: Steps): SimulateResult['placeOf'] {
  const known = new Map<StepId, Position | undefined>();
  return (span) => {
    const { step } = span as Span;
    if (!known.has(step) && known.size < MAX_LINES) known.set(step, steps.position(step));
    return known.get(step);
  };
}

/** Stalls by source line: a line may be several steps, such as one for each stage. */
function stalledLines(statistics: Statistics, roles: readonly string[], of: Steps): StalledLine[] {
  const lines = new Map<string, { -readonly [K in keyof StalledLine]: StalledLine[K] }>();
  for (const { role, step, cause, times, cycles } of statistics
    .stalledSteps()
    .slice(0, MAX_LINES)) {
    const position = of.position(step);
    const key = `${role} ${cause} ${position?.file}:${position?.line}:${position?.column}`;
    const line = lines.get(key) ?? { role: roles[role]!, cause, times: 0, cycles: 0, ...position };
    line.times += times;
    line.cycles = Math.round(line.cycles + cycles);
    lines.set(key, line);
  }
  return [...lines.values()].toSorted((a, b) => b.cycles - a.cycles);
}

/** Forwards every event to two observers. */
class ObserverPair implements Observer {
  readonly #one: Observer;
  readonly #other: Observer;

  constructor(one: Observer, other: Observer) {
    this.#one = one;
    this.#other = other;
  }

  started(...event: EventArguments<'started'>): void {
    this.#one.started(...event);
    this.#other.started(...event);
  }

  performed(...event: EventArguments<'performed'>): void {
    this.#one.performed(...event);
    this.#other.performed(...event);
  }

  computed(...event: EventArguments<'computed'>): void {
    this.#one.computed(...event);
    this.#other.computed(...event);
  }

  ended(...event: EventArguments<'ended'>): void {
    this.#one.ended(...event);
    this.#other.ended(...event);
  }

  flightIssued(...event: EventArguments<'flightIssued'>): void {
    this.#one.flightIssued(...event);
    this.#other.flightIssued(...event);
  }

  flightCompleted(...event: EventArguments<'flightCompleted'>): void {
    this.#one.flightCompleted(...event);
    this.#other.flightCompleted(...event);
  }

  phaseCompleted(...event: EventArguments<'phaseCompleted'>): void {
    this.#one.phaseCompleted(...event);
    this.#other.phaseCompleted(...event);
  }
}

type EventArguments<K extends keyof Observer> = Observer[K] extends (...event: infer T) => void
  ? T
  : never;
