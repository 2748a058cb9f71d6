// A kernel as built on all ways that data which is not known may lead it.
import {
  uniqueAssumptions,
  type CheckResult,
  type Finding,
  type SourceLocation,
} from '@poundlock/core/internal/finding';
import { INSTRUCTION } from '@poundlock/core/internal/base';
import type { KernelReference, OtherWay } from '@poundlock/core/internal/program';
import { placed } from './reference.ts';

/** Checks one of the other ways. */
export type CheckWay = (way: OtherWay) => Promise<CheckResult>;

/**
 * What all ways together are: certified if each is. An error that each of them has is certain. One
 * on some of them alone is not proved, because no data may lead there.
 */
export async function checkWays(
  first: CheckResult,
  { ways }: KernelReference,
  isOver: () => boolean,
  isOfIsa: boolean,
  checkWay: CheckWay,
): Promise<CheckResult> {
  if (ways === undefined) return first;
  const where = placed(ways.decided);
  if (first.verdict === 'inconclusive') return doubtful(first, first, where);
  const others = ways.others(isOver, isOfIsa);
  if (first.verdict === 'counterexample') {
    const performed: ReadonlySet<number>[] = [];
    const certain = await onEach(first, others, isOver, (way) => {
      performed.push(way.performed);
      return checkWay(way);
    });
    const [other = NOTHING] = performed;
    return certain ?? forSomeData(first, first, ways, other) ?? doubtful(first, first, where);
  }
  const all = [...first.scope.assumptions];
  let { events } = first.stats;
  for (let each = others.next(); ; each = others.next()) {
    if (each.done === true) {
      const open = each.value;
      if (open !== null) return doubtful(first, { ...first, reason: `${open}: ${where}` }, where);
      all.push({ name: ways.assumption.name, text: `${ways.assumption.text}: ${where}` });
      const stats = { ...first.stats, events };
      return { ...first, stats, scope: { ...first.scope, assumptions: uniqueAssumptions(all) } };
    }
    if (isOver()) return doubtful(first, { ...first, reason: 'the time limit was reached' }, where);
    const found = await checkWay(each.value);
    if (found.verdict !== 'certified')
      return forSomeData(first, found, each.value, ways.performed) ?? doubtful(first, found, where);
    all.push(...found.scope.assumptions);
    events = (events ?? 0) + (found.stats.events ?? 0);
  }
}

/** The errors of the first way that all others have; `null` if there are none, or more ways. */
async function onEach(
  first: CheckResult,
  others: ReturnType<NonNullable<KernelReference['ways']>['others']>,
  isOver: () => boolean,
  checkWay: CheckWay,
): Promise<CheckResult | null> {
  let findings = first.findings.filter(({ severity }) => severity === 'error');
  for (let each = others.next(); ; each = others.next()) {
    if (findings.length === 0 || isOver()) return null;
    if (each.done === true) return each.value === null ? { ...first, findings } : null;
    const found = new Set((await checkWay(each.value)).findings.map(placesOf));
    findings = findings.filter((error) => found.has(placesOf(error)));
  }
}

const NOTHING: ReadonlySet<number> = new Set();

/**
 * A race on one of two ways with an access that both have: one question leads to the other access,
 * which data answers freely. `null` where that is not so: what data decides is then not known to go
 * wrong.
 */
function forSomeData(
  { kernel, params }: CheckResult,
  found: CheckResult,
  { questions }: { readonly questions: number },
  other: ReadonlySet<number>,
): CheckResult | null {
  const error = found.findings.find(({ severity }) => severity === 'error');
  if (questions !== 1 || error?.rule !== 'race') return null;
  const isOnBoth = (place: SourceLocation | undefined): boolean =>
    other.has(place?.[INSTRUCTION] ?? -1);
  // One happens for all data, and data decides of the other one alone.
  if (isOnBoth(error.primary) === isOnBoth(error.labels[0])) return null;
  const findings = found.findings.map(({ replayToken: _token, ...finding }): Finding => ({
    ...finding,
    notes: [...finding.notes, FOR_SOME_DATA],
  }));
  return { ...found, kernel, params, findings };
}

const FOR_SOME_DATA =
  'data decides whether one of the accesses happens: it is an error where it does';

/** A text that errors of two ways share if they are about the same instructions. */
function placesOf({ rule, severity, primary, labels }: Finding): string {
  const places = [primary, ...labels].map((place) => `${place[INSTRUCTION]} ${place.role ?? ''}`);
  return [severity, rule, ...places].join(', ');
}

/** The result of a kernel of which one way is not certified. */
function doubtful(first: CheckResult, found: CheckResult, where: string): CheckResult {
  const error = found.findings.find(({ severity }) => severity === 'error');
  const reason = error === undefined ? found.reason! : error.message;
  return {
    ...first,
    verdict: 'inconclusive',
    findings: [],
    scope: { ...first.scope, assumptions: [] },
    reason: error === undefined ? reason : `${reason}, if data leads there: ${where}`,
  };
}
