// The first cluster once more, with its accesses to global memory that bulk copies touch as well:
// threads and the async proxy need a fence between, and an open copy is a race.
import type { Launch } from '../../launch/launch.ts';
import { isGlobal } from '../../steps/step.ts';
import type { AccessStep, Ranges, Step } from '../../steps/step.ts';
import type { PtxFunction, PtxModule } from '../../text/module.ts';
import { execute } from '../machine/execute.ts';
import type { Execution, RunBounds } from '../machine/execute.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import { prepare } from '../warp/prepare.ts';
import { NO_PLANS } from './word-plan.ts';

/** A kernel, its launch, and the tensor maps in memory that it changes. */
interface Case {
  readonly module: PtxModule;
  readonly code: PtxFunction;
  readonly launch: Launch;
  readonly bounds: RunBounds;
  readonly maps: Iterable<string>;
}

/** The run with these accesses; `null` where there are none, or more than are followed. */
export function withCrossed(first: Execution, kernel: Case): Execution | null {
  const { crossing, faults, undecidedReasons } = first.machine;
  if (!crossing.isMet || faults.length + undecidedReasons.length > 0) return null;
  const { module, code, launch, bounds, maps } = kernel;
  const isFollowing = launch.earlier.length > 0;
  const program = prepare(code, module.file, { isGrid: true, isFollowing });
  const grid = { clusters: 1, plans: NO_PLANS, last: new Map() };
  const run = execute(module, program, launch, bounds, { maps, grid });
  const { machine, warps } = run;
  const all = warps.flatMap(({ steps }) => steps);
  const isOther = ({ op }: Step): boolean => op === 'signal' || op === 'poll';
  if (machine.undecidedReasons.length + machine.faults.length > 0 || all.some(isOther)) return null;
  const copied = all.flatMap(copiedBy);
  for (const warp of warps) {
    const crossed = warp.steps.flatMap((step) => crossedPart(step, copied, warp.lanes));
    warp.steps.splice(0, warp.steps.length, ...crossed);
  }
  return run;
}

/** The global memory that a bulk copy touches. */
function copiedBy(step: Step): number[] {
  const isBulk = step.op === 'copy' || (step.op === 'use' && step.unit === 'bulk');
  return isBulk
    ? pairsOf([...step.reads, ...step.writes])
        .filter(([from]) => isGlobal(from))
        .flat()
    : [];
}

function pairsOf(ranges: Ranges): [number, number][] {
  return ranges.flatMap((from, index) => (index % 2 === 0 ? [[from, ranges[index + 1]!]] : []));
}

/** A step without what it touches elsewhere in global memory. */
function crossedPart(step: Step, copied: Ranges, all: number): Step[] {
  if (step.op === 'use' && step.unit === 'cpAsync') return [{ ...step, reads: [] }];
  if (step.op !== 'access') return [step];
  const [from = 0] = step.reads.length > 0 ? step.reads : step.writes;
  return isGlobal(from) ? ofLanes(step, copied, all) : [step];
}

/** An access by those of its lanes that touch what is copied. */
function ofLanes(step: AccessStep, copied: Ranges, all: number): AccessStep[] {
  const places = pairsOf(copied);
  const makers = lanesOf(step.lanes ?? all);
  const part = (ranges: Ranges, index: number): Ranges => {
    const each = ranges.length / makers.length;
    return ranges.slice(index * each, (index + 1) * each);
  };
  const doesMeet = (_lane: number, index: number): boolean =>
    pairsOf([...part(step.reads, index), ...part(step.writes, index)]).some(([from, to]) =>
      places.some(([start, end]) => from < end && start < to),
    );
  const crossed = makers
    .map((lane, index) => ({ lane, index }))
    .filter(({ lane, index }) => doesMeet(lane, index));
  if (crossed.length === 0) return [];
  const of = (ranges: Ranges): number[] => crossed.flatMap(({ index }) => [...part(ranges, index)]);
  const lanes = crossed.reduce((mask, { lane }) => mask | (1 << lane), 0);
  const [reads, writes, values] = [of(step.reads), of(step.writes), of(step.values)];
  return [{ ...step, reads, writes, values, lanes }];
}
