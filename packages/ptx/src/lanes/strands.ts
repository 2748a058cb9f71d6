// The warps of a run as agents: a warp for which one list of steps does not stand is several.
import type { Assumption, ReferenceRun, RunFault, WarpSteps } from '../steps/run.ts';
import type { Step } from '../steps/step.ts';
import { LaneClasses, MAX_CLASSES } from './classes.ts';
import { exchangesIn } from './exchanges.ts';
import type { Exchange } from './exchanges.ts';
import { withoutIdle } from './idle-lanes.ts';
import { issuersIn, unevenUnits, unitOf } from './groups.ts';
import { allOf, lanesOf, makersOf } from './mask.ts';
import { practiceOf } from './practice.ts';
import { projected } from './project.ts';
import { segmentsOf } from './segments.ts';
import type { Segment } from './segments.ts';
import { isTight } from './tight.ts';
import { touchesOfGroups } from './touches.ts';

/** What is not proved of lanes: where nothing else is wrong, the verdict is inconclusive. */
const FAULT = { rule: 'unjoined-lanes' } as const;

const KEEPS_UP =
  'lanes that only wait for an mbarrier keep up with those that act after the same wait';

const TOO_MANY = 'lanes of a warp touch the same bytes more often than is looked at';

/** A warp for which one list of steps does not stand. */
interface Loose {
  /** Its steps, without waits of lanes that do nothing else. */
  readonly steps: readonly Step[];
  /** The first of these waits; `null` if there is none. */
  readonly idleAt: number | null;
  readonly segments: readonly Segment[];
  readonly loose: ReadonlySet<Segment>;
  readonly exchanges: readonly Exchange[];
  /** An exchange of which unknown data decides whether there is one. */
  readonly doubtful: Exchange | null;
  /** The instruction where there were too many exchanges to look at more; `null`: nowhere. */
  readonly cut: number | null;
}

type EffectOf = ReferenceRun['effectOf'];

/** How many steps a strand has made before a step of its warp, and what later ones depend on. */
export interface StrandMark {
  readonly steps: number;
  readonly state: string;
  /** Whether one list does not stand for all lanes in what is before, and in what comes next. */
  readonly isLoose: boolean;
  readonly isNextLoose: boolean;
}

/** Follows the strands of warps. */
export interface WatchStrands {
  /** The steps of a warp before which each of its strands is marked. */
  readonly stepsOf: (warp: WarpSteps) => readonly number[];
  readonly follow: (strand: WarpSteps, marks: readonly StrandMark[]) => void;
}

/** Whether lanes of a warp touch the same bytes, one of them to write, and no join orders them. */
export function areExchanging(warp: WarpSteps): boolean {
  const loose = looseIn(warp);
  return loose !== null && loose.exchanges.length > 0;
}

/** Whether steps from one up to another are of a segment that one list does not stand for. */
export function isLooseThroughout(warp: WarpSteps, from: number, to: number): boolean {
  const segments = [...(looseIn(warp)?.loose ?? [])];
  return segments.some((segment) => segment.from <= from && to <= segment.to);
}

/**
 * The run with the lanes of a warp as agents of their own where its one list of steps says more of
 * their order than the joins between them.
 */
export function inStrands(executed: ReferenceRun, watch?: WatchStrands): ReferenceRun {
  // Nothing is proved about a run that stands for no launch.
  if (executed.undecided.length > 0) return executed;
  const exchanges = practiceOf(executed, (warp) => (looseIn(warp)?.loose.size ?? 0) === 0);
  const assumptions = [...executed.assumptions, ...exchanges];
  const run = exchanges.length === 0 ? executed : { ...executed, assumptions };
  const found = run.warps.map(looseIn);
  if (found.every((loose) => loose === null)) return run;
  const faults: RunFault[] = [];
  let idle: number | null = null;
  // One exchange that nothing can order is an error, whatever the other warps do.
  const sure = found.findIndex((loose) => loose?.exchanges.some(({ isCertain }) => isCertain));
  const warps = run.warps.flatMap((warp, index) => {
    const loose = found[index]!;
    if (loose !== null && loose.idleAt !== null) idle ??= loose.idleAt;
    if (loose !== null && loose.doubtful !== null) faults.push(faultOf(warp, loose.doubtful));
    if (loose !== null && loose.cut !== null)
      faults.push({ ...FAULT, at: loose.cut, text: TOO_MANY });
    if (loose === null || loose.loose.size === 0 || (sure >= 0 && sure !== index)) return [warp];
    const strong = strongIn(loose, run.effectOf);
    if (strong !== null) faults.push({ ...FAULT, at: strong, text: LANES_WAIT });
    return strandsOf(warp, loose, faults, watch, run.effectOf);
  });
  const idleLanes: Assumption[] = idle === null ? [] : [{ name: 'H9', at: idle, text: KEEPS_UP }];
  return {
    ...run,
    warps,
    faults: [...run.faults, ...faults],
    assumptions: [...run.assumptions, ...idleLanes],
  };
}

function faultOf({ warp, steps }: WarpSteps, { first, second }: Exchange): RunFault {
  const lanes = `lanes ${first.lane} and ${second.lane} of warp ${warp}`;
  const text = `unknown data decides whether ${lanes} touch the same bytes without a join between`;
  return { ...FAULT, at: steps[second.at]!.at, text };
}

/** What was found of warps: it is asked for again, and their steps do not change any more. */
const known = new WeakMap<WarpSteps, Loose | null>();

/** Where one list of steps does not stand for the lanes of a warp; `null`: it does everywhere. */
function looseIn(warp: WarpSteps): Loose | null {
  let found = known.get(warp);
  if (found === undefined) known.set(warp, (found = findLoose(warp)));
  return found;
}

function findLoose({ steps: executed, threads }: WarpSteps): Loose | null {
  const all = allOf(threads);
  const steps = executed.slice();
  let idleAt: number | null = null;
  const segments = segmentsOf(steps);
  const loose = new Set<Segment>();
  const exchanges: Exchange[] = [];
  let doubtful: Exchange | null = null;
  let cut: number | null = null;
  const issuersOf = issuersIn(steps, all);
  const uneven = unevenUnits(steps, all, issuersOf);
  const ended = touchesOfGroups(steps, all);
  const isUneven = (step: Step): boolean => {
    const unit = unitOf(step);
    return unit !== null && uneven.has(unit);
  };
  for (const segment of segments) {
    const { from, to } = segment;
    const { found: met, cutAt } = exchangesIn(steps, segment, all, ended);
    if (cutAt >= 0) cut ??= steps[cutAt]!.at;
    const certain = met.filter(({ isPossible }) => !isPossible);
    exchanges.push(...certain);
    doubtful ??= met.find(({ isPossible }) => isPossible) ?? null;
    const lanes = { all, issuersOf, keepUp: false };
    let isLoose = !isTight(steps, segment, lanes);
    const active = isLoose ? withoutIdle(steps, segment, all, issuersOf) : null;
    if (active !== null) {
      idleAt ??= steps[from + active.findIndex((step, at) => step !== steps[from + at])]!.at;
      for (const [at, step] of active.entries()) steps[from + at] = step;
      isLoose = !isTight(steps, segment, lanes);
    }
    if (isLoose && isTight(steps, segment, { ...lanes, keepUp: true })) {
      idleAt ??= steps.slice(from, to).find(({ op }) => op === 'wait')!.at;
      isLoose = false;
    }
    isLoose ||= certain.length > 0 || (uneven.size > 0 && steps.slice(from, to).some(isUneven));
    if (isLoose) loose.add(segment);
  }
  const isWhole = loose.size === 0 && doubtful === null && idleAt === null;
  return isWhole ? null : { steps, segments, loose, exchanges, doubtful, idleAt, cut };
}

const LANES_WAIT =
  'lanes of one warp exchange a word by strong accesses, and may find other values than here';

/** Whether a step is an access that is strong, and not because it is `.volatile`. */
function isStrong(step: Step, effectOf: EffectOf): boolean {
  if (step.op !== 'access' || step.kind !== 'volatile') return false;
  const effect = effectOf(step.at);
  return effect?.kind === 'access' && !effect.isVolatile && effect.order !== 'weak';
}

/** An instruction with which lanes exchange a word by strong accesses: these do not race. */
function strongIn({ steps, exchanges }: Loose, effectOf: EffectOf): number | null {
  const found = exchanges.find(({ first, second }) => {
    return [first, second].every(({ at }) => isStrong(steps[at]!, effectOf));
  });
  return found === undefined ? null : steps[found.second.at]!.at;
}

/**
 * Lanes that exchange values by volatile accesses do not know which value they read: unlike those
 * of warps, which poll, these accesses are taken for plain ones.
 */
function withExchanged(
  steps: readonly Step[],
  exchanges: readonly Exchange[],
  effectOf: EffectOf,
): readonly Step[] {
  const exchanged = new Set(exchanges.flatMap(({ first, second }) => [first.at, second.at]));
  if (exchanged.size === 0) return steps;
  return steps.map((step, at) => {
    const isVolatile = step.op === 'access' && step.kind === 'volatile';
    const isPlain = isVolatile && exchanged.has(at) && !isStrong(step, effectOf);
    return isPlain ? { ...step, kind: 'plain' } : step;
  });
}

/** Masks of lanes that do the same; `null` where there are more than can be distinguished. */
function classesOf(
  warp: WarpSteps,
  { steps, loose, exchanges }: Loose,
  wide: ReadonlySet<Segment>,
  faults: RunFault[],
): readonly number[] | null {
  const { threads, stuck } = warp;
  const all = allOf(threads);
  const divided = (): LaneClasses => {
    const classes = new LaneClasses(all);
    for (const segment of wide) classes.divideBySteps(steps, segment, all);
    if (stuck !== null) classes.divide(makersOf(stuck, all));
    return classes;
  };
  let classes = divided();
  const sure = exchanges.find(({ isCertain }) => isCertain);
  if (sure === undefined) classes.divideByExchanges(exchanges);
  else classes.divideByPair(sure);
  if (!classes.areTooMany) return classes.masks;
  const at = steps[[...loose][0]!.from]!.at;
  const what = `more than ${MAX_CLASSES} different things between joins`;
  faults.push({ ...FAULT, at, text: `lanes of warp ${warp.warp} do ${what}` });
  // Two lanes that meet may still show an error.
  classes = divided();
  if (exchanges[0] !== undefined) classes.divideByPair(exchanges[0]);
  return classes.areTooMany ? null : classes.masks;
}

/** The strands of a warp. */
function strandsOf(
  warp: WarpSteps,
  parts: Loose,
  faults: RunFault[],
  watch: WatchStrands | undefined,
  effectOf: EffectOf,
): WarpSteps[] {
  const { steps, segments, loose, exchanges } = parts;
  const { threads, stuck } = warp;
  const all = allOf(threads);
  const issuersOf = issuersIn(steps, all);
  const wide = new Set(loose);
  // Groups belong to threads: what issues and ends them is of each class.
  for (const segment of segments)
    if (steps.slice(segment.from, segment.to).some((step) => unitOf(step) !== null))
      wide.add(segment);
  const masks = classesOf(warp, parts, wide, faults);
  if (masks === null) return [warp];
  const marked = watch?.stepsOf(warp) ?? [];
  const marks: (Omit<StrandMark, 'steps'> & { readonly lengths: readonly number[] })[] = [];
  const lists = projected({
    steps: withExchanged(steps, exchanges, effectOf),
    all,
    classes: masks,
    segments,
    loose: wide,
    issuersOf,
    watch: (at, each, mark) => {
      if (!marked.includes(at)) return;
      marks.push({ ...mark(), lengths: each.map(({ length }) => length) });
    },
  });
  // Lanes that do nothing but join hold up no others.
  const isStuck = (mask: number): boolean => stuck !== null && (makersOf(stuck, all) & mask) !== 0;
  const acting = masks.filter((mask, index) => {
    return isStuck(mask) || lists[index]!.some(({ op }) => op !== 'join');
  });
  return acting.map((mask, index): WarpSteps => {
    const lanes = lanesOf(mask);
    const number = masks.indexOf(mask);
    const strand: WarpSteps = {
      ...warp,
      threads: lanes.length,
      steps: lists[number]!,
      stuck: isStuck(mask) ? stuck : null,
      strand: { lanes, index, count: acting.length },
    };
    const own = marks.map(({ lengths, ...mark }) => ({ ...mark, steps: lengths[number]! }));
    watch?.follow(strand, own);
    return strand;
  });
}
