// The warps of a run as agents: a warp for which one list of steps does not stand is several.
import type { Assumption, ReferenceRun, WarpSteps } from '../steps/run.ts';
import type { Step } from '../steps/step.ts';
import { LaneClasses, MAX_CLASSES } from './classes.ts';
import { exchangesIn } from './exchanges.ts';
import type { Exchange } from './exchanges.ts';
import { issuersIn, unevenUnits, unitOf } from './groups.ts';
import { allOf, lanesOf, makersOf } from './mask.ts';
import { projected } from './project.ts';
import { segmentsOf } from './segments.ts';
import type { Segment } from './segments.ts';
import { isTight } from './tight.ts';
import { touchesOfGroups } from './touches.ts';

/** A warp for which one list of steps does not stand. */
interface Loose {
  readonly segments: readonly Segment[];
  readonly loose: ReadonlySet<Segment>;
  readonly exchanges: readonly Exchange[];
}

/**
 * The run with the lanes of a warp as agents of their own where its one list of steps says more of
 * their order than the joins between them.
 */
export function inStrands(run: ReferenceRun): ReferenceRun {
  const found = run.warps.map(looseIn);
  if (found.every((loose) => loose === null)) return run;
  const undecided: Assumption[] = [];
  // One exchange that nothing can order is an error, whatever the other warps do.
  const sure = found.findIndex((loose) => loose?.exchanges.some(({ isCertain }) => isCertain));
  const warps = run.warps.flatMap((warp, index) => {
    const loose = found[index]!;
    if (loose === null || (sure >= 0 && sure !== index)) return [warp];
    return strandsOf(warp, loose, undecided);
  });
  return { ...run, warps, undecided: [...run.undecided, ...undecided] };
}

/** Where one list of steps does not stand for the lanes of a warp; `null`: it does everywhere. */
function looseIn({ steps, threads }: WarpSteps): Loose | null {
  const all = allOf(threads);
  const segments = segmentsOf(steps);
  const loose = new Set<Segment>();
  const exchanges: Exchange[] = [];
  const issuersOf = issuersIn(steps, all);
  const uneven = unevenUnits(steps, all, issuersOf);
  const ended = touchesOfGroups(steps, all);
  const isUneven = (step: Step): boolean => {
    const unit = unitOf(step);
    return unit !== null && uneven.has(unit);
  };
  for (const segment of segments) {
    const met = exchangesIn(steps, segment, all, ended);
    exchanges.push(...met);
    const isLoose =
      met.length > 0 ||
      !isTight(steps, segment, all, issuersOf) ||
      (uneven.size > 0 && steps.slice(segment.from, segment.to).some(isUneven));
    if (isLoose) loose.add(segment);
  }
  return loose.size === 0 ? null : { segments, loose, exchanges };
}

/**
 * Lanes that exchange values by volatile accesses do not know which value they read: unlike those
 * of warps, which poll, these accesses are taken for plain ones.
 */
function withExchanged(steps: readonly Step[], exchanges: readonly Exchange[]): readonly Step[] {
  const exchanged = new Set(exchanges.flatMap(({ first, second }) => [first.at, second.at]));
  if (exchanged.size === 0) return steps;
  return steps.map((step, at) => {
    const isVolatile = step.op === 'access' && step.kind === 'volatile';
    return isVolatile && exchanged.has(at) ? { ...step, kind: 'plain' } : step;
  });
}

/** The strands of a warp. */
function strandsOf(
  warp: WarpSteps,
  { segments, loose, exchanges }: Loose,
  undecided: Assumption[],
): WarpSteps[] {
  const { steps, threads, stuck } = warp;
  const all = allOf(threads);
  const issuersOf = issuersIn(steps, all);
  const wide = new Set(loose);
  // Groups belong to threads: what issues and ends them is of each class.
  for (const segment of segments)
    if (steps.slice(segment.from, segment.to).some((step) => unitOf(step) !== null))
      wide.add(segment);
  const classes = new LaneClasses(all);
  for (const segment of wide) classes.divideBySteps(steps, segment, all);
  if (stuck !== null) classes.divide(makersOf(stuck, all));
  const sure = exchanges.find(({ isCertain }) => isCertain);
  if (sure === undefined) classes.divideByExchanges(exchanges);
  else {
    classes.divide(1 << sure.first.lane);
    classes.divide(1 << sure.second.lane);
  }
  if (classes.areTooMany) {
    const at = steps[[...loose][0]!.from]!.at;
    const what = `more than ${MAX_CLASSES} different things between joins`;
    undecided.push({ at, text: `lanes of warp ${warp.warp} do ${what}` });
    return [warp];
  }
  const masks = classes.masks;
  const lists = projected({
    steps: withExchanged(steps, exchanges),
    all,
    classes: masks,
    segments,
    loose: wide,
    issuersOf,
  });
  // Lanes that do nothing but join hold up no others.
  const isStuck = (mask: number): boolean => stuck !== null && (makersOf(stuck, all) & mask) !== 0;
  const acting = masks.filter((mask, index) => {
    return isStuck(mask) || lists[index]!.some(({ op }) => op !== 'join');
  });
  return acting.map((mask, index): WarpSteps => {
    const lanes = lanesOf(mask);
    return {
      ...warp,
      threads: lanes.length,
      steps: lists[masks.indexOf(mask)]!,
      stuck: isStuck(mask) ? stuck : null,
      strand: { lanes, index, count: acting.length },
    };
  });
}
