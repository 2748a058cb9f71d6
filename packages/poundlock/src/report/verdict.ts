// A verdict in words: the parts that every surface shows, each in its own markup.
import { grouped } from '@poundlock/core/internal/base';
import type { CheckResult, Finding, TextHash, Verdict } from '@poundlock/core/internal/finding';
import {
  assumptionsOf,
  blocksText,
  coverageText,
  notesOf,
  statement,
  subject,
  workText,
  type ShownAssumption,
} from './summary.ts';

/** What is proved or shown, and of which sizes, launches and blocks. */
export interface Claim {
  readonly verdict: Verdict;
  /** `gemm (stages=3, every tiles)`. */
  readonly subject: string;
  /** `no interleaving can deadlock, race or misuse a stage`. */
  readonly statement: string;
  /** `covers 132 blocks in 2 classes (0–75, 76–131)`; absent where each was executed. */
  readonly blocks?: string;
}

/** The parts of a verdict. A new one is a compile error in every surface: see {@link ByPart}. */
export interface VerdictParts {
  readonly claim: Claim;
  /** What a reader has to know of the claim, a sentence each. */
  readonly notes: readonly string[];
  /** How much of a kernel as built was executed; empty for others. */
  readonly coverage: readonly string[];
  readonly assumptions: readonly ShownAssumption[];
  /** Errors and warnings, the cause before the symptom. */
  readonly findings: readonly Finding[];
  /** What the check took: `1 warning, 12,345 states, 0.12 s`. */
  readonly statistics: string;
  /** The texts that the verdict is about. */
  readonly texts: readonly TextHash[];
}

/** How a surface renders each part; it renders them in the order of its table. */
export type ByPart<Rendered = readonly string[]> = {
  readonly [P in keyof VerdictParts]: (part: VerdictParts[P]) => Rendered;
};

/** The parts of the result of a check. */
export function partsOf(result: CheckResult): VerdictParts {
  const { verdict, findings, coverage, texts = [] } = result;
  const blocks = blocksText(result);
  return {
    claim: {
      verdict,
      subject: subject(result),
      statement: statement(result),
      ...(blocks !== undefined && { blocks }),
    },
    notes: notesOf(result),
    coverage: coverage === undefined ? [] : [coverageText(coverage)],
    assumptions: assumptionsOf(result),
    findings,
    statistics: workText(result),
    texts,
  };
}

/** All parts as a surface renders them. */
export function renderedParts(table: ByPart, parts: VerdictParts): string[] {
  return (Object.keys(table) as (keyof VerdictParts)[]).flatMap((part) => {
    const render = table[part] as (part: VerdictParts[keyof VerdictParts]) => readonly string[];
    return render(parts[part]);
  });
}

/** A remark on a claim; the word before it says what kind it is. */
export type RenderRemark = (word: 'note' | ShownAssumption['word'], text: string) => string;

/** The parts that are remarks on the claim, a line each. */
export function remarksBy(
  remark: RenderRemark,
): Pick<ByPart, 'notes' | 'coverage' | 'assumptions'> {
  const asNotes = (texts: readonly string[]) => texts.map((text) => remark('note', text));
  return {
    notes: asNotes,
    coverage: asNotes,
    assumptions: (all) => all.map(({ word, text }) => remark(word, text)),
  };
}

/** The blocks of a claim as a remark; nothing where each was executed. */
export function blocksRemark({ blocks }: Claim, remark: RenderRemark): string[] {
  return blocks === undefined ? [] : [remark('note', blocks)];
}

/** So many digits of a hash tell texts of one report apart. */
const DIGITS = 12;

/** `gemm.ts (sha256 3fa94c1b0d2e)`. */
export function textHashText({ file, sha256 }: TextHash): string {
  return `${file} (sha256 ${sha256.slice(0, DIGITS)})`;
}

/** The most texts that are listed. */
const MOST_TEXTS = 4;

/** `text: gemm.ts (sha256 3fa94c1b0d2e), lib.ts (…)`; nothing where there is none. */
export function textsLine(texts: readonly TextHash[]): string[] {
  if (texts.length === 0) return [];
  const more = texts.length - MOST_TEXTS;
  const listed = texts.slice(0, MOST_TEXTS).map(textHashText).join(', ');
  return [`text: ${listed}${more > 0 ? ` and ${grouped(more)} more` : ''}`];
}

/** A line with the word before it. */
export interface WordedLine {
  readonly word: Parameters<RenderRemark>[0];
  readonly text: string;
}

/** What several verdicts say alike, each sentence once with how many of them say it. */
export function sharedLines(
  verdicts: readonly (readonly WordedLine[])[],
  noun: string,
): WordedLine[] {
  const shown = verdicts.flatMap((lines) => [
    ...new Map(lines.map((one) => [one.text, one])).values(),
  ]);
  return [...Map.groupBy(shown, ({ text }) => text).values()].map((same) => {
    const { word, text } = same[0]!;
    return { word, text: `${text} (${same.length} of ${verdicts.length} ${noun})` };
  });
}
