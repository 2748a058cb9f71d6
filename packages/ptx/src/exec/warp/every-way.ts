// What each way of a branch on unknown data does: it is certain, whichever way the data decides.
import type { RunFault } from '../../steps/run.ts';
import { LEFT_OUT } from '../../steps/step.ts';
import type { AccessStep, Step } from '../../steps/step.ts';
import { mix, seedOf, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import type { Warp } from './warp.ts';

/** A mistake of some lanes. */
export interface Misuse {
  readonly kind: RunFault['rule'];
  readonly at: number;
  readonly text: string;
  readonly rule: string;
  readonly lanes: number;
}

/** What is certain on a way that may not be taken. */
export class Way {
  readonly misuses: Misuse[] = [];
  readonly accesses: AccessStep[] = [];

  record(step: Step): void {
    // An address that is data is not certain on any way.
    const isKnown = step.op === 'access' && (step.unknown ?? 'whether') === 'whether';
    if (isKnown && step.kind === 'plain' && step.adds === undefined) this.accesses.push(step);
  }
}

/** Notes what lies on all ways of a branch; `guard` is the register that decides it. */
export function onEveryWay(warp: Warp, ways: readonly Way[], guard: number): void {
  for (const misuse of misusesOf(ways)) {
    const { kind, at, text, rule } = misuse;
    if (warp.mode.isUncertain) warp.mode.way?.misuses.push(misuse);
    else warp.machine.misuse(kind, at, text, rule, warp, { isOnEachWay: true });
  }
  const [first, ...others] = ways as [Way, ...Way[]];
  for (const step of first.accesses) {
    const equal = others.map(({ accesses }) => accesses.find((each) => areAlike(step, each)));
    if (equal.some((each) => each === undefined)) continue;
    const values = valuesOf(warp, [step, ...(equal as AccessStep[])], guard);
    const found: AccessStep = { ...(warp.mode.isUncertain ? step : certain(step)), values };
    warp.steps[warp.steps.lastIndexOf(step)] = found;
    warp.mode.way?.record(found);
    // It stands for those of the other ways.
    for (const [index, { accesses }] of others.entries()) {
      warp.steps.splice(warp.steps.lastIndexOf(equal[index]!), 1);
      accesses.splice(accesses.indexOf(equal[index]!), 1);
    }
  }
}

/** The same access, which happens. */
function certain({ op, at, kind, reads, writes, values, lanes }: AccessStep): AccessStep {
  return { op, at, kind, reads, writes, values, ...(lanes === undefined ? {} : { lanes }) };
}

/** The mistakes of all ways, if one lane makes some on each. */
function misusesOf(ways: readonly Way[]): readonly Misuse[] {
  let lanes = -1;
  for (const { misuses } of ways) lanes &= misuses.reduce((some, each) => some | each.lanes, 0);
  return ways.flatMap(({ misuses }) => misuses).filter((each) => (each.lanes & lanes) !== 0);
}

/** Whether the same lanes access the same bytes. */
function areAlike(one: AccessStep, other: AccessStep): boolean {
  const areEqual = (some: readonly number[], more: readonly number[]): boolean =>
    some.length === more.length && some.every((value, index) => value === more[index]);
  const haveLanes = one.lanes === other.lanes;
  return haveLanes && areEqual(one.reads, other.reads) && areEqual(one.writes, other.writes);
}

const SEED = seedOf('stored on one of the ways');
const value: Wide = { low: 0, high: 0 };

/** What is stored: it follows from what decides the branch and from what each way stores. */
function valuesOf(warp: Warp, steps: readonly AccessStep[], guard: number): readonly number[] {
  const [{ writes, values, lanes = warp.lanes }] = steps as [AccessStep];
  if (steps.some((each) => each.values === LEFT_OUT)) return LEFT_OUT;
  const areEqual = steps.every((each) => each.values.every((one, at) => one === values[at]));
  const isOfBlock = steps.some(({ stored }) => stored !== undefined);
  const haveAll = steps.every((each) => each.values.length === values.length);
  if (areEqual && haveAll && !isOfBlock) return values;
  const each = writes.length / lanesOf(lanes).length;
  const isKnown = !isOfBlock && steps.every((step) => step.values.length === writes.length);
  if (guard < 0 || !isKnown || !Number.isInteger(each)) return [];
  const { registers } = warp;
  return lanesOf(lanes).flatMap((lane, index) => {
    const slot = registers.slot(guard, lane);
    const stored: number[] = [];
    for (let at = index * each; at < (index + 1) * each; at += 2) {
      start(value, SEED);
      mix(
        value,
        registers.low[slot]!,
        registers.high[slot]!,
        registers.isKnown(guard, lane) ? 1 : 0,
      );
      for (const step of steps) mix(value, step.values[at]!, step.values[at + 1]!, 1);
      stored.push(value.low, value.high);
    }
    return stored;
  });
}
