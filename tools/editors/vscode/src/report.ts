// The JSON document of `check` as diagnostics: plain data, which the editor's types are made of.

import type {
  Finding,
  ReportedCheck,
  ReportedFailure,
  ReportedFinding,
  SourceLocation,
  TextHash,
} from '@poundlock/core/internal/finding';
import {
  blocksRemark,
  partsOf,
  remarksBy,
  renderedParts,
  textsLine,
  type RenderRemark,
} from '../../../../packages/poundlock/src/report/verdict.ts';

type Place = SourceLocation;

/** `poundlock/report@1` of a check. */
export interface CheckDocument {
  readonly results: readonly (Omit<ReportedCheck, 'verb'> | Omit<ReportedFailure, 'verb'>)[];
  readonly findings: readonly ReportedFinding[];
}

/** A diagnostic of a file; lines and columns start at 0. */
export interface ShownDiagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
  readonly rule?: string;
  readonly related: readonly Place[];
  readonly replayToken?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Every finding at its first line, and at the top of the file why there is no verdict. */
export function diagnosticsOf(
  document: CheckDocument,
  checked: string,
  isHere: (file: string) => boolean = () => true,
): ShownDiagnostic[] {
  // A kernel from another machine comes without its source: its PTX is there.
  const here = (place: Place): Place =>
    place.ptx === undefined || isHere(place.file) ? place : { ...place, ...place.ptx, column: 1 };
  const findings = document.findings.map((finding): ShownDiagnostic => {
    const { rule, severity, replayToken, params } = finding;
    const labels = finding.labels.map(here);
    return {
      ...at(here(finding.primary)),
      severity: severity === 'note' ? 'information' : severity,
      rule,
      message: messageOf(finding),
      related: labels,
      ...(replayToken !== undefined && { replayToken }),
      ...(params !== undefined && { params }),
    };
  });
  const open = document.results.flatMap((result): ShownDiagnostic[] => {
    const top = { file: checked, line: 0, column: 0 };
    if ('error' in result) {
      const own = result.at === undefined ? top : at(result.at);
      return [{ ...own, severity: 'error', message: result.error, related: [] }];
    }
    if (result.verdict !== 'inconclusive') return [];
    const message = `inconclusive: ${result.reason ?? 'a bound was reached'}`;
    return [{ ...top, severity: 'information', message, related: [] }];
  });
  return [...findings, ...open];
}

function at({ file, line, column }: Pick<Place, 'file' | 'line' | 'column'>) {
  return { file, line: Math.max(0, line - 1), column: Math.max(0, column - 1) };
}

function messageOf({ message, notes, helps }: Finding): string {
  const more = [...notes.map((text) => `note: ${text}`), ...helps.map((text) => `help: ${text}`)];
  return [message, ...more].join('\n');
}

const remark: RenderRemark = (word, text) => `${word}: ${text}`;

/** The verdicts of a document, and all that they rest on: findings are diagnostics. */
export function verdictLines({ results, findings }: CheckDocument): string[] {
  return results.flatMap((result, index) => {
    if ('error' in result) return [`could not run: ${result.error}`];
    const own = findings.filter((finding) => finding.result === index);
    return renderedParts(
      {
        claim: (claim) => [
          `${claim.verdict}: ${claim.subject}: ${claim.statement}`,
          ...blocksRemark(claim, remark),
        ],
        ...remarksBy(remark),
        findings: () => [],
        statistics: (text) => [text],
        texts: textsLine,
      },
      partsOf({ ...result, findings: own }),
    );
  });
}

/** The verdict in a few words, for the status bar. */
export function verdictOf({ results }: CheckDocument): string {
  const [first] = results;
  if (first === undefined) return 'no verdict';
  return 'error' in first ? 'could not run' : first.verdict;
}

/** The texts that a document is about. */
export function textsOf({ results }: CheckDocument): readonly TextHash[] {
  return results.flatMap((result) => ('error' in result ? [] : (result.texts ?? [])));
}
