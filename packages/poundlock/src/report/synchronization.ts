// The review of synchronizing instructions in the order and wording that all reporters share.
import { counted, formatPosition, grouped } from '@poundlock/core/internal/base';
import type {
  InstructionPlace,
  ReportedAdvice,
  ReviewedSize,
  SimulatedGain,
  SynchronizationAdvice,
  SynchronizationReview,
} from '@poundlock/core/internal/finding';
import { entriesOf, stayingCopies, type AdviceEntry, type Answer } from './folded-advice.ts';
import type { Table } from './table-data.ts';
import { shownAssumptions } from './summary.ts';

/** PTX lines that are listed of one line of the source. */
const MOST_LISTED = 12;
/** Reasons that are listed of one entry. */
const MOST_REMARKS = 3;

/** A compiler that finds no fence of registers has one of its own. */
const PUT_BACK = 'ptxas puts one in its place (C7519), and may then serialize the work: no gain';

/** What is said of each kind of answer, in this order. */
export const HEADINGS: readonly (readonly [Answer, string])[] = [
  ['unnecessary', 'can be deleted, all of these together'],
  ['weaker', 'can wait for less'],
  ['alternative', 'can be deleted instead of others'],
  ['copies', 'can be deleted in some copies that the compiler made, but not in the source'],
  ['practice', 'works without it in practice, but the PTX ISA does not promise that'],
  ['necessary', 'needed'],
  ['undecided', 'not shown to be unnecessary'],
  ['unreached', 'not reached, so nothing is known'],
];

/** `kernel.cu:12:3 (PTX lines 70 and 91)`. */
export function placeText({ advices, places }: AdviceEntry): string {
  const { file, line, column } = advices[0]!;
  return `${formatPosition({ file, line, column })} (PTX ${linesText(places)})`;
}

/** The opcodes of an instruction and of those that go with it. */
export function opcodeText({ opcode, partners }: SynchronizationAdvice): string {
  const others = new Set(partners.map((partner) => partner.opcode));
  others.delete(opcode);
  return [opcode, ...others].join(' + ');
}

/** How often a warp executes it, and what that costs. */
export function costText({ answer, executions, cycles }: AdviceEntry): string {
  if (answer === 'unreached') return '';
  const cost = cycles === null ? 'cost not measured' : counted(cycles, 'cycle');
  return `${counted(executions, 'time')}, ${cost}`;
}

/** What the kernel as a whole gains; empty where that is not known, or nothing to do. */
export function gainOfEntry({ answer, gain }: AdviceEntry): string {
  return gain === null || answer === 'copies' ? '' : gainText(gain);
}

/** What else there is to say of an entry, a sentence each. */
export function remarksOfEntry(
  { advices }: AdviceEntry,
  all: readonly SynchronizationAdvice[],
): string[] {
  const remarks = [...new Set(advices.flatMap((advice) => remarksOn(advice, all)))];
  if (remarks.length <= MOST_REMARKS) return remarks;
  const more = remarks.length - MOST_REMARKS;
  return [...remarks.slice(0, MOST_REMARKS), `… and ${counted(more, 'more reason')}`];
}

/** What else there is to say of an instruction, a sentence each. */
export function remarksOn(
  advice: SynchronizationAdvice,
  all: readonly SynchronizationAdvice[],
): string[] {
  const { verdict, change, rule, why, instead, unreached, does } = advice;
  const remarks: string[] = [];
  if (verdict === 'weaker' && change !== null) remarks.push(change);
  if (verdict === 'alternative')
    remarks.push(`if these stay: ${instead.map((index) => shortPlace(all[index]!)).join(', ')}`);
  if (why !== null) remarks.push(rule === null ? why : `${rule}: ${why}`);
  if (change !== null && does === 'register fence') remarks.push(PUT_BACK);
  const staying = change === null ? [] : stayingCopies(advice, all);
  if (staying.length > 0)
    remarks.push(`the same line of the source has to stay in PTX ${linesText(staying)}`);
  if (unreached.length > 0) {
    const lines = linesText(unreached);
    remarks.push(`nothing is known of its copies in PTX ${lines}: no size reached them`);
  }
  return remarks;
}

/** `line 70`, `lines 70, 91`. */
function linesText(places: readonly InstructionPlace[]): string {
  const listed = places.slice(0, MOST_LISTED).map(({ ptxLine }) => ptxLine);
  const more = places.length > MOST_LISTED ? `, … ${places.length} in all` : '';
  return `${places.length === 1 ? 'line' : 'lines'} ${listed.join(', ')}${more}`;
}

function shortPlace({ file, line, ptxLine }: InstructionPlace): string {
  return `${file}:${line} (PTX line ${ptxLine})`;
}

/** What the kernel as a whole gains, by simulation. */
function gainText({ cycles, least, most }: SimulatedGain): string {
  if (least <= 0 && most >= 0) return 'the kernel ends no sooner';
  const [low, high] = [least, most].map(Math.abs).toSorted((a, b) => a - b);
  const range = low === high ? '' : `, ${grouped(low!)} to ${grouped(high!)}`;
  return `the kernel ends ${grouped(Math.abs(cycles))} ${cycles > 0 ? 'sooner' : 'later'}${range}`;
}

/** What all changes gain together, and how far that can be trusted. */
function simulatedLines(
  { simulated, instructions }: SynchronizationReview,
  model: string,
): string[] {
  if (simulated === null) return [];
  const { runs, totalCycles, gain } = simulated;
  const share = ((Math.abs(gain.cycles) / totalCycles) * 100).toFixed(1);
  const hasCopies = entriesOf(instructions).some(({ answer }) => answer === 'copies');
  const what = hasCopies ? 'all of it together, copies too' : 'all of it together';
  return [
    `${what}: ${gainText(gain)}, of ${counted(totalCycles, 'cycle')} (${share} %)`,
    `simulated on ${model} ${runs} times with other latencies, without the arithmetic of the ` +
      'kernel: of 15 kernels on an H100 12 gained, a quarter to 27 times of it, and 3 lost',
  ];
}

/** Sizes that are listed of one launch. */
const MOST_SIZES = 16;

/** `kernel.launch.json: launch 0 with n=8; n=0, 1, 2`: sizes by their launches. */
function sizeTexts(sizes: readonly ReviewedSize[]): string[] {
  const launches = Map.groupBy(sizes, ({ file, launch }) => `${file} launch ${launch}`);
  return [...launches].map(([launch, list]) => {
    const texts = list.map(({ params }) =>
      Object.entries(params)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    );
    const listed = texts.filter((text) => text !== '').slice(0, MOST_SIZES);
    const more = texts.length > MOST_SIZES ? `, … ${texts.length} in all` : '';
    return listed.length === 0 ? launch : `${launch} (${listed.join(', ')}${more})`;
  });
}

/** What claims for some sizes leave open. */
function otherSizes(sizes: readonly ReviewedSize[]): string[] {
  const names = [...new Set(sizes.flatMap(({ params }) => Object.keys(params)))];
  if (names.length === 0) return [];
  const what = `what can be deleted at these sizes may be needed at other values of`;
  return [`${what} ${names.join(', ')}: --every NAME tries to prove every value`];
}

/** What the PTX ISA says of a kernel, and of what can be deleted. */
function isaText(isa: boolean | null): string {
  if (isa === true)
    return 'with and without them the kernel holds by the text of the PTX ISA alone';
  return isa === false
    ? 'the kernel relies on what the PTX ISA does not promise: without them at no other places'
    : 'the PTX ISA alone does not prove the kernel: without them it relies on no more practices';
}

/** What the claims are about and rely on, a sentence each. */
export function scopeLines(review: SynchronizationReview, model: string): string[] {
  const { sizes, untried, every, isa, assumptions, unreached, total, isCut } = review;
  const { unjudged } = review;
  if (unjudged !== null) return [`nothing is claimed: ${unjudged}`];
  const isClaimed = review.instructions.some(({ change }) => change !== null);
  return [
    ...simulatedLines(review, model),
    `proved at ${counted(sizes.length, 'size')}: ${sizeTexts(sizes).join('; ')}`,
    ...(untried.length === 0 ? [] : [`not tried: ${sizeTexts(untried).join('; ')}`]),
    ...(every === null
      ? []
      : [`for every ${every}: interleavings and fences; global memory and lanes at these sizes`]),
    ...(isClaimed && every === null ? otherSizes(sizes) : []),
    'for the first cluster of the grid; compile and check again after deleting',
    ...(isClaimed ? [isaText(isa)] : []),
    ...(unreached === 0
      ? []
      : [`${grouped(unreached)} of ${grouped(total)} instructions were not reached`]),
    ...shownAssumptions(assumptions).map(({ word, text }) => `${word}: ${text}`),
    ...(isCut ? ['the time was up before all was tried'] : []),
  ];
}

/** One sentence: how many lines can go. */
export function reviewHeadline({ instructions }: SynchronizationReview): string {
  const entries = entriesOf(instructions);
  const copies = (of: (answer: Answer) => boolean): number =>
    entries.reduce((sum, { answer, places }) => (of(answer) ? sum + places.length : sum), 0);
  const all = copies((answer) => answer !== 'unreached');
  const parts = copies((answer) => answer === 'copies');
  const free = `${grouped(copies((answer) => answer === 'unnecessary'))} of ${grouped(all)}`;
  const text = `${free} synchronizing instructions can be deleted together`;
  return parts === 0 ? text : `${text}, and ${grouped(parts)} more in copies of lines that stay`;
}

/** The headline of a kernel as built. */
export function reviewOf({ synchronization }: ReportedAdvice): string {
  return synchronization === undefined ? 'nothing to review' : reviewHeadline(synchronization);
}

/** One row for each line that was reached. */
export function reviewTable({ instructions }: SynchronizationReview): Table {
  const entries = entriesOf(instructions);
  const rows = HEADINGS.flatMap(([answer]) =>
    entries
      .filter((entry) => entry.answer === answer)
      .map((entry) => [
        answer === 'copies' ? 'unnecessary in part' : answer,
        opcodeText(entry.advices[0]!),
        placeText(entry),
        costText(entry),
        gainOfEntry(entry),
        remarksOfEntry(entry, instructions).join('; '),
      ]),
  );
  const titles = ['verdict', 'instruction', 'place', 'cost', 'gain', 'remarks'];
  return { heading: titles.map((title) => ({ title, isNumber: false })), rows };
}
