// A kernel as built in all blocks of its grid: one cluster of each class was executed, and those
// that meet in global memory.
import { needsAccept, uniqueAssumptions } from '@poundlock/core/internal/finding';
import type {
  Assumption,
  BlockScope,
  CheckResult,
  Finding,
} from '@poundlock/core/internal/finding';
import type {
  AloneBlocks,
  Block,
  BlockAccess,
  BlockClasses,
  ExecutedBlocks,
  Kernel,
  PlacedText,
} from '@poundlock/core/internal/program';
import type { OfRun } from './closely.ts';
import { NOTHING } from './outcome.ts';
import { assumptionsOf, placed } from './reference.ts';

/** Checks the kernel as some of its blocks execute it. */
type CheckKernel = (kernel: Kernel) => Promise<CheckResult>;

const FIRST: Block = [0, 0, 0];

/** What decides how blocks are compared. */
export interface BlockQuestion {
  readonly isOver: () => boolean;
  /** Whether an access is where it is by guessed parts of a launch. */
  readonly isGuessedPlace: ((access: PlacedText) => boolean) | undefined;
}

/** What all classes together are: certified if each is, and wrong if one of them is. */
export async function checkBlocks(
  { result: first, reference: { blocks, alone } }: OfRun,
  { isOver, isGuessedPlace = () => false }: BlockQuestion,
  checkKernel: CheckKernel,
): Promise<CheckResult> {
  if (alone !== undefined) return withAlone(first, alone);
  if (blocks === undefined || first.verdict === 'counterexample') return first;
  const found: Block[] = [FIRST];
  const all = [...first.scope.assumptions];
  let open = first.verdict === 'inconclusive' ? first.reason! : null;
  let { events } = first.stats;
  const notes: string[] = [];
  const others = withoutGuesses(blocks.others(isOver), isGuessedPlace, notes);
  const warnings: Finding[] = [];
  let isCertified = false;
  for (let each = others.next(false); ; each = others.next(isCertified)) {
    if (each.done === true) {
      if (each.value !== null) open ??= placed(each.value);
      all.push(...assumptionsOf(blocks));
      break;
    }
    const { value } = each;
    const { kernel } = value;
    const own = kernel === null ? unordered(first, value) : await checkKernel(kernel);
    isCertified = isCertifiedAs(value, own);
    if (!isCertified && needNotHappen(value)) continue;
    if (own.verdict === 'counterexample') {
      const wrong = inBlocks(first, own, value, blocks);
      if (value.kind !== 'member' || !value.isWarning) return wrong;
      warnings.push(...wrong.findings.slice(0, 1).map(asWarning));
      continue;
    }
    if (!isCertified) open ??= `${whereOf(value)}: ${own.reason}`;
    noteClass(value, found, all, first);
    // What two clusters assume together each of them assumes.
    if (value.kind !== 'meeting') all.push(...own.scope.assumptions);
    events += own.stats.events;
  }
  const stats = { ...first.stats, events };
  const scope = { ...first.scope, assumptions: uniqueAssumptions(all) };
  if (open === null)
    return {
      ...first,
      stats,
      ...notesOf(first, notes),
      findings: [...first.findings, ...warnings],
      scope: { ...scope, blocks: scopeOf(blocks, found) },
    };
  const none = { ...first.scope, assumptions: [] };
  return { ...first, verdict: 'inconclusive', findings: [], reason: open, scope: none, stats };
}

/** Whether what blocks do stands for what others may do: by itself, that is no reason. */
function needNotHappen(value: ExecutedBlocks): boolean {
  return value.kind === 'class' && value.isOpened;
}

/** Whether blocks are certified, and what stands for others rests on no more than it may. */
function isCertifiedAs(value: ExecutedBlocks, { verdict, scope }: CheckResult): boolean {
  const isStrict = value.kind === 'class' && value.isStrict;
  const isMuch = isStrict && scope.assumptions.some(({ name }) => needsAccept(name));
  return verdict === 'certified' && !isMuch;
}

/** Adds the block that stands for a class; where they begin anew, those before do not count. */
function noteClass(
  value: ExecutedBlocks,
  found: Block[],
  assumed: Assumption[],
  first: CheckResult,
): void {
  if (value.kind !== 'class') return;
  if (value.isFirst) {
    found.length = 0;
    assumed.splice(0, assumed.length, ...first.scope.assumptions);
  }
  found.push(value.block);
}

const OF_ONE =
  'only one block is within the buffer: the launch may give the bytes of one block ("bytes")';

/** An access beyond a buffer of which the launch may say too little. */
function asWarning(finding: Finding): Finding {
  return { ...finding, severity: 'warning', notes: [...finding.notes, OF_ONE] };
}

/** What is said of blocks that were executed alone. */
function withAlone(first: CheckResult, alone: AloneBlocks): CheckResult {
  const { blocks, clusters, total, clusterSize } = alone;
  const classes = blocks.map((block, index) => {
    const cluster = clusters[index]!;
    return { block, ranges: [[cluster, cluster] as const] };
  });
  const scope = { ...first.scope, blocks: { total, clusterSize, isAlone: true, classes } } as const;
  return { ...first, scope };
}

function nameOf(block: Block): string {
  return `block (${block.join(', ')})`;
}

/** The blocks that are executed, in the order of their numbers. */
function executed(value: ExecutedBlocks): readonly Block[] {
  if (value.kind !== 'meeting') return [value.block];
  const [one, other] = value.accesses.map(({ block }) => block) as [Block, Block];
  return isBefore(one, other) ? [one, other] : [other, one];
}

function isBefore(one: Block, other: Block): boolean {
  for (const axis of [2, 1, 0] as const)
    if (one[axis] !== other[axis]) return one[axis] < other[axis];
  return true;
}

function whereOf(value: ExecutedBlocks): string {
  return executed(value).map(nameOf).join(' and ');
}

function scopeOf(
  { total, clusterSize, ranges }: BlockClasses,
  found: readonly Block[],
): BlockScope {
  const all = ranges();
  const classes = found.map((block, index) => ({ block, ranges: all[index] ?? [] }));
  return { total, clusterSize, classes };
}

/** The blocks that are executed, but for meetings that rest on guesses: those are noted. */
function* withoutGuesses(
  others: ReturnType<BlockClasses['others']>,
  isGuessedPlace: (access: PlacedText) => boolean,
  notes: string[],
): Generator<ExecutedBlocks, PlacedText | null, boolean> {
  let isCertified = false;
  for (let each = others.next(false); ; each = others.next(isCertified)) {
    if (each.done === true) {
      const { value } = each;
      return value !== null && isGuessedPlace(value) && notes.length > 0 ? null : value;
    }
    const { value } = each;
    const isNoted = value.kind === 'meeting' && value.accesses.every(isGuessedPlace);
    if (isNoted) notes.push(noteOf(value));
    isCertified = isNoted ? false : yield value;
  }
}

/** Notes of a result, with the first one of others. */
function notesOf({ notes = [] }: CheckResult, others: readonly string[]): { notes?: string[] } {
  const all = [...notes, ...others.slice(0, 1)];
  return all.length === 0 ? {} : { notes: all };
}

/** That blocks meet with guessed numbers: they are not compared there. */
function noteOf({ accesses, name }: Extract<ExecutedBlocks, { kind: 'meeting' }>): string {
  const [one, other] = accesses[0].isWrite ? accesses : [accesses[1], accesses[0]];
  const [first, second] = [nameOf(one.block), nameOf(other.block)];
  const text =
    'blocks are not compared where numbers of the launch are guessed (--grid, --param): ' +
    `${first} writes ${name}, which ${second} ${other.text}, too`;
  return placed({ ...one, text });
}

/** Two blocks that nothing orders, where they cannot be executed together. */
function unordered(
  first: CheckResult,
  value: Extract<ExecutedBlocks, { kernel: null }>,
): CheckResult {
  const { accesses, name, isCertain } = value;
  const [one, other] = accesses[0].isWrite ? accesses : [accesses[1], accesses[0]];
  const message =
    `${nameOf(one.block)} writes ${name} while ${nameOf(other.block)} ${other.text} it: ` +
    'no block waits for another one';
  const { scope } = first;
  const result = { ...first, scope: { ...scope, assumptions: [] }, findings: [], stats: NO_STATS };
  // Two that store the same are no race.
  if (!isCertain || other.isWrite || one.position === undefined || other.position === undefined)
    return { ...result, verdict: 'inconclusive', reason: placed({ ...one, text: message }) };
  const locationOf = ({ position, text }: BlockAccess, block: Block): Finding['primary'] => ({
    ...position!,
    text: `${nameOf(block)} ${text} ${name} here`,
  });
  const finding: Finding = {
    rule: 'race',
    severity: 'error',
    message,
    primary: locationOf(one, one.block),
    labels: [locationOf(other, other.block)],
    notes: [],
    helps: [],
  };
  return { ...result, verdict: 'counterexample', findings: [finding] };
}

const NO_STATS = { ...NOTHING, elapsedMs: 0 };

/** The errors that other blocks make. */
function inBlocks(
  first: CheckResult,
  found: CheckResult,
  value: ExecutedBlocks,
  { total, clusterSize }: BlockClasses,
): CheckResult {
  const standing = first.verdict === 'certified' ? 'is certified' : `is undecided: ${first.reason}`;
  const alone = `${nameOf(FIRST)} itself ${standing}`;
  // The names of roles count the CTAs that are executed.
  const ctas = value.kernel === null ? '' : `: cta0 and cta${clusterSize} are the first of each`;
  const note =
    value.kind === 'meeting'
      ? `it happens between ${whereOf(value)} of ${total}, which nothing orders${ctas}; ${alone}`
      : `it happens in ${whereOf(value)} of ${total}; ${alone}`;
  const blocks = executed(value);
  const findings = found.findings.map((finding): Finding => ({
    ...finding,
    blocks,
    notes: [...finding.notes, note],
  }));
  return { ...found, kernel: first.kernel, params: first.params, findings };
}
