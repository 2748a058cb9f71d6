// Checks a kernel whose launch is not known: at the launches that its text allows, with a verdict
// that says which they were. An error is one where the block and the cluster are known.
import { Coverage, type CheckOptions } from '../check/index.ts';
import { counted, grouped, INSTRUCTION } from '@poundlock/core/internal/base';
import { pointersBehind } from '@poundlock/ptx/internal/infer/data-of';
import type { Skeleton } from '@poundlock/ptx/internal/infer/skeleton';
import { uniqueAssumptions } from '@poundlock/core/internal/finding';
import type { CheckResult, Finding } from '@poundlock/core/internal/finding';
import { readableName } from '@poundlock/ptx/internal/text/names';
import { atOrdinary, atQuick, atSpecial } from './at-shape.ts';
import { hangByData } from './decided-by-data.ts';
import { firstFailing } from './first-failing.ts';
import { asPossible, isBetweenGuessed, possibleReason, restsOf } from './possible.ts';
import { launchScope } from './scope.ts';
import { isBig, searchShapes, statusOf } from './shape-search.ts';
import type { ShapeSearch, TriedShape } from './shape-search.ts';
import { hasGuessedNumbers, isGuessed, originsOf, shapesOf, shapeText } from './shapes.ts';
import type { Shape, ShapeOrigins } from './shapes.ts';
import { statusText } from './status-text.ts';
import { decidedByData, fits } from './subject.ts';
import type { LaunchRun, LaunchSubject } from './subject.ts';
import { Trials } from './trials.ts';
import { ORDINARY } from './values.ts';

/** What came of a kernel: the run that is shown, and what its verdict says. */
interface Conclusion {
  readonly shown: LaunchRun | undefined;
  readonly verdict: CheckResult['verdict'];
  readonly reason?: string;
  readonly notes?: readonly string[];
  /** The findings, where they are not those of the run. */
  readonly findings?: readonly Finding[];
  /** Whether the error of the run rests on a guess. */
  readonly isPossible?: boolean;
  readonly origins: ShapeOrigins;
  readonly base: number;
}

/** Checks a kernel at the launches that its text allows. */
export async function checkLaunches(
  subject: LaunchSubject,
  options: CheckOptions,
): Promise<CheckResult> {
  const started = options.now?.() ?? 0;
  const trials = new Trials(subject, options);
  const { skeleton } = subject;
  if (skeleton.facts.synchronizing === 0) return nothingToProve(readableName(skeleton.entry.name));
  const shapes = shapesOf(skeleton);
  if (options.replay !== undefined || options.example === true)
    return atOneLaunch(trials, shapes[0]!);
  const found = isGuessed(skeleton)
    ? await atGuessedShapes(trials, await searchShapes(trials, shapes))
    : await atKnownShape(trials, shapes[0]!);
  const elapsedMs = (options.now?.() ?? 0) - started;
  return resultOf(trials, found, elapsedMs);
}

/** One launch alone, whose schedule is wanted. */
async function atOneLaunch(trials: Trials, shape: Shape): Promise<CheckResult> {
  const { skeleton } = trials.subject;
  const run = await trials.add({ shape, base: ORDINARY[0], role: 'given' });
  return { ...run.result, launch: launchScope(skeleton, run, [run], originsOf(skeleton, 'tried')) };
}

/** A kernel whose block and cluster are known. */
async function atKnownShape(trials: Trials, shape: Shape): Promise<Conclusion> {
  const { skeleton } = trials.subject;
  const quick = hasGuessedNumbers(skeleton) ? await atQuick(trials, shape, false) : null;
  const at = await atOrdinary(trials, shape, quick);
  const { ordinary, base } = at;
  const about = { origins: originsOf(skeleton, 'tried'), base };
  const ended = ordinary.filter(fits);
  const supplied = ended.find(({ role, outcome }) => role === 'given' && outcome === 'error');
  if (supplied !== undefined && isOnlySupplied(trials, ended))
    return { ...about, shown: supplied, verdict: 'counterexample' };
  if (ended.length === 0) return { ...about, ...noneFits(ordinary, trials) };
  const isOfGrid = ended.every((run) => isBetweenGuessed(run, skeleton));
  if (statusOf(ordinary) === 'error' && !isOfGrid) {
    const notes = await firstFailing(trials, at);
    const shown = quick?.outcome === 'error' ? quick : ended[0];
    return { ...about, shown, verdict: 'counterexample', notes };
  }
  const byData = await hangByData(trials, at, quick);
  if (byData !== null)
    return { ...about, shown: byData.run, verdict: 'counterexample', findings: byData.findings };
  const first = quick === null ? [] : [quick];
  const isOpen = ended.some(({ outcome }) => outcome === 'open');
  const special = isOpen ? [] : await atSpecial(trials, at);
  return { ...about, ...decided([...ordinary, ...first, ...special], trials, base) };
}

/** Whether errors at values of the user are certain: all other numbers are known, too. */
function isOnlySupplied(trials: Trials, ended: readonly LaunchRun[]): boolean {
  const errors = ended.filter(({ outcome }) => outcome === 'error');
  const values = trials.subject.skeleton.supplied.values;
  // With guessed numbers beside the supplied ones, each ordinary run has to fail.
  const open = ended.some(({ choice }) =>
    [...choice.values.keys()].some((name) => !values.has(name)),
  );
  return !open || errors.length === ended.length;
}

/** Why no launch was found; a race with each of the numbers is shown. */
function noneFits(
  runs: readonly LaunchRun[],
  trials: Trials,
): Pick<Conclusion, 'shown' | 'verdict' | 'reason' | 'isPossible'> {
  const [first] = runs;
  const { skeleton } = trials.subject;
  const overlapping = runs.find(({ fault }) => fault?.rule === 'overlap');
  if (overlapping !== undefined) {
    const reason = possibleReason(overlapping, skeleton, 0);
    return { shown: overlapping, verdict: 'inconclusive', reason, isPossible: true };
  }
  const hint = 'give --param and --block, or --launch';
  const isLate = trials.isTimeUp && (first === undefined || first.outcome === 'unended');
  if (isLate) {
    const reason = `${trials.timeoutReason}; ${hint}`;
    return { shown: first, verdict: 'inconclusive', reason };
  }
  const why =
    first === undefined
      ? 'none could be tried'
      : (first.fault?.text ?? openReason(first, skeleton));
  const where = first === undefined ? '' : ` under ${shapeText(first.choice)}`;
  const reason = `no launch that was tried fits${where}: ${why}; ${hint}`;
  return { shown: undefined, verdict: 'inconclusive', reason };
}

/** What some runs of right shapes say. */
function decided(
  runs: readonly LaunchRun[],
  trials: Trials,
  base: number,
): Pick<Conclusion, 'shown' | 'verdict' | 'reason' | 'isPossible' | 'notes'> {
  const { skeleton } = trials.subject;
  const wrong = runs.find(({ outcome }) => outcome === 'error');
  if (wrong !== undefined) {
    const reason = possibleReason(wrong, skeleton, base);
    return { shown: wrong, verdict: 'inconclusive', reason, isPossible: true };
  }
  const open = runs.find(({ outcome }) => outcome === 'open');
  if (open !== undefined) {
    return { shown: open, verdict: 'inconclusive', reason: openReason(open, skeleton) };
  }
  const right = runs.find(({ outcome }) => outcome === 'certified');
  if (right === undefined || right.reference.coverage!.synchronizing.length === 0)
    return { shown: right, verdict: 'inconclusive', reason: NOTHING_REACHED };
  const { left } = trials;
  const untried = `${counted(left, 'value')} that the text names could not be tried`;
  if (left > 0 && trials.isTimeUp)
    return { shown: right, verdict: 'inconclusive', reason: `${untried}: raise --timeout` };
  return { shown: right, verdict: 'certified', notes: left > 0 ? [untried] : [] };
}

const NOTHING_REACHED =
  'nothing to prove: no launch that was tried reaches an instruction that synchronizes';

/** Why a launch is undecided, with the value at which it is, and what to give. */
function openReason({ result, special, reference }: LaunchRun, skeleton: Skeleton): string {
  const place = decidedByData(reference) ?? reference.undecided;
  // What takes too long waits for no data.
  const at = place?.isOfSize === true ? undefined : place?.position?.[INSTRUCTION];
  const pointers = at === undefined ? [] : pointersBehind(skeleton, at);
  const hint = pointers.map(({ parameter, name }) => {
    return `; give what ${name} holds with --param ${parameter}=@FILE.json: its data decides it`;
  });
  const why = result.reason ?? 'it is undecided';
  // There is no launch file whose numbers are set.
  const reason = `${why.replaceAll(/--set (?=\S+=N)/g, '--param ')}${hint.join('')}`;
  return special === null ? reason : `at ${special.slot.name}=${grouped(special.value)}: ${reason}`;
}

/** A kernel whose block or cluster is guessed. */
async function atGuessedShapes(trials: Trials, search: ShapeSearch): Promise<Conclusion> {
  const { skeleton } = trials.subject;
  const { shapes, from, refused } = search;
  const [first] = shapes;
  const about = { origins: originsOf(skeleton, from ?? 'tried'), base: first?.base ?? 0 };
  if (first === undefined) return { ...about, ...noneFits(refused, trials) };
  if (from === null) return { ...about, ...(await undecidedShape(search, trials)) };
  const right = shapes.filter(({ status }) => status === 'certified').toReversed();
  const runs: LaunchRun[] = [];
  // Of many right shapes the largest and the smallest stand for the others. An error in few threads
  // is shown before the same one in many.
  const [largest, smallest] = [right[0]!, right.at(-1)!];
  const chosen = right.length > 2 ? [smallest, largest] : right.toReversed();
  for (const each of right) runs.push(...each.ordinary);
  for (const each of chosen) {
    const special = await atSpecial(trials, each);
    runs.push(...special);
    if (special.some(({ outcome }) => outcome === 'error')) break;
  }
  return { ...about, ...decided(runs, trials, right[0]!.base) };
}

/** Shapes whose failing schedules are looked for. */
const MAX_SHOWN = 3;

/** Shapes that differ: a table of them, and the flag that decides. */
async function undecidedShape(
  { shapes }: ShapeSearch,
  trials: Trials,
): Promise<Pick<Conclusion, 'shown' | 'verdict' | 'reason' | 'isPossible' | 'notes'>> {
  const notes = [`tried: ${statusText(shapes)}`];
  const isWrong = ({ status }: TriedShape): boolean => status !== 'certified' && status !== 'open';
  const big = shapes.filter(isBig);
  for (const { shape, base } of (big.length > 0 ? big : shapes)
    .filter(isWrong)
    .slice(0, MAX_SHOWN)) {
    const wrong = await trials.add({ shape, base, role: 'small' });
    if (wrong.outcome !== 'error') continue;
    const reason = possibleReason(wrong, trials.subject.skeleton, 0);
    return { shown: wrong, verdict: 'inconclusive', reason, isPossible: true, notes };
  }
  const all = shapes.flatMap(({ ordinary }) => ordinary);
  const open = all.find(({ outcome }) => outcome === 'open');
  const why =
    open === undefined
      ? trials.isTimeUp
        ? trials.timeoutReason
        : 'the PTX allows several blocks'
      : openReason(open, trials.subject.skeleton);
  return { shown: open, verdict: 'inconclusive', reason: `${why}; give --block`, notes };
}

/** What is undecided of a kernel that was not run. */
function nothingToProve(kernel: string): CheckResult {
  return {
    kernel,
    params: {},
    verdict: 'inconclusive',
    scope: { params: {}, every: [], assumptions: [], sizes: [] },
    findings: [],
    reason: 'nothing to prove: the text has no synchronizing instruction',
    stats: { engine: 'certify', events: 0, states: 0, transitions: 0, elapsedMs: 0 },
  };
}

function resultOf(trials: Trials, found: Conclusion, elapsedMs: number): CheckResult {
  const { runs, subject } = trials;
  const { skeleton } = subject;
  const { verdict, origins } = found;
  const shown = found.shown ?? runs[0]!;
  const about =
    verdict === 'certified' ? runs.filter(({ outcome }) => outcome === 'certified') : [shown];
  const covered = new Coverage();
  for (const [index, { reference }] of about.entries()) covered.addRun(reference, String(index));
  const coverage = covered.result;
  const assumptions = uniqueAssumptions(about.flatMap(({ result }) => result.scope.assumptions));
  const { result } = shown;
  const rests = restsOf(shown, skeleton, found.base);
  const isHidden = verdict === 'inconclusive' && found.isPossible !== true;
  const errors = found.findings ?? result.findings;
  const findings = found.isPossible === true ? asPossible(errors, rests) : errors;
  const events = about.reduce((sum, each) => sum + each.result.stats.events, 0);
  const launch = launchScope(skeleton, shown, aboutShapes(runs, shown, verdict), origins);
  const { notes: remarks = [] } = trials.subject;
  const notes = [...remarks, ...(found.notes ?? []), ...(result.notes ?? [])];
  return {
    kernel: result.kernel,
    params: result.params,
    ...(result.example === undefined ? {} : { example: result.example }),
    verdict,
    ...(found.reason === undefined ? {} : { reason: found.reason }),
    scope: { ...result.scope, assumptions: verdict === 'certified' ? assumptions : [] },
    findings: isHidden ? [] : findings,
    ...(notes.length === 0 ? {} : { notes }),
    launch,
    ...(coverage === undefined ? {} : { coverage }),
    stats: { ...result.stats, events, elapsedMs },
  };
}

/** The runs that a verdict is about: a certificate is about those that are certified. */
function aboutShapes(
  runs: readonly LaunchRun[],
  shown: LaunchRun,
  verdict: CheckResult['verdict'],
): LaunchRun[] {
  const shapes = new Set(
    (verdict === 'certified' ? runs.filter(({ outcome }) => outcome === 'certified') : [shown]).map(
      ({ choice }) => shapeText(choice),
    ),
  );
  return runs.filter(({ choice, outcome }) => shapes.has(shapeText(choice)) && outcome !== 'error');
}
