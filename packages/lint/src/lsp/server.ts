// The language server: buffers in, diagnostics and code actions out. The analysis runs in a worker
// thread, so the server stays responsive; it restarts a worker that ends unexpectedly.
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  createConnection,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  MarkupKind,
  MessageType,
  ProposedFeatures,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type CodeActionParams,
  type Connection,
  type FileEvent,
  type Hover,
  type HoverParams,
  type InitializeParams,
  type InitializeResult,
  type ShowMessageParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { LocatedFinding, Hover as HandleHover } from '../index.ts';
import { ACTION_KINDS, actionsFor } from './actions.ts';
import { diagnosticOf } from './diagnostics.ts';
import type { WorkerRequest, AnalysisReport, ServerSettings } from './worker-protocol.ts';

/** A worker thread that analyzes files. */
export interface AnalysisThread {
  readonly post: (request: WorkerRequest) => void;
  /** Stops the thread and its child processes; `onEnd` is not called. */
  readonly stop: () => Promise<void>;
}

export interface ServerHost {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly version: string;
  readonly cwd: string;
  /** `onEnd` is called when the thread ends unexpectedly. */
  readonly startThread: (
    settings: ServerSettings,
    onReport: (report: AnalysisReport) => void,
    onEnd: (reason: string) => void,
  ) => AnalysisThread;
}

/** Keystrokes within this time are one change. */
export const DEBOUNCE_MS = 20;
/** The most restarts of the thread without an edit in between. */
const MAX_RESTARTS = 3;
/** More file events at once (another branch, an installation) restart the thread. */
const MAX_FILE_EVENTS = 500;
/** The longest time that a request waits for the findings of its version. */
const WAIT_MS = 2_000;

const WATCHED = [
  '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}',
  '**/{tsconfig,jsconfig}*.json',
  '**/package.json',
  '**/poundlock.config.{ts,mts,js,mjs}',
];

/** Configuration files: a change restarts the thread. */
const CONFIGURATION = /(^|\/)([jt]sconfig[^/]*\.json|package\.json|poundlock\.config\.\w+)$/;

/** Serves one client until it disconnects; the process ends with it. */
export function serve(host: ServerHost): void {
  const connection = createConnection(ProposedFeatures.all, host.input, host.output);
  new Server(connection, host).listen();
}

interface DocumentFindings {
  readonly version: number;
  readonly findings: readonly LocatedFinding[];
  readonly hovers: readonly HandleHover[];
}

class Server {
  readonly #connection: Connection;
  readonly #host: ServerHost;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #found = new Map<string, DocumentFindings>();
  readonly #typed = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #thread: AnalysisThread | undefined;
  #settings: ServerSettings;
  #restarts = 0;
  #canWatch = false;

  constructor(connection: Connection, host: ServerHost) {
    this.#connection = connection;
    this.#host = host;
    this.#settings = { root: host.cwd, strict: false, baseline: undefined };
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#watch());
    connection.onShutdown(() => this.#stop());
    connection.onDidChangeConfiguration(({ settings }) => {
      const before = this.#settings;
      this.#configure((settings as { poundlock?: unknown } | null)?.poundlock);
      if (!isDeepStrictEqual(before, this.#settings)) this.#restart();
    });
    connection.onDidChangeWatchedFiles(({ changes }) => this.#filesChanged(changes));
    connection.onCodeAction((params) => this.#actions(params));
    connection.onHover((params) => this.#hover(params));
    this.#documents.onDidChangeContent(({ document }) => this.#changed(document));
    this.#documents.onDidClose(({ document: { uri } }) => this.#closed(uri));
    this.#documents.listen(connection);
    connection.listen();
  }

  #initialize(params: InitializeParams): InitializeResult {
    const [folder] = params.workspaceFolders ?? [];
    // Older clients send one folder only.
    const uri = folder?.uri ?? params.rootUri ?? undefined;
    this.#settings = { ...this.#settings, root: pathOf(uri) ?? this.#host.cwd };
    this.#configure(params.initializationOptions);
    const { workspace } = params.capabilities;
    this.#canWatch = workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: 'poundlock', version: this.#host.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: ACTION_KINDS },
        workspace: { workspaceFolders: { supported: true } },
      },
    };
  }

  #configure(options: unknown): void {
    const { strict, baseline } = (options ?? {}) as Partial<Record<string, unknown>>;
    this.#settings = {
      ...this.#settings,
      ...(typeof strict === 'boolean' ? { strict } : {}),
      ...(typeof baseline === 'string' ? { baseline: baseline === '' ? undefined : baseline } : {}),
    };
  }

  async #watch(): Promise<void> {
    if (!this.#canWatch) return;
    const watchers = WATCHED.map((globPattern) => ({ globPattern }));
    await this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  }

  #filesChanged(events: readonly FileEvent[]): void {
    const { baseline } = this.#settings;
    const isDecisive = ({ uri }: FileEvent): boolean =>
      CONFIGURATION.test(uri) || (baseline !== undefined && uri.endsWith(baseline));
    if (events.length > MAX_FILE_EVENTS || events.some(isDecisive)) return this.#restart();
    const paths = (type: FileChangeType): string[] =>
      events.flatMap((event) =>
        // The editor's buffer replaces the file on disk.
        event.type === type && this.#documents.get(event.uri) === undefined
          ? (pathOf(event.uri) ?? [])
          : [],
      );
    const changes = {
      created: paths(FileChangeType.Created),
      changed: paths(FileChangeType.Changed),
      deleted: paths(FileChangeType.Deleted),
    };
    const isAny = Object.values(changes).some(({ length }) => length > 0);
    if (isAny) this.#thread?.post({ kind: 'files', changes });
  }

  #changed({ uri }: TextDocument): void {
    if (pathOf(uri) === undefined) return;
    this.#restarts = 0;
    this.#typed.add(uri);
    this.#timer ??= setTimeout(() => this.#flush(), DEBOUNCE_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    const uris = [...this.#typed];
    this.#typed.clear();
    if (this.#thread === undefined) this.#start();
    else for (const uri of uris) this.#send(uri);
  }

  #send(uri: string): void {
    const document = this.#documents.get(uri);
    const path = pathOf(uri);
    if (document === undefined || path === undefined) return;
    const { version } = document;
    // The compiler does not accept half a surrogate pair, which a keystroke may leave.
    const text = document.getText().toWellFormed();
    this.#thread?.post({ kind: 'buffer', path, text, version });
  }

  #closed(uri: string): void {
    const path = pathOf(uri);
    if (path === undefined) return;
    this.#typed.delete(uri);
    this.#found.delete(uri);
    this.#thread?.post({ kind: 'close', path });
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  /** Starts a thread and sends it every open document. */
  #start(): void {
    const thread = this.#host.startThread(
      this.#settings,
      (report) => this.#received(report),
      (reason) => this.#ended(reason),
    );
    this.#thread = thread;
    for (const uri of this.#documents.keys()) this.#send(uri);
  }

  #restart(): void {
    if (this.#documents.keys().length === 0) return;
    void this.#thread?.stop();
    this.#restarts = 0;
    this.#start();
  }

  #ended(reason: string): void {
    this.#thread = undefined;
    this.#restarts++;
    if (this.#restarts <= MAX_RESTARTS) {
      this.#connection.console.warn(`the analysis ended (${reason}) and is restarted`);
      return this.#start();
    }
    const sentence = reason.replace(/\.$/, '');
    const message = `poundlock: ${sentence}; it is tried again after the next edit`;
    // A notification needs no response.
    const shown: ShowMessageParams = { type: MessageType.Error, message };
    void this.#connection.sendNotification('window/showMessage', shown);
  }

  #received(report: AnalysisReport): void {
    if (report.kind === 'failed') {
      this.#connection.console.error(`${report.path}: ${report.message}`);
      return;
    }
    const { path, version, findings, hovers } = report;
    const document = this.#documents.all().find(({ uri }) => pathOf(uri) === path);
    // A newer version was sent to the thread.
    if (document === undefined || document.version !== version) return;
    const { uri } = document;
    this.#found.set(uri, { version, findings, hovers });
    const diagnostics = findings.map((finding) => diagnosticOf(finding, document));
    void this.#connection.sendDiagnostics({ uri, version, diagnostics });
    for (const look of this.#waiting) look();
  }

  async #actions({ textDocument, range, context }: CodeActionParams): Promise<CodeAction[]> {
    const found = await this.#upToDate(textDocument.uri);
    const document = this.#documents.get(textDocument.uri);
    if (found === undefined || document === undefined) return [];
    return actionsFor(document, found.findings, range, context.only);
  }

  /** What the variable at a position holds, and what becomes of it. */
  async #hover({ textDocument: { uri }, position }: HoverParams): Promise<Hover | null> {
    const found = await this.#upToDate(uri);
    const document = this.#documents.get(uri);
    if (found === undefined || document === undefined) return null;
    const offset = document.offsetAt(position);
    const here = found.hovers.find(({ start, end }) => start <= offset && offset <= end);
    if (here === undefined) return null;
    const range = { start: document.positionAt(here.start), end: document.positionAt(here.end) };
    return { contents: { kind: MarkupKind.Markdown, value: here.text }, range };
  }

  /** Resolves with what is known of a document's current version. */
  #upToDate(uri: string): Promise<DocumentFindings | undefined> {
    const now = (): DocumentFindings | undefined => {
      const current = this.#found.get(uri);
      return current?.version === this.#documents.get(uri)?.version ? current : undefined;
    };
    const { promise, resolve } = Promise.withResolvers<DocumentFindings | undefined>();
    const look = (isLate = false): void => {
      const found = now();
      if (found === undefined && !isLate) return;
      clearTimeout(timer);
      this.#waiting.delete(check);
      resolve(found);
    };
    const check = (): void => look();
    const timer = setTimeout(() => look(true), WAIT_MS);
    this.#waiting.add(check);
    check();
    return promise;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#thread?.stop();
    this.#thread = undefined;
  }
}

/** The path of a file URI; other URIs have none. */
function pathOf(uri: string | undefined): string | undefined {
  return uri?.startsWith('file:') === true ? fileURLToPath(uri) : undefined;
}
