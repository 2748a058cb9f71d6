// What the text of a kernel as built shows of arrivals that its roles did not make.
import type {
  ArrivalsOfText,
  ArrivalTarget,
  SkippedArrival,
} from '@poundlock/core/internal/program';
import type { ArrivalPlace } from '../exec/warp/arrival-address.ts';
import { inRank } from '../exec/warp/lane.ts';
import { laneCount } from '../values/lane-mask.ts';
import type { SkippedAt } from '../exec/machine/skipped-arrivals.ts';
import { Provenance } from '../flow/provenance.ts';
import { addressWith } from '../exec/warp/builder.ts';
import { arrives } from '../isa/questions.ts';
import type { PlannedBarrier } from '../lower/plan.ts';
import { positionOf } from '../places/place.ts';
import type { ReferenceRun, WarpSteps } from '../steps/run.ts';
import type { Step } from '../steps/step.ts';
import { LANES } from '../values/register-file.ts';
import { readableName } from '../text/names.ts';
import type { PtxFunction } from '../text/module.ts';

/** The most branches that are shown of one role. */
const MAX_BRANCHES = 3;

/** A run that was followed for arrivals that warps went past. */
export interface FollowedRun {
  readonly run: ReferenceRun;
  readonly events: readonly SkippedAt[];
  /** Its text without calls. */
  readonly code: PtxFunction;
}

/** What a run and its text show, for the roles and the barriers that it is lowered to. */
export class ArrivalsOfRun implements ArrivalsOfText {
  readonly #followed: FollowedRun;
  readonly #agents: readonly WarpSteps[];
  readonly #barriers: readonly PlannedBarrier[];
  readonly #steps: ReadonlyMap<string, readonly Step[]>;
  /** Names of variables that have an mbarrier at which something arrives; `null`: any may. */
  #variables: ReadonlySet<string> | null | undefined;

  constructor(
    followed: FollowedRun,
    agents: readonly WarpSteps[],
    barriers: readonly PlannedBarrier[],
  ) {
    this.#followed = followed;
    this.#agents = agents;
    this.#barriers = barriers;
    const { warps } = followed.run;
    this.#steps = new Map(warps.map(({ cta, warp, steps }) => [`${cta} ${warp}`, steps]));
  }

  has(_role: number, { kind, id }: ArrivalTarget): boolean | null {
    const { variables } = this.#followed.run;
    const offset = kind === 'barrier' ? this.#barriers[id]?.offset : undefined;
    if (this.#variables === undefined) this.#variables = variablesOf(this.#followed.code);
    if (offset === undefined || this.#variables === null) return null;
    const variable = variables.find(
      (one) => one.offset <= offset && offset < one.offset + one.size,
    );
    return variable === undefined ? null : this.#variables.has(readableName(variable.name));
  }

  skipped(role: number, target: ArrivalTarget): SkippedArrival[] {
    const { run, events } = this.#followed;
    const agent = this.#agents[role];
    const place = this.#placeOf(target);
    if (agent === undefined || place === null) return [];
    const lanes = lanesOf(agent);
    const last = this.#lastArrival(agent, lanes, place);
    const own = events.filter((event) => {
      const isOfAgent = event.cta === agent.cta && event.warp === agent.warp;
      const active = event.active & lanes;
      if (!isOfAgent || !isSame(event.place, place) || active === 0) return false;
      if ((active & ~event.lanes) === 0) return event.steps > last.at;
      // Some lanes have arrived, as all would have.
      return (event.lanes & lanes) !== 0 && last.lanes > 1 && event.steps >= last.at;
    });
    const places = Map.groupBy(own.toReversed(), ({ at, arrival }) => `${at} ${arrival}`);
    return [...places.values()]
      .map(([{ arrival, decided, isLoopEnd, active, lanes: gone }]) => {
        const branches = decided.map((one) => positionOf(run.places(one)));
        const isOfAll = (active & lanes & ~gone) === 0;
        return {
          arrival: positionOf(run.places(arrival)),
          branches,
          isLoopEnd,
          isSure: decided.length === 1,
          ...(isOfAll ? {} : { threads: laneCount(gone & lanes) }),
        };
      })
      .toSorted((one, other) => Number(one.isLoopEnd) - Number(other.isLoopEnd))
      .slice(0, MAX_BRANCHES);
  }

  #placeOf({ kind, id, cta }: ArrivalTarget): ArrivalPlace | null {
    if (kind === 'named') return { kind, at: id };
    const offset = this.#barriers[id]?.offset;
    return offset === undefined ? null : { kind, at: inRank(offset, cta) };
  }

  /** The step with which some lanes of a warp arrived last, −1 before that, and how many did. */
  #lastArrival({ cta, warp, threads }: WarpSteps, lanes: number, place: ArrivalPlace) {
    const steps = this.#steps.get(`${cta} ${warp}`) ?? [];
    const arriving = ({ lanes: by }: Step): number => (by ?? maskOf(threads)) & lanes;
    const at = steps.findLastIndex((step) => {
      return arriving(step) !== 0 && placesOf(step).some((one) => isSame(one, place));
    });
    return { at, lanes: at < 0 ? 0 : laneCount(arriving(steps[at]!)) };
  }
}

/** Where a step arrives, at once or as its work completes. */
function placesOf(step: Step): ArrivalPlace[] {
  if (step.op === 'named') return [{ kind: 'named', at: step.id }];
  if (step.op === 'commit') return step.barriers.map((at) => ({ kind: 'barrier', at }));
  if (step.op !== 'arrive' && step.op !== 'asyncArrive') return [];
  return [{ kind: 'barrier', at: step.barrier }];
}

function isSame(one: ArrivalPlace | null, other: ArrivalPlace): boolean {
  return one?.kind === other.kind && one.at === other.at;
}

/** The lanes that a role stands for, as a mask. */
function lanesOf({ strand, threads }: WarpSteps): number {
  if (strand !== undefined) return strand.lanes.reduce((mask, lane) => mask | (1 << lane), 0);
  return maskOf(threads);
}

function maskOf(threads: number): number {
  return threads >= LANES ? -1 : 2 ** threads - 1;
}

/** The variables that arrivals are derived from; `null` where one may be at any. */
function variablesOf(code: PtxFunction): ReadonlySet<string> | null {
  const provenance = new Provenance(code);
  const found = new Set<string>();
  for (const instruction of code.instructions) {
    if (!arrives(instruction) || instruction.effect.kind === 'barrier') continue;
    const names = provenance.variablesOf(addressWith(instruction, 'mbarrier'), instruction.index);
    if (names === null) return null;
    for (const name of names) found.add(readableName(name));
  }
  return found;
}
