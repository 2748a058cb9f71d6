// The review of synchronizing instructions as entries: copies that a compiler made of one line of
// the source are one entry where the same is said of them.
import type {
  InstructionPlace,
  Necessity,
  SimulatedGain,
  SynchronizationAdvice,
} from '@poundlock/core/internal/finding';

/** What is said of an instruction; `copies`: it is free, but the line of the source has to stay. */
export type Answer = Necessity | 'copies';

/** One entry of a report. */
export interface AdviceEntry {
  readonly answer: Answer;
  /** At least one; of several only copies of the same line of the source. */
  readonly advices: readonly SynchronizationAdvice[];
  /** All instructions, in the order of the text. */
  readonly places: readonly InstructionPlace[];
  readonly executions: number;
  readonly cycles: number | null;
  /** What the kernel gains; `null` for several, whose gains do not add up. */
  readonly gain: SimulatedGain | null;
}

/** All entries, in the order of the text. */
export function entriesOf(all: readonly SynchronizationAdvice[]): AdviceEntry[] {
  const lines = Map.groupBy(all, lineOf);
  const answers = new Map(all.map((advice) => [advice, answerOf(advice, lines)]));
  const groups = Map.groupBy(all, (advice) => `${answers.get(advice)!} ${keyOf(advice)}`);
  return [...groups.values()].map((advices) => entryOf(answers.get(advices[0]!)!, advices));
}

/** What can be deleted from the source, as lines: `bar.sync kernel.cu:12`. */
export function deletableLines(all: readonly SynchronizationAdvice[]): string[] {
  return entriesOf(all).flatMap(({ answer, advices: [advice] }) => {
    const { opcode, file, line } = advice!;
    return answer === 'unnecessary' ? [`${nameIn(opcode)} ${file}:${line}`] : [];
  });
}

/** What names an instruction: `mbarrier.try_wait` of `mbarrier.try_wait.parity.shared.b64`. */
function nameIn(opcode: string): string {
  return /^[^.]+(?:\.[^.]+)?/.exec(opcode)?.[0] ?? opcode;
}

/** Instructions of the same line of the source that have to stay, or may have to. */
export function stayingCopies(
  advice: SynchronizationAdvice,
  all: readonly SynchronizationAdvice[],
): readonly InstructionPlace[] {
  const line = lineOf(advice);
  const staying = all.filter((other) => other !== advice && lineOf(other) === line && stays(other));
  return placesOf(staying);
}

function answerOf(
  advice: SynchronizationAdvice,
  lines: ReadonlyMap<string, readonly SynchronizationAdvice[]>,
): Answer {
  if (advice.verdict !== 'unnecessary') return advice.verdict;
  return lines.get(lineOf(advice))!.some(stays) ? 'copies' : 'unnecessary';
}

function stays({ verdict }: SynchronizationAdvice): boolean {
  return verdict !== 'unnecessary' && verdict !== 'unreached';
}

/** An instruction at a place of the source: copies of it have the same. */
function lineOf({ opcode, file, line, column }: SynchronizationAdvice): string {
  return `${opcode} ${file}:${line}:${column}`;
}

/** Copies with the same partners, and the same that can be done, are one entry. */
function keyOf(advice: SynchronizationAdvice): string {
  const partners = new Set(advice.partners.map(({ opcode }) => opcode));
  return JSON.stringify([lineOf(advice), [...partners], advice.change, advice.instead]);
}

function entryOf(answer: Answer, advices: readonly SynchronizationAdvice[]): AdviceEntry {
  const cycles = advices.map((advice) => advice.cycles);
  return {
    answer,
    advices,
    places: placesOf(advices),
    executions: sumOf(advices.map(({ executions }) => executions)),
    cycles: cycles.includes(null) ? null : sumOf(cycles.map((each) => each ?? 0)),
    gain: advices.length === 1 ? advices[0]!.gain : null,
  };
}

function placesOf(advices: readonly SynchronizationAdvice[]): InstructionPlace[] {
  return advices
    .flatMap((advice) => [advice, ...advice.partners])
    .toSorted((a, b) => a.ptxLine - b.ptxLine || a.ptxColumn - b.ptxColumn);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
