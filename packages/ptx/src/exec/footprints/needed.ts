// Which of the touches whose addresses are computed in each cluster can meet anything at all.
import { isOrderedBetween } from './groups.ts';
import type { ClassTouches, Group, Grouped } from './groups.ts';
import { meeting } from './meeting.ts';
import type { Span } from './meeting.ts';
import type { Touch } from '../../steps/touches.ts';
import { instructionsOf } from './touches.ts';
import { Evaluator } from '../origins/evaluate.ts';

/** A range that may be anywhere. */
const ANYWHERE = [-1, Number.MAX_SAFE_INTEGER] as const;

/** Touches that reach bytes of other touches, or that they write in several clusters. */
export function neededOthers(
  all: readonly Grouped[],
  hullOf: (group: Group) => readonly [number, number],
): ReadonlySet<Touch> {
  if (all.every(({ others }) => others.length === 0)) return new Set();
  const spans: Span[] = [];
  const touches: (Touch | null)[] = [];
  const add = (touch: Touch | null, hull: readonly [number, number], own: Group | Touch): void => {
    const [from, to] = hull;
    const { isWrite } = own;
    const isOrdered = 'kind' in own ? isOrderedBetween(own) : own.isOrdered;
    spans.push({ from, to, by: touches.length, isWrite, isOrdered });
    touches.push(touch);
  };
  for (const { others, hulls, groups } of all) {
    for (const touch of others)
      // What one cluster writes another one may write.
      for (let count = touch.isWrite ? 2 : 1; count > 0; count--)
        add(touch, hulls.get(touch) ?? ANYWHERE, touch);
    for (const group of groups) {
      const hull = hullOf(group);
      if (hull[0] < hull[1]) add(null, hull, group);
    }
  }
  const isMet = meeting(spans);
  return new Set(touches.filter((touch, index) => touch !== null && isMet[index] === 1) as Touch[]);
}

/** No touches. */
export const NONE: ReadonlySet<Touch> = new Set();

/** How many values are computed in a cluster to place touches. */
export function costOf(touches: ReadonlySet<Touch>): number {
  const origins = [...touches].flatMap(({ origin, guard }) => [origin, guard?.guard ?? null]);
  return new Evaluator([...new Set(origins.filter((origin) => origin !== null))]).cost;
}

/** Reads through pointers through which nothing is written. */
export function readsApart(
  touches: ReadonlySet<Touch>,
  classes: readonly ClassTouches[],
  pointersOf: (at: number) => ReadonlySet<string> | null,
): ReadonlySet<Touch> {
  const written = new Set<string>();
  const all = classes.flatMap(({ runs }) => runs);
  const writes = all.flatMap(({ list, unknown }) => [...list, ...unknown.values()]);
  for (const at of new Set(writes.filter(({ isWrite }) => isWrite).flatMap(instructionsOf))) {
    const pointers = pointersOf(at);
    if (pointers === null) return NONE;
    for (const each of pointers) written.add(each);
  }
  const isApart = new Map<number, boolean>();
  const isSeparateAt = (at: number): boolean => {
    let found = isApart.get(at);
    if (found === undefined) {
      const pointers = pointersOf(at);
      found = pointers !== null && ![...pointers].some((each) => written.has(each));
      isApart.set(at, found);
    }
    return found;
  };
  return new Set(
    [...touches].filter(
      ({ at, also = [], isWrite }) => !isWrite && [at, ...also].every(isSeparateAt),
    ),
  );
}
