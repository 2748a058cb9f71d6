// Changes that are tried: one instruction deleted, or several that are of use together only.
import type { StudiedRun } from '@poundlock/ptx/internal/redundancy/study';
import type { ReferenceRun } from '@poundlock/ptx/internal/steps/run';
import type { Step } from '@poundlock/ptx/internal/steps/step';
import type { Change, Site, SiteKind } from '@poundlock/ptx/internal/redundancy/sites';

/** Instructions that are deleted together. */
export interface Candidate {
  /** The first one is the one that is shown; others are its partners. */
  readonly sites: readonly Site[];
  readonly kind: SiteKind;
  readonly change: Change;
  /** How often the warp executes them that does so most often, at the first size. */
  readonly executions: number;
}

/** No change at all. */
export const UNCHANGED: Change = { deleted: new Set(), pending: new Map() };

/** All changes at once. */
export function together(changes: readonly Change[]): Change {
  return {
    deleted: new Set(changes.flatMap(({ deleted }) => [...deleted])),
    pending: new Map(changes.flatMap(({ pending }) => [...pending])),
  };
}

/** The change that deletes sites. */
export function deletion(sites: readonly Site[]): Change {
  return { deleted: new Set(sites.flatMap(({ at }) => at)), pending: new Map() };
}

/** Sets that are united step by step. */
class Union {
  readonly #parent = new Map<string, string>();

  find(key: string): string {
    let root = key;
    for (let next = this.#parent.get(root); next !== undefined; next = this.#parent.get(root))
      root = next;
    return root;
  }

  unite(one: string, other: string): void {
    const [a, b] = [this.find(one), this.find(other)];
    if (a !== b) this.#parent.set(b, a);
  }
}

function flat(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => (step.op === 'last' ? [step, ...flat(step.steps)] : [step]));
}

/** Sites whose executions meet in one round of a barrier: they can only go together. */
function uniteRounds(run: ReferenceRun, siteAt: ReadonlyMap<number, string>, union: Union): void {
  const barriers = roundsOf(run, siteAt);
  for (const [barrier, { warps, threads }] of barriers) {
    const lists = warps.filter((list) => list !== undefined);
    const [count = 0] = threads;
    // With as many warps as a round takes, the rounds of each warp are those of the barrier.
    const isInStep =
      !barrier.startsWith('named') || (threads.size === 1 && lists.length * 32 === count);
    const [first = []] = lists;
    for (const list of lists)
      for (const [round, site] of list.entries())
        union.unite(isInStep ? (first[round] ?? first[0]!) : first[0]!, site);
  }
  // A cluster barrier is an arrival and a wait.
  const arrivals = barriers.get('clusterArrive')?.warps[0] ?? [];
  const waits = barriers.get('clusterWait')?.warps[0] ?? [];
  for (const [round, site] of arrivals.entries())
    if (waits[round] !== undefined) union.unite(site, waits[round]);
}

/** For each warp the sites of its rounds in order, and the threads that a round takes. */
interface Rounds {
  readonly warps: string[][];
  readonly threads: Set<number>;
}

/** The rounds of each barrier. */
function roundsOf(run: ReferenceRun, siteAt: ReadonlyMap<number, string>): Map<string, Rounds> {
  const barriers = new Map<string, Rounds>();
  const note = (barrier: string, warp: number, at: number, threads: number): void => {
    const site = siteAt.get(at);
    if (site === undefined) return;
    let entry = barriers.get(barrier);
    if (entry === undefined) barriers.set(barrier, (entry = { warps: [], threads: new Set() }));
    (entry.warps[warp] ??= []).push(site);
    entry.threads.add(threads);
  };
  for (const [index, { cta, steps }] of run.warps.entries())
    for (const step of flat(steps)) {
      if (step.op === 'named') note(`named ${cta} ${step.id}`, index, step.at, step.threads);
      if (step.op === 'clusterArrive' || step.op === 'clusterWait')
        note(step.op, index, step.at, 0);
    }
  return barriers;
}

/** Changes of one line of the source: all of its instructions, and each by itself. */
export interface CandidateGroup {
  readonly whole: Candidate;
  /** The same where there is one only. */
  readonly parts: readonly Candidate[];
}

/** Sites that a run executed, by the lines of the source that they come from. */
export function candidatesOf(
  sites: readonly Site[],
  runs: readonly StudiedRun[],
  lineOf: (site: Site) => string,
): CandidateGroup[] {
  const union = new Union();
  const siteAt = new Map(sites.flatMap(({ key, at }) => at.map((each) => [each, key] as const)));
  const counts = executionsOf(runs, siteAt);
  for (const { run } of runs) uniteRounds(run, siteAt, union);
  const executed = sites.filter(({ key }) => counts.has(key));
  const candidate = (group: readonly Site[]): Candidate => ({
    sites: group,
    kind: group[0]!.kind,
    change: deletion(group),
    executions: Math.max(...group.map(({ key }) => counts.get(key)!)),
  });
  const units = [...Map.groupBy(executed, ({ key }) => union.find(key)).values()];
  const lines = new Union();
  const nameOf = (unit: readonly Site[]): string => `unit ${unit[0]!.key}`;
  for (const unit of units) for (const site of unit) lines.unite(lineOf(site), nameOf(unit));
  return [...Map.groupBy(units, (unit) => lines.find(nameOf(unit))).values()].map((group) => ({
    whole: candidate(group.flat()),
    parts: group.map(candidate),
  }));
}

/** How often the warp executes each site that does so most often, at the first size that does. */
function executionsOf(
  runs: readonly StudiedRun[],
  siteAt: ReadonlyMap<number, string>,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { run, meetings } of runs) {
    const ofRun = new Map<string, number>();
    const note = (own: ReadonlyMap<string, number>): void => {
      for (const [key, count] of own) ofRun.set(key, Math.max(ofRun.get(key) ?? 0, count));
    };
    for (const { steps } of run.warps) {
      // A wait for all copies is two steps.
      const executed = flat(steps).flatMap(({ at, op }) => (op === 'commitGroup' ? [] : [at]));
      note(
        countsOf(
          executed.map((at) => [at, 1]),
          siteAt,
        ),
      );
    }
    for (const warp of meetings) note(countsOf([...warp], siteAt));
    for (const [key, count] of ofRun) if (!counts.has(key)) counts.set(key, count);
  }
  return counts;
}

/** How often each site was executed. */
function countsOf(
  executed: readonly (readonly [at: number, times: number])[],
  siteAt: ReadonlyMap<number, string>,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [at, times] of executed) {
    const key = siteAt.get(at);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + times);
  }
  return counts;
}

/** The most groups that a wait leaves open, where it is weakened. */
const MAX_OPEN = 8;

/** Waits for fewer groups in the place of a wait, the weakest last. */
export function weakerWaits(
  { sites }: Candidate,
  run: ReferenceRun,
): { change: Change; open: number }[] {
  const at = sites[0]!.at;
  const steps = run.warps.flatMap((warp) => flat(warp.steps));
  const waits = steps.filter((step) => step.op === 'waitGroup' && at.includes(step.at));
  const [first] = waits;
  if (first?.op !== 'waitGroup') return [];
  const { pending } = first;
  if (waits.some((step) => step.op === 'waitGroup' && step.pending !== pending)) return [];
  return Array.from({ length: MAX_OPEN - pending }, (_, index) => {
    const open = pending + 1 + index;
    return { open, change: openGroups({ sites }, open) };
  });
}

/** The change that lets a wait leave groups open. */
export function openGroups({ sites }: Pick<Candidate, 'sites'>, open: number): Change {
  return { deleted: new Set(), pending: new Map(sites[0]!.at.map((one) => [one, open])) };
}
