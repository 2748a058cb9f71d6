// tier: release
// Tests the extension without an editor: the bundle loads, the manifest matches the source, the
// server is found, and a saved kernel gets its diagnostics, its actions and its diagram.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { findServer } from '../src/find-server.ts';
import { isKernelFile } from '../src/kernel-file.ts';
import { diagnosticsOf, verdictLines } from '../src/report.ts';

const ROOT = join(import.meta.dirname, '..');
const REPOSITORY = join(ROOT, '..', '..', '..');
const FOLDER = realpathSync(mkdtempSync(join(tmpdir(), 'poundlock-vscode-')));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly engines: { readonly vscode: string };
  readonly activationEvents: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, object>> };
  };
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const source = readdirSync(join(ROOT, 'src'))
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
  .join('\n');
const main = join(ROOT, manifest.main);

before(() => {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'pipe' });
});

/** A stub of an editor API: every property exists and does nothing. */
function nothing(): unknown {
  // It can be called, constructed and extended.
  const target = function () {};
  return new Proxy(target, {
    get: (of, name) =>
      name === 'prototype' ? of.prototype : name === Symbol.toPrimitive ? () => 0 : nothing(),
    apply: () => nothing(),
  });
}

function fakeEditor(folders: readonly string[], warnings: string[]): object {
  const workspace = {
    workspaceFolders: folders.map((fsPath) => ({ uri: { scheme: 'file', fsPath } })),
    getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
    onDidSaveTextDocument: () => ({}),
    onDidChangeTextDocument: () => ({}),
  };
  const window = {
    showWarningMessage: (text: string) => void warnings.push(text),
    createStatusBarItem: nothing,
  };
  const commands = { registerCommand: () => ({}) };
  const known: Record<string, unknown> = { workspace, window, commands };
  return new Proxy(known, { get: (of, name) => of[String(name)] ?? nothing() });
}

/** Loads the bundle as an editor does, which resolves `require('vscode')` itself. */
function load(editor: object): { activate: (context: object) => Promise<void> } {
  const require = createRequire(import.meta.url);
  delete require.cache[main];
  const inside = Module as unknown as { _load: (request: string, ...more: unknown[]) => unknown };
  const original = inside._load;
  inside._load = (request, ...more) =>
    request === 'vscode' ? editor : original.call(Module, request, ...more);
  try {
    return require(main) as ReturnType<typeof load>;
  } finally {
    inside._load = original;
  }
}

test('the bundle loads and warns if poundlock is not installed', async () => {
  const warnings: string[] = [];
  const { activate } = load(fakeEditor([FOLDER], warnings));
  await activate({ subscriptions: [] });
  assert.match(warnings.join(), /poundlock is not installed in this workspace: `npm install/);
});

test('the manifest matches the source', () => {
  const ours = JSON.parse(
    readFileSync(join(REPOSITORY, 'packages', 'poundlock', 'package.json'), 'utf8'),
  ) as Manifest;
  assert.equal(manifest.version, ours.version);
  // The extension may only use the API of the oldest supported editor.
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  const languages = /LANGUAGES = \[(.*)\]/.exec(source)?.[1]?.match(/\w+/g) ?? [];
  assert.deepEqual(manifest.activationEvents, [
    'onDebugResolve:poundlock',
    ...[...languages, 'ptx'].map((language) => `onLanguage:${language}`).sort(),
  ]);
  const { commands, configuration } = manifest.contributes;
  const registered = [...source.matchAll(/registerCommand\('([\w.]+)'/g)].map(([, name]) => name);
  assert.deepEqual(registered.toSorted(), commands.map(({ command }) => command).toSorted());
  const read = [...source.matchAll(/\bget\('([\w.]+)'/g)].map(([, name]) => name);
  assert.deepEqual(
    [...new Set(read.map((name) => `poundlock.${name}`))].sort(),
    Object.keys(configuration.properties).sort(),
  );
});

function installed(folder: string): string {
  const at = join(folder, 'node_modules', 'poundlock');
  const bin = join(at, 'bin', 'poundlock.js');
  mkdirSync(dirname(bin), { recursive: true });
  writeFileSync(join(at, 'package.json'), '{ "exports": { "./package.json": "./package.json" } }');
  writeFileSync(bin, '');
  return bin;
}

test('the server is that of the first folder that has it, or the configured one', () => {
  const [none, some, other] = ['none', 'some', 'other'].map((name) => join(FOLDER, name));
  const bins = [some!, other!].map(installed);
  const inside = join(some!, 'packages', 'inside');
  mkdirSync(inside, { recursive: true });
  assert.equal(findServer([none!], ''), undefined);
  assert.equal(findServer([none!, inside, other!], ''), bins[0]);
  assert.equal(findServer([some!], join(other!, 'node_modules', 'poundlock')), bins[1]);
  assert.equal(findServer([some!], none!), undefined);
});

test('kernels are programs and PTX', () => {
  const program = "import { kernel } from 'poundlock';\nexport default kernel('a', {}, () => []);";
  assert.ok(isKernelFile('/a/gemm.ts', program));
  assert.ok(isKernelFile('/a/k.ptx', ''));
  assert.ok(!isKernelFile('/a/gemm.ts', "import { kernel } from 'poundlock';"));
  assert.ok(!isKernelFile('/a/gemm.ts', 'export default 1'));
  assert.ok(!isKernelFile('/a/page.md', program));
});

test('what is inconclusive or could not run is shown at the file', () => {
  const at = { file: 'b.ts', line: 3, column: 5 };
  const params = { tiles: 2 };
  const checked = {
    file: 'a.ts',
    kernel: 'k',
    params,
    scope: { params, every: [], assumptions: [], sizes: [] },
    stats: { engine: 'search', events: 0, states: 7, transitions: 7, elapsedMs: 0 },
  } as const;
  const results = [
    { ...checked, verdict: 'inconclusive', reason: 'a bound' } as const,
    { file: 'b.ts', error: 'throws x', at },
    { ...checked, verdict: 'certified' } as const,
  ];
  assert.deepEqual(verdictLines({ results, findings: [] }), [
    'inconclusive: k (tiles=2): a bound',
    '7 states',
    'could not run: throws x',
    'certified: k (tiles=2): no interleaving can deadlock, race or misuse a stage',
    '7 states',
  ]);
  assert.deepEqual(
    diagnosticsOf({ results, findings: [] }, 'a.ts').map(({ related: _, ...one }) => one),
    [
      {
        file: 'a.ts',
        line: 0,
        column: 0,
        severity: 'information',
        message: 'inconclusive: a bound',
      },
      { file: 'b.ts', line: 2, column: 4, severity: 'error', message: 'throws x' },
    ],
  );
});

test('a finding of a kernel without its source is at its line of the PTX', () => {
  const place = {
    file: 'gone.cu',
    line: 3,
    column: 5,
    text: 'here',
    ptx: { file: 'k.ptx', line: 40 },
  };
  const finding = {
    result: 0,
    rule: 'race',
    severity: 'error',
    message: 'a race',
    primary: place,
    labels: [place],
    notes: [],
    helps: [],
  } as const;
  const at = (isHere: boolean) => {
    const [one] = diagnosticsOf({ results: [], findings: [finding] }, 'k.ptx', () => isHere);
    return [one!.file, one!.line, one!.related[0]!.file, one!.related[0]!.line];
  };
  assert.deepEqual(at(true), ['gone.cu', 2, 'gone.cu', 3]);
  assert.deepEqual(at(false), ['k.ptx', 39, 'k.ptx', 40]);
});

/** Classes of the editor's API that the extension makes objects of. */
class Plain {
  readonly parts: readonly unknown[];
  constructor(...parts: unknown[]) {
    this.parts = parts;
  }
}
class Range extends Plain {
  get start(): unknown {
    return this.parts[0];
  }
  intersection(): this {
    return this;
  }
}
class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}
class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: unknown;
  code?: string;
  relatedInformation?: readonly unknown[];
  constructor(range: Range, message: string, severity: unknown) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}
class CodeAction {
  readonly title: string;
  command?: { readonly command: string; readonly arguments: readonly unknown[] };
  constructor(title: string) {
    this.title = title;
  }
}
interface FileUri {
  readonly scheme: string;
  readonly fsPath: string;
}
interface Document {
  readonly uri: FileUri;
  readonly getText: () => string;
}
const uriOf = (fsPath: string): FileUri => ({ scheme: 'file', fsPath });

test('a saved kernel: diagnostics, a debug session and a diagram', async () => {
  const folder = join(FOLDER, 'workspace');
  const packages = join(folder, 'node_modules');
  mkdirSync(packages, { recursive: true });
  symlinkSync(join(REPOSITORY, 'packages', 'poundlock'), join(packages, 'poundlock'));
  const file = join(folder, 'one-stage.ts');
  copyFileSync(join(REPOSITORY, 'examples', 'broken', 'one-stage.ts'), file);

  const shown = new Map<string, readonly Diagnostic[]>();
  const called = new Map<string, (input?: unknown) => unknown>();
  const panel = { webview: { html: '' }, onDidDispose: () => ({}), reveal: () => undefined };
  let save: (document: Document) => void = () => assert.fail('nothing follows saves');
  let provider: {
    readonly provideCodeActions: (document: Document, range: Range) => readonly CodeAction[];
  };
  const checked = Promise.withResolvers<string>();
  const started: unknown[] = [];
  const item = { text: '', tooltip: '', show: () => checked.resolve(item.text) };
  let edit: (event: { readonly document: Document }) => void = () => assert.fail('no edits');
  let isActive = false;
  const editor = {
    workspace: {
      // The language server is not what is tried here.
      get workspaceFolders() {
        return isActive ? [{ uri: uriOf(folder) }] : [];
      },
      getWorkspaceFolder: () => ({ uri: uriOf(folder) }),
      getConfiguration: () => ({
        get: (name: string, otherwise: unknown) => (name === 'node' ? process.execPath : otherwise),
      }),
      onDidSaveTextDocument: (callback: typeof save) => ((save = callback), {}),
      onDidChangeTextDocument: (callback: typeof edit) => ((edit = callback), {}),
    },
    window: {
      withProgress: (_: unknown, work: () => Promise<unknown>) => work(),
      showWarningMessage: () => undefined,
      createStatusBarItem: () => item,
      showErrorMessage: (text: string) => checked.reject(new Error(text)),
      createWebviewPanel: () => panel,
    },
    languages: {
      createDiagnosticCollection: () => ({
        set: (uri: FileUri, all: readonly Diagnostic[]) => void shown.set(uri.fsPath, all),
        get: (uri: FileUri) => shown.get(uri.fsPath),
        delete: (uri: FileUri) => shown.delete(uri.fsPath),
      }),
      registerCodeActionsProvider: (_: unknown, one: typeof provider) => ((provider = one), {}),
    },
    commands: {
      registerCommand: (name: string, callback: (input?: unknown) => unknown) => {
        called.set(name, callback);
        return {};
      },
    },
    debug: {
      registerDebugConfigurationProvider: () => ({}),
      registerDebugAdapterDescriptorFactory: () => ({}),
      startDebugging: (_: unknown, configuration: unknown) => started.push(configuration),
    },
    Uri: { file: uriOf },
    Range,
    Position,
    Diagnostic,
    CodeAction,
    CodeActionKind: { QuickFix: 'quickfix' },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2 },
    Location: Plain,
    DiagnosticRelatedInformation: Plain,
  };
  const { activate } = load(
    new Proxy(editor as Record<string, unknown>, {
      get: (of, name) => of[String(name)] ?? nothing(),
    }),
  );
  await activate({ subscriptions: [] });
  isActive = true;
  const document = { uri: uriOf(file), getText: () => readFileSync(file, 'utf8') };
  save(document);
  assert.equal(await checked.promise, 'poundlock: counterexample');
  const [diagnostic = assert.fail()] = shown.get(file) ?? [];
  assert.equal(diagnostic.code, 'deadlock');
  assert.deepEqual(diagnostic.range.start, new Position(13, 29));
  assert.match(
    item.tooltip,
    /^counterexample: one-stage .*deadlock[^]*\ntext: one-stage\.ts \(sha256/,
  );
  assert.match(diagnostic.message, /^load and mma [^]*\nhelp: \S/);
  assert.ok(diagnostic.relatedInformation!.length >= 3);

  const actions = provider!.provideCodeActions(document, diagnostic.range);
  assert.deepEqual(
    actions.map(({ command }) => command?.command),
    ['poundlock.replay', 'poundlock.diagram'],
  );
  for (const { command } of actions) await called.get(command!.command)?.(command!.arguments[0]);
  const [session] = started as { type: string; program: string; replay: string }[];
  assert.deepEqual(
    [session?.type, session?.program, session?.replay],
    ['poundlock', file, 'l3t1m3a1'],
  );
  assert.match(panel.webview.html, /<svg [^]*deadlock[^]*<\/svg>/);
  assert.doesNotMatch(panel.webview.html, /<script|<\?xml/);

  // A verdict of another text has no marks; they are back with the text.
  const text = document.getText();
  edit({ document: { ...document, getText: () => `${text}// new` } });
  assert.deepEqual(shown.get(file), []);
  assert.equal(item.text, 'poundlock: text has changed');
  edit({ document });
  assert.deepEqual(shown.get(file)![0], diagnostic);
  assert.equal(item.text, 'poundlock: counterexample');
});
