// One line for each result: the verdict, its scope, and its cost.
import { assumptionRow, assumptionText } from '@poundlock/core/internal/finding';
import type {
  Assumption,
  CheckResult,
  Finding,
  Parameters,
  MissedInstruction,
  ResultCoverage,
} from '@poundlock/core/internal/finding';
import { WORK_WORDS } from './glossary/index.ts';
import { launchNotes, launchText } from './launch.ts';
import type { Paint } from './paint.ts';
import { widthOf } from './width.ts';
import { hanging } from './wrapped.ts';
import {
  counted,
  duration,
  formatPosition,
  grouped,
  rangesOf,
} from '@poundlock/core/internal/base';

/**
 * `gemm (stages=3, every tiles)`, `tile_sum (every tiles up to 2,147,483,640)`,
 * `tile_sum (every tiles if the period seen holds)`, or
 * `gemm (stages=3, tiles=16; also tiles=1–4, 6, 15 and 17; not tiles=0: warning)`.
 */
export function subject(result: CheckResult): string {
  if (result.launch?.from === 'inferred')
    return `${result.kernel} (${launchText(result.launch, result.verdict === 'certified')})`;
  const { every, periods = [] } = result.scope;
  const most = new Map(periods.map(({ parameter, most: upTo }) => [parameter, upTo]));
  const fixed = Object.entries(result.params).filter(([name]) => !every.includes(name));
  const words = [
    ...fixed.map(([name, value]) => `${name}=${value}`),
    ...every.map((name) => {
      const upTo = most.get(name);
      if (upTo === undefined) return `every ${name}`;
      if (upTo === null) return `every ${name} if the period seen holds`;
      return `every ${name} up to ${grouped(upTo)}`;
    }),
  ];
  const parts = [
    ...(words.length === 0 ? [] : [words.join(', '), ...alsoCertified(result)]),
    ...aloneIn(result.scope),
  ];
  return parts.length === 0 ? result.kernel : `${result.kernel} (${parts.join('; ')})`;
}

/** `block 7,0,0 of 8 alone`. */
function aloneIn({ blocks }: CheckResult['scope']): string[] {
  if (blocks?.isAlone !== true) return [];
  const names = blocks.classes.map(({ block }) => block.join());
  const what = names.length === 1 ? 'block' : 'blocks';
  return [`${what} ${names.join(' and ')} of ${grouped(blocks.total)} alone`];
}

/** Ranges of one class that are listed. */
const MOST_RANGES = 8;

/** `covers 132 blocks in 2 classes (0–75, 76–131)`; nothing where all blocks were executed. */
export function blocksText({ scope: { blocks } }: CheckResult): string | undefined {
  if (blocks === undefined || blocks.isAlone === true) return undefined;
  const { total, clusterSize, classes } = blocks;
  const clusters = total / clusterSize;
  const what = clusterSize === 1 ? '' : ` in ${grouped(clusters)} clusters`;
  const ranges = classes.map((each) => {
    const texts = each.ranges.map(([first, last]) =>
      first === last ? `${first}` : `${first}–${last}`,
    );
    const more = texts.length - MOST_RANGES;
    return more > 0
      ? `${texts.slice(0, MOST_RANGES).join(' and ')} and ${more} more`
      : texts.join(' and ');
  });
  const listed = classes.length === 1 ? '' : ` (${ranges.join(', ')})`;
  const count = classes.length === 1 ? '1 class' : `${classes.length} classes`;
  return `covers ${grouped(total)} blocks${what} in ${count}${listed}`;
}

/** Missed instructions that are listed. */
const MOST_LISTED = 4;

/** Remarks on a verdict, a sentence each. */
export function notesOf({ notes = [], scope, launch, verdict }: CheckResult): string[] {
  const { launches = [] } = scope;
  const open = launches.filter(({ verdict }) => verdict === 'inconclusive');
  return [
    ...notes,
    ...(launch === undefined ? [] : launchNotes(launch, verdict === 'certified')),
    ...checkedOneByOne(scope),
    ...open.map(({ file, index, reason }) => `launch ${index} of ${file} is undecided: ${reason}`),
  ];
}

/** Values beside those that a proof for every value covers: `tiles=0–4 were checked one by one`. */
function checkedOneByOne({ every, sizes }: CheckResult['scope']): string[] {
  return sizes
    .filter(({ parameter, certified }) => every.includes(parameter) && certified.length > 0)
    .map(
      ({ parameter, certified }) => `${parameter}=${rangesOf(certified)} were checked one by one`,
    );
}

/** What a result rests on. */
export function assumptionsOf({ scope }: CheckResult): ShownAssumption[] {
  return shownAssumptions(scope.assumptions);
}

/** `covered 41 of 41 synchronizing instructions over 5 sizes, 1,386 of 2,025 in all`. */
export function coverageText(coverage: ResultCoverage): string {
  const { sizes, reached, instructions, synchronizing, synchronizingReached, missed, forms } =
    coverage;
  const some = `${grouped(synchronizingReached)} of ${grouped(synchronizing)}`;
  const over = sizes === 1 ? '' : ` over ${grouped(sizes)} sizes`;
  const all = `${grouped(reached)} of ${grouped(instructions)} in all`;
  const kinds = forms === undefined ? '' : ` of ${counted(forms.length, 'form')}`;
  const text = `covered ${some} synchronizing instructions${over}, ${all}${kinds}`;
  if (missed.length === 0) return text;
  const named = ({ opcode, ptxLine: _line, ...at }: MissedInstruction): string => {
    const [name] = /^cp\.async\.bulk(\.tensor)?|^\w+(\.\w+)?/.exec(opcode) ?? [opcode];
    return `${name} (${formatPosition(at)}`;
  };
  // A loop that is unrolled has an instruction several times.
  const places = [...Map.groupBy(missed, named)].slice(0, MOST_LISTED);
  const listed = places.map(([name, copies]) => {
    const lines = copies.map(({ ptxLine }) => ptxLine).join(', ');
    return `${name}, PTX ${copies.length === 1 ? 'line' : 'lines'} ${lines})`;
  });
  const left = missed.length - places.reduce((sum, [, copies]) => sum + copies.length, 0);
  return `${text}; not reached: ${listed.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** The other sizes that a certificate is about, beside those that it proves at once. */
function alsoCertified({ verdict, scope: { every, sizes, launches = [] } }: CheckResult): string[] {
  if (verdict !== 'certified') return [];
  const values = sizes
    .filter(({ parameter, certified }) => certified.length > 0 && !every.includes(parameter))
    .map(({ parameter, certified }) => `also ${parameter}=${rangesOf(certified)}`);
  const failed = sizes
    .filter(({ undeclared = [] }) => undeclared.length > 0)
    .map(({ parameter, undeclared }) => `not ${parameter}=${rangesOf(undeclared!)}: warning`);
  values.push(...failed);
  const right = launches.filter((one) => one.verdict === 'certified').length;
  return right === 0 ? values : [...values, `also ${counted(right, 'other launch')}`];
}

/** What a verdict rests on: what was asked, or what is assumed, with the word that says which. */
export interface ShownAssumption {
  readonly word: 'assumes' | 'for';
  readonly text: string;
}

/** What a verdict rests on, a sentence each with its name: `a trap … is not reached [no-trap]`. */
export function shownAssumptions(assumptions: readonly Assumption[]): ShownAssumption[] {
  return assumptions.map((one) => {
    const word = assumptionRow(one.name).class === 'about' ? 'for' : 'assumes';
    const text = assumptionText(one);
    // A practice begins with its name.
    return { word, text: text.startsWith(`${one.name} `) ? text : `${text} [${one.name}]` };
  });
}

/** `gemm (stages=3, tiles=16)`. */
export function titleOf({ kernel, params }: Pick<CheckResult, 'kernel' | 'params'>): string {
  const text = parametersAsText(params);
  return text === '' ? kernel : `${kernel} (${text})`;
}

/** `stages=3, tiles=16`. */
export function parametersAsText(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

function withSeverity(result: CheckResult, severity: Finding['severity']): Finding[] {
  return result.findings.filter((finding) => finding.severity === severity);
}

function afterSteps(steps: number): string {
  return steps === 0 ? ' at the start' : ` after ${counted(steps, 'step')}`;
}

function counterexample(errors: readonly Finding[]): string {
  const [first] = errors;
  if (first === undefined) return 'a schedule fails';
  const after = first.trace === undefined ? '' : afterSteps(first.trace.length);
  const more = errors.length > 1 ? `, and ${counted(errors.length - 1, 'more error')}` : '';
  return `${first.rule}${after}${more}`;
}

/** A bound that was reached is shown with the option that raises it. */
function inconclusive(reason: string): string {
  const [, bound] = [...reason.matchAll(/\bbound ([a-z-]+)/g)].at(-1) ?? [];
  const option = RAISED_BY.get(bound ?? '');
  return option === undefined ? reason : `${reason}, raise --${option}`;
}

/** Bounds with an option; the others are limits of the engines. */
const RAISED_BY: ReadonlyMap<string, string> = new Map([
  ['max-states', 'max-states'],
  ['max-events', 'max-events'],
  ['timeout', 'timeout'],
  ['search-time', 'timeout'],
]);

/** Explains a verdict: `no interleaving can …`, `deadlock after 8 steps`. */
export function statement(result: CheckResult): string {
  switch (result.verdict) {
    case 'certified':
      return 'no interleaving can deadlock, race or misuse a stage';
    case 'counterexample':
      return counterexample(withSeverity(result, 'error'));
    case 'inconclusive':
      return inconclusive(result.reason ?? 'the search did not finish');
  }
}

/** What the schedule beside the findings shows; a replay has the trace of its finding, if any. */
export function exampleTitle({ stats, findings }: CheckResult): string | undefined {
  if (stats.engine !== 'replay') return 'example: every role ends after these steps';
  return findings.length === 0 ? 'replay: after these steps' : undefined;
}

/** The color of a verdict. */
export function verdictPaint(verdict: CheckResult['verdict'], paint: Paint) {
  if (verdict === 'certified') return paint.good;
  return verdict === 'counterexample' ? paint.error : paint.warning;
}

/** What was done; of what a bound ended, how far it came. */
function work({ stats, verdict }: CheckResult): string {
  const { engine, events, states, transitions, unfinished } = stats;
  const word = WORK_WORDS[engine];
  if (engine === 'replay') return counted(transitions, word);
  if (unfinished !== undefined) {
    const open = `${grouped(unfinished.open)} open`;
    return `${counted(states, 'state')} to depth ${grouped(unfinished.depth)}, ${open}`;
  }
  const isOpen = verdict === 'inconclusive';
  if (isOpen && engine === 'certify') return `no certificate after ${counted(events, word)}`;
  if (isOpen && states + events === 0) return 'not searched';
  if (engine === 'witness') return word;
  if (engine === 'certify') return `by certificate, ${counted(events, word)}`;
  if (engine === 'hybrid') return `by certificate, ${counted(states, word)}`;
  return counted(states, word);
}

/** `1 warning, 12,345 states, 0.12 s`. */
export function workText(result: CheckResult): string {
  const warnings = withSeverity(result, 'warning').length;
  const { elapsedMs } = result.stats;
  // The result of a job has no time: it is the same wherever it ran.
  const facts = [work(result), ...(elapsedMs > 0 ? [duration(elapsedMs)] : [])];
  if (warnings > 0) facts.unshift(counted(warnings, 'warning'));
  return facts.join(', ');
}

/** `certified  gemm (stages=3): no interleaving can … · 12,345 states, 0.12 s`. */
export function summaryLine(result: CheckResult, paint: Paint, columns?: number): string {
  const verdict = verdictPaint(result.verdict, paint)(paint.strong(result.verdict));
  const indent = 3;
  const before = result.verdict.length + 2;
  const lines = hanging(`${subject(result)}: ${statement(result)}`, { columns, before, indent });
  const cost = `· ${workText(result)}`;
  const last = (lines.length === 1 ? before : 0) + widthOf(`${lines.at(-1)} ${cost}`);
  const isBroken = columns !== undefined && last > columns;
  const gap = isBroken ? `\n${' '.repeat(indent)}` : ' ';
  return `${verdict}  ${lines.join('\n')}${gap}${paint.faint(cost)}`;
}
