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
import { diagnosticsOf, textsOf, type CheckDocument, type ShownDiagnostic } from './report.ts';
import { isOtherText, VerdictItem } from './verdict-item.ts';
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

/** The last check of a file, with its marks. */
interface ShownCheck {
  readonly cwd: string;
  readonly document: CheckDocument;
  readonly marks: readonly (readonly [Uri, Diagnostic[]])[];
  /** Its files whose text is another one now. */
  readonly changed: Set<string>;
}

/** Checks kernels as they are saved. */
export class CheckOnSave implements CodeActionProvider {
  readonly #diagnostics = languages.createDiagnosticCollection('poundlock check');
  readonly #running = new Map<string, AbortController>();
  /** The files that a check of a file has put diagnostics on. */
  readonly #touched = new Map<string, readonly Uri[]>();
  readonly #origins = new Map<string, Origin>();
  readonly #pictures = new Map<string, string>();
  readonly #checked = new Map<string, ShownCheck>();
  readonly #item = new VerdictItem();

  /** Follows saved and closed files until it is disposed. */
  start(): Disposable[] {
    const saved = workspace.onDidSaveTextDocument((document) => {
      const isWanted = workspace.getConfiguration('poundlock').get('check.onSave', true);
      if (isWanted) void this.check(document);
    });
    const edited = workspace.onDidChangeTextDocument(({ document }) => this.#compare(document));
    const actions = languages.registerCodeActionsProvider({ scheme: 'file' }, this);
    return [saved, edited, actions, this.#diagnostics, this.#item];
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
      this.#compare(document);
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
    const marks: [Uri, Diagnostic[]][] = [];
    const byFile = Map.groupBy(shown, ({ file }) => resolve(cwd, file));
    for (const [file, some] of byFile) {
      const uri = Uri.file(file);
      const all = some.map((one) => {
        const diagnostic = diagnosticOf(one, cwd);
        this.#origins.set(keyOf(uri, diagnostic), { program: checked.fsPath, shown: one });
        return diagnostic;
      });
      this.#diagnostics.set(uri, all);
      marks.push([uri, all]);
    }
    this.#checked.set(checked.fsPath, { cwd, marks, document, changed: new Set() });
    this.#touched.set(
      checked.fsPath,
      [...byFile.keys()].map((file) => Uri.file(file)),
    );
    if (svg === undefined || shown.every(({ replayToken }) => replayToken === undefined)) {
      this.#pictures.delete(checked.fsPath);
    } else this.#pictures.set(checked.fsPath, svg);
    this.#item.show(document);
  }

  /** A verdict of another text than this document's loses its marks, until that is back. */
  #compare(document: TextDocument): void {
    const path = document.uri.fsPath;
    for (const { cwd, marks, document: report, changed } of this.#checked.values()) {
      const own = textsOf(report).find((one) => resolve(cwd, one.file) === path);
      if (own === undefined) continue;
      const wasStale = changed.size > 0;
      if (isOtherText(own, document.getText())) changed.add(path);
      else changed.delete(path);
      const isStale = changed.size > 0;
      if (isStale === wasStale) continue;
      for (const [uri, all] of marks) this.#diagnostics.set(uri, isStale ? [] : all);
      if (isStale) this.#item.showStale();
      else this.#item.show(report);
    }
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
