// All ways that unknown data may lead a kernel, as a finite number of runs that every other one is
// made of: docs/explanation/paths.md.
import { NoCut } from '../exec/machine/cuts.ts';
import type { Cuts } from '../exec/machine/cuts.ts';
import { RunBoundError } from '../exec/machine/execute.ts';
import { inStrands } from '../lanes/strands.ts';
import type { ExecutedRun, ReferenceRun } from '../steps/run.ts';
import type { AsyncUnit, Step } from '../steps/step.ts';
import { Graph } from './graph.ts';
import { Walk, Widened, Widening } from './walk.ts';

/** How many values a register may have at one question before it counts as any: tried in turn. */
const MOST_VALUES = [3, 12] as const;
/** The most runs of one attempt, and how often registers may be widened. */
const MAX_RUNS = 48;
const MAX_STATES = 512;

/** Runs the kernel with the answers of cuts. */
export type RunWith = (answers: { readonly cuts: () => Cuts }) => ExecutedRun;

/** Runs that follow every way between the states of a kernel; `null` if no end of them is seen. */
export function closedWays(first: ExecutedRun, run: RunWith): readonly ExecutedRun[] | null {
  const unknown = addressesOf(first);
  let coarse: readonly ExecutedRun[] | null = null;
  for (const most of MOST_VALUES) {
    const found = attempt(run, new Widening(most));
    if (found === null || !areLanesAlike(found)) continue;
    // Where a widened register is part of an address, more values of it may say what it is.
    if (found.every((each) => [...addressesOf(each)].every((at) => unknown.has(at)))) return found;
    coarse ??= found;
  }
  return coarse;
}

/** Instructions whose addresses are unknown data. */
function addressesOf({ assumptions, warps }: ExecutedRun): ReadonlySet<number> {
  const found = assumptions.flatMap(({ at, isOfAddress }) => (isOfAddress === true ? [at] : []));
  for (const { steps } of warps)
    for (const step of steps)
      if (step.op === 'access' && step.unknown === 'some') found.push(step.at);
  return new Set(found);
}

function attempt(run: RunWith, widening: Widening): ExecutedRun[] | null {
  let graph = new Graph();
  let runs: ExecutedRun[] = [];
  for (let left = MAX_RUNS; left > 0; left--) {
    let walk: Walk | null = null;
    const cuts = (): Cuts => (walk = new Walk(graph, widening));
    try {
      const executed = run({ cuts });
      const isStuck = executed.warps.some(({ stuck }) => stuck !== null);
      if (isStuck || executed.undecided.length > 0) return null;
      walk!.end();
      runs.push(executed);
    } catch (error) {
      if (error instanceof NoCut || error instanceof RunBoundError) return null;
      if (!(error instanceof Widened)) throw error;
      graph = new Graph();
      runs = [];
      continue;
    }
    if (graph.size > 0 && graph.isClosed) return runs;
    if (graph.size > MAX_STATES) return null;
  }
  return null;
}

/**
 * Whether the lanes that issue work on a unit decide nothing: a way may have what is on one run and
 * what is on another, so that its lanes are those of all runs.
 */
function areLanesAlike(runs: readonly ExecutedRun[]): boolean {
  const issuers = runs[0]!.warps.map(() => new Map<AsyncUnit, number>());
  for (const { warps } of runs)
    for (const [index, { steps }] of warps.entries())
      for (const step of steps)
        if (step.op === 'use') {
          const lanes = issuers[index]!;
          lanes.set(step.unit, (lanes.get(step.unit) ?? 0) | (step.lanes ?? -1));
        }
  return runs.every((run) => {
    const warps = run.warps.map((warp, index) => {
      const more = [...issuers[index]!].flatMap(([unit, lanes]): Step[] => [
        { op: 'join', at: 0 },
        { op: 'use', at: 0, unit, lanes, reads: [], writes: [] },
      ]);
      return { ...warp, steps: [...warp.steps, ...more] };
    });
    return strandsOf(run) === strandsOf({ ...run, warps });
  });
}

/** How lanes are divided, as a text. */
function strandsOf(run: ReferenceRun): string {
  const { warps, faults } = inStrands(run);
  return JSON.stringify([warps.map(({ warp, strand }) => [warp, strand ?? null]), faults]);
}
