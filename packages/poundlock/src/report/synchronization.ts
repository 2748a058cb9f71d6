// The review of synchronizing instructions in the order and wording that all reporters share.
import { counted, formatPosition, grouped } from '@poundlock/core/internal/base';
import type {
  InstructionPlace,
  Necessity,
  ReportedAdvice,
  ReviewedSize,
  SynchronizationAdvice,
  SynchronizationReview,
} from '@poundlock/core/internal/finding';
import type { Table } from './table-data.ts';

/** PTX lines that are listed of one line of the source. */
const MOST_LISTED = 12;

/** A compiler that finds no fence of registers has one of its own. */
const PUT_BACK = 'ptxas puts one in its place (C7519), and may then serialize the work: no gain';

/** What is said of each kind of answer, in this order. */
export const HEADINGS: readonly (readonly [Necessity, string])[] = [
  ['unnecessary', 'can be deleted, all of these together'],
  ['weaker', 'can wait for less'],
  ['alternative', 'can be deleted instead of others'],
  ['practice', 'works without it in practice, but the PTX ISA does not promise that'],
  ['necessary', 'needed'],
  ['undecided', 'not shown to be unnecessary'],
  ['unreached', 'not reached, so nothing is known'],
];

/** `kernel.cu:12:3 (PTX lines 70 and 91)`. */
export function placeText(advice: SynchronizationAdvice): string {
  const { file, line, column, partners } = advice;
  return `${formatPosition({ file, line, column })} (PTX ${linesText([advice, ...partners])})`;
}

/** The opcodes of an instruction and of those that go with it. */
export function opcodeText({ opcode, partners }: SynchronizationAdvice): string {
  const others = new Set(partners.map((partner) => partner.opcode));
  others.delete(opcode);
  return [opcode, ...others].join(' + ');
}

/** How often a warp executes it, and what that costs. */
export function costText({ verdict, executions, cycles }: SynchronizationAdvice): string {
  if (verdict === 'unreached') return '';
  const times = counted(executions, 'time');
  return cycles === null ? `${times}, cost not measured` : `${times}, ${counted(cycles, 'cycle')}`;
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
  const needed = copiesIn(advice, all);
  if (change !== null && needed.length > 0)
    remarks.push(`the same line of the source has it in PTX ${needed}, too, where it has to stay`);
  if (unreached.length > 0) {
    const lines = linesText(unreached);
    remarks.push(`nothing is known of its copies in PTX ${lines}: no size reached them`);
  }
  return remarks;
}

/** Other copies of the same line of the source, where not all can be deleted: their PTX lines. */
function copiesIn(
  { file, line, column, opcode, ptxLine }: SynchronizationAdvice,
  all: readonly SynchronizationAdvice[],
): string {
  const copies = all.filter((other) => {
    const isSame = other.file === file && other.line === line && other.column === column;
    const hasToStay = other.verdict !== 'unnecessary' && other.verdict !== 'unreached';
    return isSame && hasToStay && other.opcode === opcode && other.ptxLine !== ptxLine;
  });
  return copies.length === 0 ? '' : linesText(copies.flatMap((each) => [each, ...each.partners]));
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

/** What the PTX ISA says of a kernel, and of what can be deleted. */
function isaText(isa: boolean | null): string {
  if (isa === true)
    return 'with and without them the kernel holds by the text of the PTX ISA alone';
  return isa === false
    ? 'the kernel relies on what the PTX ISA does not promise: without them at no other places'
    : 'the PTX ISA alone does not prove the kernel: without them it relies on no more practices';
}

/** What the claims are about and rely on, a sentence each. */
export function scopeLines(review: SynchronizationReview): string[] {
  const { sizes, untried, every, isa, assumptions, unreached, total, isCut } = review;
  const { unjudged } = review;
  if (unjudged !== null) return [`nothing is claimed: ${unjudged}`];
  const isClaimed = review.instructions.some(({ change }) => change !== null);
  return [
    `proved at ${counted(sizes.length, 'size')}: ${sizeTexts(sizes).join('; ')}`,
    ...(untried.length === 0 ? [] : [`not tried: ${sizeTexts(untried).join('; ')}`]),
    ...(every === null
      ? []
      : [`for every ${every}: interleavings and fences; global memory and lanes at these sizes`]),
    'for the first cluster of the grid; compile and check again after deleting',
    ...(isClaimed ? [isaText(isa)] : []),
    ...(unreached === 0
      ? []
      : [`${grouped(unreached)} of ${grouped(total)} instructions were not reached`]),
    ...assumptions.map((assumption) => `assumes: ${assumption}`),
    ...(isCut ? ['the time was up before all was tried'] : []),
  ];
}

/** One sentence: how many lines can go. */
export function reviewHeadline({ instructions }: SynchronizationReview): string {
  const all = instructions.filter(({ verdict }) => verdict !== 'unreached');
  const copies = (list: readonly SynchronizationAdvice[]): number =>
    list.reduce((sum, { partners }) => sum + 1 + partners.length, 0);
  const free = all.filter(({ verdict }) => verdict === 'unnecessary');
  const of = `${grouped(copies(free))} of ${grouped(copies(all))}`;
  return `${of} synchronizing instructions can be deleted together`;
}

/** The headline of a kernel as built. */
export function reviewOf({ synchronization }: ReportedAdvice): string {
  return synchronization === undefined ? 'nothing to review' : reviewHeadline(synchronization);
}

/** One row for each instruction that was reached. */
export function reviewTable({ instructions }: SynchronizationReview): Table {
  const rows = HEADINGS.flatMap(([verdict]) =>
    instructions
      .filter((advice) => advice.verdict === verdict)
      .map((advice) => [
        verdict,
        opcodeText(advice),
        placeText(advice),
        costText(advice),
        remarksOn(advice, instructions).join('; '),
      ]),
  );
  const titles = ['verdict', 'instruction', 'place', 'cost', 'remarks'];
  return { heading: titles.map((title) => ({ title, isNumber: false })), rows };
}
