// A kernel as built on all ways that it may go where its launch leaves open which one it goes.
import {
  uniqueAssumptions,
  type CheckResult,
  type Finding,
  type SourceLocation,
} from '@poundlock/core/internal/finding';
import { INSTRUCTION } from '@poundlock/core/internal/base';
import type {
  Answered,
  AnsweredWay,
  Answer,
  KernelReference,
  PlacedText,
  Ways,
} from '@poundlock/core/internal/program';
import { isOf, placed } from './reference.ts';

/** Checks one of the other ways. */
export type CheckWay = (way: AnsweredWay) => Promise<CheckResult>;

/** A way with its result. */
interface CheckedWay extends Answered {
  readonly result: CheckResult;
  /** Whether it is the run that replay tokens are of. */
  readonly isFirst: boolean;
}

const OVER = 'the time limit was reached';
const NO_WAY = 'the kernel has no way on which all waits end';
const FOLLOWED =
  'waits that give up are followed: --accept no-timeout takes for granted that none does';

/**
 * What all ways together are: certified if each is. A clock may say anything at any time, so that
 * an error on one of its ways is an error. What else the launch leaves open has one answer, which
 * may not be the one that leads to an error: such an error is certain if each answer leads to it.
 */
export async function checkWays(
  first: CheckResult,
  { ways }: KernelReference,
  query: Parameters<Ways['others']>[0],
  checkWay: CheckWay,
): Promise<CheckResult> {
  if (ways === undefined) return first;
  const all: CheckedWay[] = [];
  const isWhole = query.endsWaits || ways.first.waiting !== 'surely';
  if (isWhole) {
    const result = query.endsWaits ? first : orGivesUp(first, ways.first);
    all.push({ ...ways.first, result, isFirst: true });
  }
  const others = ways.others(query);
  for (;;) {
    const error = errorOfFree(all.at(-1));
    if (error !== null) return errorOf(first, error);
    if (isHopeless(all)) return errorOfData(first, all) ?? openResult(first, all, null);
    const each = others.next();
    if (each.done === true) return conclude(first, all, each.value, ways, query.endsWaits);
    if (query.isOver()) return openResult(first, all, OVER);
    if (each.value.waiting === 'surely' && !query.endsWaits) continue;
    const found = await checkWay(each.value);
    const result = query.endsWaits ? found : orGivesUp(found, each.value);
    all.push({ ...each.value, result, isFirst: false });
  }
}

/**
 * A result in which no role waits forever that would give up: another way says what it does then.
 */
function orGivesUp(result: CheckResult, { answers, waiting }: Answered): CheckResult {
  const patient = answers.filter(({ isTimeout, isTrue }) => isTimeout && !isTrue);
  const error = result.findings.find(isError);
  if (error?.rule !== 'deadlock' || patient.length === 0) return result;
  const places = [error.primary, ...error.labels];
  const isLeft = ({ holds }: Answer): boolean => places.some((place) => isOf(place, holds));
  if (waiting === 'no' && !patient.some(isLeft)) return result;
  const reason = `${error.message}, unless it gives up`;
  return { ...result, verdict: 'inconclusive', findings: [], reason };
}

/**
 * Whether no way can be what the verdict is about any more: none is certain, and not all are right.
 */
function isHopeless(all: readonly CheckedWay[]): boolean {
  if (all.some(({ answers }) => answers.some(({ isFree }) => isFree))) return false;
  const verdicts = new Set(all.map(({ result }) => result.verdict));
  return verdicts.has('inconclusive') || verdicts.size > 1;
}

/** The result of all ways; `open` says why there may be more of them. */
function conclude(
  first: CheckResult,
  all: readonly CheckedWay[],
  open: string | null,
  ways: Ways,
  endsWaits: boolean,
): CheckResult {
  const [any] = all;
  const isRight = all.every(({ result }) => result.verdict === 'certified');
  if (open !== null || !isRight || any === undefined) {
    const certain = open === null ? certainErrors(all, 0) : [];
    if (certain.length > 0) return errorOf(first, { ...first, findings: certain });
    return errorOfData(first, all) ?? openResult(first, all, open ?? NO_WAY);
  }
  const assumptions = all.flatMap(({ result }) => result.scope.assumptions);
  const data = all.flatMap(({ answers }) => answers).find(({ by }) => by === 'data');
  if (data !== undefined && ways.assumption !== null) {
    const { name, text } = ways.assumption;
    assumptions.push({ name, text: `${text}: ${placed(data.open)}` });
  }
  if (endsWaits && ways.noTimeout !== null) {
    const { name: own, position: place, ...rest } = ways.noTimeout;
    assumptions.push({ name: own, text: rest.text, ...(place === undefined ? {} : { place }) });
  }
  const events = all.reduce((sum, { result }) => sum + (result.stats.events ?? 0), 0);
  return {
    ...any.result,
    kernel: first.kernel,
    params: first.params,
    stats: { ...first.stats, events },
    scope: { ...first.scope, assumptions: uniqueAssumptions(assumptions) },
  };
}

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

/** The error of a way that clocks alone lead to. */
function errorOfFree(way: CheckedWay | undefined): CheckResult | null {
  if (way === undefined || way.result.verdict !== 'counterexample') return null;
  const isOfFree = way.answers.length > 0 && way.answers.every(({ isFree }) => isFree);
  if (!isOfFree || !way.isPossible()) return null;
  return { ...way.result, findings: withAnswers(way) };
}

/** The findings of a way with the answers of clocks that lead there. */
function withAnswers({ answers, result, isFirst }: CheckedWay): Finding[] {
  const free = answers.filter(({ isFree }) => isFree);
  const more = free.length === 0 ? [] : [`it goes wrong ${conditionOf(free)}`];
  return result.findings.map(({ replayToken, ...finding }) => ({
    ...finding,
    notes: [...finding.notes, ...more],
    ...(isFirst && replayToken !== undefined ? { replayToken } : {}),
  }));
}

/** `if the clock says that … (k.ptx:3:1), and if the wait gives up (k.ptx:8:1)`. */
function conditionOf(answers: readonly Answer[]): string {
  const all = [...new Set(answers.map(({ holds }) => `if ${placed(holds)}`))];
  return all.join(', and ');
}

/**
 * The errors that ways have in common from one answer on: clocks may choose among them, and each
 * other answer has to lead there.
 */
function certainErrors(ways: readonly CheckedWay[], depth: number): readonly Finding[] {
  const [way] = ways;
  if (way === undefined) return [];
  const answer = way.answers[depth];
  if (answer === undefined) return way.isPossible() ? withAnswers(way).filter(isError) : [];
  const [yes, no] = [true, false].map((isTrue) => {
    const chosen = ways.filter(({ answers }) => answers[depth]?.isTrue === isTrue);
    return certainErrors(chosen, depth + 1);
  }) as [readonly Finding[], readonly Finding[]];
  if (answer.isFree) return yes.length > 0 ? yes : no;
  const others = new Set(no.map(placesOf));
  return yes.filter((error) => others.has(placesOf(error)));
}

/**
 * The race of one of two ways with an access that both have: one question leads to the other
 * access, which data answers freely. Or lanes that one of them does not join, where all that needs
 * the join is on both. `null` where that is not so: what data decides is then not known to go
 * wrong.
 */
function errorOfData(first: CheckResult, all: readonly CheckedWay[]): CheckResult | null {
  const way = all.find(({ answers, result }) => isOneOfData(answers) && hasError(result));
  const other = all.find(({ answers }) => answers[0]?.isTrue !== way?.answers[0]?.isTrue);
  const error = way?.result.findings.find(isError);
  if (way === undefined || other === undefined || error === undefined) return null;
  const isOnBoth = (place: SourceLocation | undefined): boolean =>
    other.performed.has(place?.[INSTRUCTION] ?? -1);
  const note = noteOfData(error, isOnBoth);
  if (note === null) return null;
  const findings = withAnswers(way).map((finding): Finding => ({
    ...finding,
    notes: [...finding.notes, note],
  }));
  return errorOf(first, { ...way.result, findings });
}

function hasError({ verdict }: CheckResult): boolean {
  return verdict === 'counterexample';
}

/** Whether there is one answer, which data gives alone. */
function isOneOfData([answer, ...more]: readonly Answer[]): boolean {
  return more.length === 0 && answer?.by === 'data' && !answer.maySignal;
}

const FOR_SOME_DATA =
  'data decides whether one of the accesses happens: it is an error where it does';
const UNJOINED = 'data decides whether the lanes are joined: it is an error where they are not';

/** What data decides of an error, if the rest of it is for all data; else `null`. */
function noteOfData(
  { rule, primary, labels }: Finding,
  isOnBoth: (place: SourceLocation | undefined) => boolean,
): string | null {
  if (rule === 'race') return isOnBoth(primary) === isOnBoth(labels[0]) ? null : FOR_SOME_DATA;
  return rule === 'unjoined-lanes' && [primary, ...labels].every(isOnBoth) ? UNJOINED : null;
}

/** A text that errors of two ways share if they are about the same instructions. */
function placesOf({ rule, severity, primary, labels }: Finding): string {
  const places = [primary, ...labels].map((place) => `${place[INSTRUCTION]} ${place.role ?? ''}`);
  return [severity, rule, ...places].join(', ');
}

/** The result of a kernel with errors on some of its ways. */
function errorOf(first: CheckResult, { findings, notes }: CheckResult): CheckResult {
  const { kernel, params, stats } = first;
  const scope = { ...first.scope, assumptions: [] };
  return {
    kernel,
    params,
    verdict: 'counterexample',
    scope,
    findings,
    ...(notes === undefined ? {} : { notes }),
    stats,
  };
}

/** The result of a kernel of which one way is not certified, or of which there may be more ways. */
function openResult(
  first: CheckResult,
  all: readonly CheckedWay[],
  open: string | null,
): CheckResult {
  const wrong = all.find(({ result }) => result.verdict !== 'certified');
  const [any] = all;
  const reason =
    wrong !== undefined
      ? whyOpen(wrong)
      : any === undefined || open === OVER
        ? open!
        : `${open}: ${placed(decidedIn(any))}`;
  const isFollowed = all.some(({ answers }) => answers.some(({ isTimeout }) => isTimeout));
  const notes = [...(first.notes ?? []), ...(isFollowed ? [FOLLOWED] : [])];
  return {
    ...first,
    verdict: 'inconclusive',
    findings: [],
    scope: { ...first.scope, assumptions: [] },
    reason,
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** Why a way that is not certified leaves the verdict open. */
function whyOpen({ result, answers }: CheckedWay): string {
  const error = result.findings.find(isError);
  if (error === undefined) return result.reason!;
  const answer = answers.find(({ isFree }) => !isFree) ?? answers[0]!;
  const lead = answer.by === 'data' ? 'if data leads there: ' : '';
  return `${error.message}, ${lead}${placed(answer.open)}`;
}

/** The first place where something is open. */
function decidedIn({ answers }: Answered): PlacedText {
  return (answers.find(({ isFree }) => !isFree) ?? answers[0]!).open;
}
