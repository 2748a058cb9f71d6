// Findings of `check` as diagnostics: run on save, with actions that lead to the schedule.
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  CodeAction,
  CodeActionKind,
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  languages,
  Location,
  Position,
  ProgressLocation,
  Range,
  Uri,
  window,
  workspace,
  type CodeActionProvider,
  type Disposable,
  type TextDocument,
} from 'vscode';
import { isKernelFile } from './kernel-file.ts';
import { diagnosticsOf, verdictOf, type ShownDiagnostic } from './report.ts';
import { runCheck, type Checked } from './run-check.ts';
import { folderFor, installed } from './settings.ts';

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

/** What the actions of a diagnostic need. */
interface Origin {
  readonly program: string;
  readonly shown: ShownDiagnostic;
}

/** How long the verdict is shown in the status bar. */
const STATUS_MS = 5_000;

/** Checks kernels as they are saved. */
export class CheckOnSave implements CodeActionProvider {
  readonly #diagnostics = languages.createDiagnosticCollection('poundlock check');
  readonly #running = new Map<string, AbortController>();
  /** The files that a check of a file has put diagnostics on. */
  readonly #touched = new Map<string, readonly Uri[]>();
  readonly #origins = new Map<string, Origin>();
  readonly #pictures = new Map<string, string>();

  /** Follows saved and closed files until it is disposed. */
  start(): Disposable[] {
    const saved = workspace.onDidSaveTextDocument((document) => {
      const isWanted = workspace.getConfiguration('poundlock').get('check.onSave', true);
      if (isWanted) void this.check(document);
    });
    const actions = languages.registerCodeActionsProvider({ scheme: 'file' }, this);
    return [saved, actions, this.#diagnostics];
  }

  /** Checks a document if it is a kernel; its diagnostics replace those of the last time. */
  async check(document: TextDocument): Promise<void> {
    const { uri } = document;
    if (uri.scheme !== 'file' || !isKernelFile(uri.fsPath, document.getText())) return;
    const poundlock = installed();
    const cwd = folderFor(uri);
    if (poundlock === undefined || cwd === undefined) return;
    this.#running.get(uri.fsPath)?.abort();
    const running = new AbortController();
    this.#running.set(uri.fsPath, running);
    const title = `poundlock: checking ${basename(uri.fsPath)}`;
    try {
      const checked = await window.withProgress({ location: ProgressLocation.Window, title }, () =>
        runCheck(poundlock, uri.fsPath, cwd, running.signal),
      );
      this.#show(uri, cwd, checked);
    } catch (error) {
      if (running.signal.aborted) return;
      void window.showErrorMessage(`poundlock check: ${(error as Error).message}`);
    }
  }

  /** The diagram of the last check of a file. */
  pictureOf(file: string): string | undefined {
    return this.#pictures.get(file);
  }

  provideCodeActions(document: TextDocument, range: Range): CodeAction[] {
    const all = this.#diagnostics.get(document.uri) ?? [];
    return all
      .filter((diagnostic) => diagnostic.range.intersection(range) !== undefined)
      .flatMap((diagnostic) => this.#actionsOf(document.uri, diagnostic));
  }

  #actionsOf(uri: Uri, diagnostic: Diagnostic): CodeAction[] {
    const origin = this.#origins.get(keyOf(uri, diagnostic));
    if (origin === undefined) return [];
    const { program, shown } = origin;
    const { replayToken: replay, params } = shown;
    if (replay === undefined) return [];
    return [
      action(
        'Step through this schedule',
        'poundlock.replay',
        { program, replay, params },
        diagnostic,
      ),
      action('Show the diagram of this schedule', 'poundlock.diagram', program, diagnostic),
    ];
  }

  #show(checked: Uri, cwd: string, { document, svg }: Checked): void {
    for (const uri of this.#touched.get(checked.fsPath) ?? []) this.#diagnostics.delete(uri);
    const shown = diagnosticsOf(document, checked.fsPath, (file) => existsSync(resolve(cwd, file)));
    const byFile = Map.groupBy(shown, ({ file }) => resolve(cwd, file));
    for (const [file, some] of byFile) {
      const uri = Uri.file(file);
      const all = some.map((one) => {
        const diagnostic = diagnosticOf(one, cwd);
        this.#origins.set(keyOf(uri, diagnostic), { program: checked.fsPath, shown: one });
        return diagnostic;
      });
      this.#diagnostics.set(uri, all);
    }
    this.#touched.set(
      checked.fsPath,
      [...byFile.keys()].map((file) => Uri.file(file)),
    );
    if (svg === undefined || shown.every(({ replayToken }) => replayToken === undefined)) {
      this.#pictures.delete(checked.fsPath);
    } else this.#pictures.set(checked.fsPath, svg);
    window.setStatusBarMessage(`poundlock: ${verdictOf(document)}`, STATUS_MS);
  }
}

function action(
  title: string,
  command: string,
  input: unknown,
  diagnostic: Diagnostic,
): CodeAction {
  const found = new CodeAction(title, CodeActionKind.QuickFix);
  found.command = { title, command, arguments: [input] };
  found.diagnostics = [diagnostic];
  return found;
}

/** The editor copies diagnostics: one is known by where it is and what it says. */
function keyOf(uri: Uri, { range, message }: Diagnostic): string {
  return `${uri.fsPath}:${range.start.line}:${range.start.character}:${message}`;
}

function diagnosticOf(shown: ShownDiagnostic, cwd: string): Diagnostic {
  const { line, column, message, severity, rule, related } = shown;
  const start = new Position(line, column);
  const diagnostic = new Diagnostic(new Range(start, start), message, SEVERITIES[severity]);
  diagnostic.source = 'poundlock';
  if (rule !== undefined) diagnostic.code = rule;
  diagnostic.relatedInformation = related.map(({ file, line: row, column: at, text }) => {
    const place = new Position(Math.max(0, row - 1), Math.max(0, at - 1));
    return new DiagnosticRelatedInformation(
      new Location(Uri.file(resolve(cwd, file)), place),
      text,
    );
  });
  return diagnostic;
}
