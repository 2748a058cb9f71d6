// The JSON document of `check` as diagnostics: plain data, which the editor's types are made of.

/** A place of a finding. */
interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** The line of its PTX, where that is another file. */
  readonly ptx?: { readonly file: string; readonly line: number };
}

/** A finding of the document. */
export interface ReportedFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly primary: Place;
  readonly labels: readonly Place[];
  readonly notes: readonly string[];
  readonly helps: readonly string[];
  readonly replayToken?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A result, or why there is none. */
interface ReportedResult {
  readonly verdict?: 'certified' | 'counterexample' | 'inconclusive';
  readonly reason?: string;
  readonly kernel?: string;
  readonly error?: string;
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
}

/** `poundlock/report@1`, as far as it is shown. */
export interface CheckDocument {
  readonly results: readonly ReportedResult[];
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
      severity,
      rule,
      message: messageOf(finding),
      related: labels,
      ...(replayToken !== undefined && { replayToken }),
      ...(params !== undefined && { params }),
    };
  });
  const open = document.results.flatMap(
    ({ verdict, reason, error, at: where }): ShownDiagnostic[] => {
      const own = where === undefined ? { file: checked, line: 0, column: 0 } : at(where);
      if (error !== undefined) {
        return [{ ...own, severity: 'error', message: error, related: [] }];
      }
      if (verdict !== 'inconclusive') return [];
      const message = `inconclusive: ${reason ?? 'a bound was reached'}`;
      return [{ ...own, severity: 'information', message, related: [] }];
    },
  );
  return [...findings, ...open];
}

function at({ file, line, column }: Pick<Place, 'file' | 'line' | 'column'>) {
  return { file, line: Math.max(0, line - 1), column: Math.max(0, column - 1) };
}

function messageOf({ message, notes, helps }: ReportedFinding): string {
  const more = [...notes.map((text) => `note: ${text}`), ...helps.map((text) => `help: ${text}`)];
  return [message, ...more].join('\n');
}

/** The verdict in a few words, for the status bar. */
export function verdictOf({ results }: CheckDocument): string {
  const [first] = results;
  return first?.error === undefined ? (first?.verdict ?? 'no verdict') : 'could not run';
}
