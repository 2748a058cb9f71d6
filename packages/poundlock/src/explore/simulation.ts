// A simulated run as data for a page: the timeline, the stalls, and what other choices would cost.
import { formatPosition, InputError } from '@poundlock/core/internal/base';
import type {
  PathShare,
  Proposal,
  RingUse,
  RoleTime,
  StalledLine,
  TimelineSpan,
} from '@poundlock/core/internal/finding';
import { Program, resolveParameters } from '@poundlock/core/internal/program';
import type { Kernel } from '@poundlock/core/internal/program';
import { advise, stageParameters } from '../advise/index.ts';
import { MODELS, predict, simulate, type ModelName } from '../simulate/index.ts';
import type { DrawnTimeline } from '../report/timeline/bars.ts';
import type { Values } from './state.ts';

/** The most operations of a timeline that a page draws. */
const MAX_SPANS = 4000;
/** The greatest number of stages that is tried. */
const MAX_STAGES = 12;
/** Shared memory of an SM that a block can have, in bytes. */
const SMEM = 232_448;

/** A run on a model of a GPU. */
export interface ExploredSimulation {
  readonly model: ModelName;
  readonly title: string;
  readonly caveat: string | null;
  readonly totalCycles: number;
  readonly microseconds: number;
  /** Cycles of the first wave: what the lines are about. */
  readonly waveCycles: number;
  /** Why no GPU of the model can run it. */
  readonly limits: readonly string[];
  readonly roles: readonly RoleTime[];
  readonly rings: readonly RingUse[];
  readonly lines: readonly StalledLine[];
  readonly criticalPath: readonly PathShare[];
  /** Operations of roles and of units, as far as they are drawn, and what waits waited for. */
  readonly timeline: DrawnTimeline;
  readonly isTruncated: boolean;
}

/** The time of one number of stages; `null` where the kernel refuses or deadlocks with it. */
export interface StageTime {
  readonly value: number;
  readonly totalCycles: number | null;
}

/** What would be gained by other numbers of stages and other release points. */
export interface WhatIf {
  readonly currentCycles: number;
  /** By parameter. */
  readonly stages: readonly { readonly parameter: string; readonly times: readonly StageTime[] }[];
  /** Certified changes of release points and orders, the fastest first. */
  readonly releases: readonly Proposal[];
  /** Why there are none. */
  readonly limit: string | null;
}

/** Simulates a kernel. */
export function simulated(
  kernel: Kernel,
  params: Values,
  name: ModelName,
  named: (file: string) => string,
): ExploredSimulation {
  const model = MODELS[name];
  const found = simulate(kernel, { model, params });
  const { spans = [], flights = [], signals = [], path = [] } = found.recording ?? {};
  // The timeline ends where the last operation does that is drawn.
  const until = spans[MAX_SPANS]?.start ?? Infinity;
  const placed = (span: TimelineSpan) => {
    const place = found.placeOf(span);
    if (place === undefined) return span;
    return { ...span, place: { file: named(place.file), line: place.line } };
  };
  const drawn = spans.slice(0, MAX_SPANS);
  const late = flights.findIndex(({ start }) => start >= until);
  const timeline: DrawnTimeline = {
    spans: drawn.map(placed),
    // Named by their indices: the first ones.
    flights: flights.slice(0, Math.min(MAX_SPANS, late < 0 ? MAX_SPANS : late)),
    signals: signals.slice(0, 1 + drawn.reduce((most, { signal }) => Math.max(most, signal), -1)),
    path: path.filter(({ start }) => start < until),
  };
  return {
    model: name,
    title: model.title,
    caveat: found.caveat,
    totalCycles: found.totalCycles,
    microseconds: found.device.microseconds,
    waveCycles: found.device.waveCycles,
    limits: found.limits,
    roles: found.roles,
    rings: found.rings,
    lines: found.lines,
    criticalPath: found.criticalPath,
    timeline,
    isTruncated: until !== Infinity || found.recording?.isTruncated === true,
  };
}

/** Predicts the times of other numbers of stages, and of the release points that are certified. */
export async function whatIf(
  kernel: Kernel,
  params: Values,
  name: ModelName,
  named: (file: string) => string,
): Promise<WhatIf> {
  const model = MODELS[name];
  const resolved = resolveParameters(kernel, params);
  const stages = stageParameters(kernel, resolved).map((parameter) => {
    const times = Array.from({ length: MAX_STAGES }, (_, index): StageTime => {
      const value = index + 1;
      return { value, totalCycles: cyclesWith({ ...params, [parameter]: value }) };
    });
    return { parameter, times };
  });
  const currentCycles = cyclesWith(params);
  if (currentCycles === null) throw new InputError('the kernel does not end: check says why');
  const { releases, limit } = await releasesOf();
  return { currentCycles, stages, releases, limit };

  function cyclesWith(values: Values): number | null {
    try {
      return predict(Program.together(kernel, resolveParameters(kernel, values)), model);
    } catch (error) {
      if (error instanceof InputError) return null;
      throw error;
    }
  }

  async function releasesOf(): Promise<Pick<WhatIf, 'releases' | 'limit'>> {
    try {
      const { proposals, limit } = await advise(kernel, {
        model,
        params,
        smem: SMEM,
        name: (place) => formatPosition({ ...place, file: named(place.file) }),
      });
      const legal = proposals.filter(({ kind, verdict, totalCycles }) => {
        return kind !== 'stages' && verdict === 'certified' && Number.isFinite(totalCycles);
      });
      return { releases: legal.toSorted((a, b) => a.totalCycles - b.totalCycles), limit };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { releases: [], limit: error.message };
    }
  }
}
