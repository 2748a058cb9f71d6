// Remarks beside the findings: failures, missing verdicts, notes.
import { counted } from '@poundlock/core/internal/base';
import {
  isFailure,
  resultsOf,
  type Report,
  type ReportedFailure,
  type SynchronizationReview,
} from '@poundlock/core/internal/finding';
import { answerByVerb, type AnyResult, type ByResult } from './reporter.ts';
import { titleOf } from './summary.ts';
import { entriesOf } from './folded-advice.ts';
import { HEADINGS, opcodeText, remarksOfEntry } from './synchronization.ts';
import { failureWord } from './table.ts';
import { blocksRemark, partsOf, remarksBy, renderedParts, type RenderRemark } from './verdict.ts';

export interface Remark {
  readonly id:
    | 'could-not-run'
    | 'counterexample'
    | 'inconclusive'
    | 'interrupted'
    | 'does-not-conform'
    | 'not-linted'
    | 'note';
  /** Any level above a note means that the command did not succeed. */
  readonly level: 'error' | 'warning' | 'note';
  readonly title: string;
  readonly text: string;
  readonly at?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** Notes are known by their level. */
const asLine: RenderRemark = (word, text) => (word === 'note' ? text : `${word}: ${text}`);

const REMARKS: ByResult<Remark[]> = {
  check: (result) => {
    const { file, verdict } = result;
    const parts = partsOf(result);
    const { subject, statement } = parts.claim;
    const at = { file };
    const lines = renderedParts(
      {
        claim: (claim) => blocksRemark(claim, asLine),
        ...remarksBy(asLine),
        // Annotations of their own.
        findings: () => [],
        // Of no line of a change: see `verdictLog`.
        statistics: () => [],
        texts: () => [],
      },
      parts,
    );
    const remarks = lines.map((line): Remark => {
      return { id: 'note', level: 'note', title: verdict, text: `${subject}: ${line}`, at };
    });
    if (verdict !== 'inconclusive') return remarks;
    const text = `${subject}: ${statement}`;
    return [{ id: verdict, level: 'warning', title: verdict, text, at }, ...remarks];
  },
  simulate: ({ file, model }) => caveatNote(file, model.caveat),
  advise: ({ file, caveat, synchronization }) => [
    ...caveatNote(file, caveat),
    ...(synchronization === undefined ? [] : reviewNotes(synchronization)),
  ],
  run: (result) => {
    const { file, conforms, certified, reason } = result;
    const base = { at: { file }, title: 'run' };
    const remark = (text: string) => ({ ...base, text: `${titleOf(result)}: ${text}` });
    if (conforms === false) {
      const text = reason ?? 'the trace does not conform to the model';
      return [{ id: 'does-not-conform', level: 'error', ...remark(text) }];
    }
    if (reason !== undefined) return [{ id: 'inconclusive', level: 'warning', ...remark(reason) }];
    if (certified !== false) return [];
    const text = 'another order of the recorded operations may fail: run poundlock check';
    return [{ id: 'note', level: 'note', ...remark(text) }];
  },
  lint: ({ unread }) => {
    if (unread === 0) return [];
    const text = `${counted(unread, 'file')} not linted`;
    return [{ id: 'not-linted', level: 'error', title: 'not linted', text }];
  },
};

/** A note at each line that can be deleted or can wait for less. */
function reviewNotes({ instructions }: SynchronizationReview): Remark[] {
  return entriesOf(instructions).flatMap((entry): Remark[] => {
    const { answer, advices } = entry;
    const { file, line, column } = advices[0]!;
    if (answer !== 'unnecessary' && answer !== 'weaker') return [];
    const heading = HEADINGS.find(([one]) => one === answer)?.[1] ?? answer;
    const text = [heading, ...remarksOfEntry(entry, instructions)].join('; ');
    const title = opcodeText(advices[0]!);
    return [{ id: 'note', level: 'note', title, text, at: { file, line, column } }];
  });
}

function caveatNote(file: string, caveat: string | null): Remark[] {
  if (caveat === null) return [];
  return [{ id: 'note', level: 'note', title: 'model', text: `model: ${caveat}`, at: { file } }];
}

function failureRemark(failure: ReportedFailure): Remark {
  const { file, at, error, verdict = 'could-not-run' } = failure;
  const level = verdict === 'inconclusive' ? 'warning' : 'error';
  return { id: verdict, level, title: failureWord(failure), text: error, at: at ?? { file } };
}

/** The remarks about one result. */
export function remarksOn(result: AnyResult | ReportedFailure): Remark[] {
  return isFailure(result) ? [failureRemark(result)] : answerByVerb(REMARKS, result);
}

/** The remark that results are missing because of an interrupt. */
export function interruption({ skipped }: Report): Remark[] {
  if (skipped === 0) return [];
  const text = `${counted(skipped, 'check')} not started`;
  return [{ id: 'interrupted', level: 'warning', title: 'interrupted', text }];
}

/** All remarks of a report, in the order of its results. */
export function remarksOf(report: Report): Remark[] {
  return [...resultsOf(report).flatMap(remarksOn), ...interruption(report)];
}
