// A client of the language server, over the pipes of a real process.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { asInstalled } from '../../../../test/package/as-installed.ts';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeAction,
  type Diagnostic,
  type Hover,
  type InitializeParams,
  type MarkupContent,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

const BIN = join(import.meta.dirname, '..', '..', '..', 'poundlock', 'bin', 'poundlock.js');

/** The longest wait of a test. */
export const WAIT_MS = 60_000;

/** A temporary folder with files, removed after the test. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'poundlock-lsp-'));

  write(name: string, text: string): string {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The child processes of a process, from Linux's /proc. */
export function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap((task) =>
    readFileSync(`${tasks}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

export class Client {
  readonly process: ChildProcess;
  readonly connection: ProtocolConnection;
  /** Every report of diagnostics, in order. */
  readonly published: PublishDiagnosticsParams[] = [];
  readonly messages: string[] = [];
  readonly #documents = new Map<string, TextDocument>();
  readonly #root: string;
  #look = (): void => {};
  stderr = '';

  constructor(root: string, bin = BIN) {
    this.#root = root;
    this.process = spawn(process.execPath, [bin, 'lsp', '--stdio'], {
      cwd: root,
      env: bin === BIN ? process.env : asInstalled(),
    });
    const { stdin, stdout, stderr } = this.process;
    stderr!.on('data', (chunk: Buffer) => void (this.stderr += String(chunk)));
    this.connection = createProtocolConnection(
      new StreamMessageReader(stdout!),
      new StreamMessageWriter(stdin!),
    );
    this.connection.onNotification('textDocument/publishDiagnostics', (params) => {
      this.published.push(params as PublishDiagnosticsParams);
      this.#look();
    });
    const onMessage = ({ message }: { message: string }): void => {
      this.messages.push(message);
      this.#look();
    };
    this.connection.onNotification('window/logMessage', onMessage);
    this.connection.onNotification('window/showMessage', onMessage);
    this.connection.onRequest('client/registerCapability', () => null);
    this.connection.listen();
  }

  async initialize(more: Partial<InitializeParams> = {}): Promise<unknown> {
    const uri = pathToFileURL(this.#root).href;
    const result = await this.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'root' }],
      capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
      ...more,
    });
    await this.connection.sendNotification('initialized', {});
    return result;
  }

  async open(path: string, text: string): Promise<void> {
    const uri = pathToFileURL(path).href;
    this.#documents.set(path, TextDocument.create(uri, 'typescript', 1, text));
    const textDocument = { uri, languageId: 'typescript', version: 1, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Replaces the text between two offsets, as an editor does. */
  async edit(path: string, start: number, end: number, text: string): Promise<void> {
    const document = this.document(path);
    const range = { start: document.positionAt(start), end: document.positionAt(end) };
    const contentChanges = [{ range, text }];
    const version = document.version + 1;
    this.#documents.set(path, TextDocument.update(document, contentChanges, version));
    const textDocument = { uri: document.uri, version };
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges,
    });
  }

  async replace(path: string, text: string): Promise<void> {
    await this.edit(path, 0, this.document(path).getText().length, text);
  }

  async close(path: string): Promise<void> {
    const textDocument = { uri: this.document(path).uri };
    await this.connection.sendNotification('textDocument/didClose', { textDocument });
    this.#documents.delete(path);
  }

  document(path: string): TextDocument {
    return this.#documents.get(path)!;
  }

  async until<T>(what: string, found: () => T | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const fail = (): void => reject(new Error(`no ${what}; stderr: ${this.stderr}`));
    const timer = setTimeout(fail, WAIT_MS);
    this.#look = (): void => {
      const answer = found();
      if (answer !== undefined) resolve(answer);
    };
    this.#look();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#look = () => {};
    }
  }

  /**
   * The diagnostics of the present version of a buffer; `after` skips what was published before.
   */
  diagnostics(path: string, after = 0): Promise<Diagnostic[]> {
    const { uri, version } = this.document(path);
    return this.until(`diagnostics of version ${version} of ${path}`, () => {
      const found = this.published.slice(after).findLast((each) => each.uri === uri);
      return found?.version === version ? found.diagnostics : undefined;
    });
  }

  async actions(path: string, range: Range, only?: string[]): Promise<CodeAction[]> {
    const { uri } = this.document(path);
    return this.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
    });
  }

  /** What the editor shows at the first occurrence of a word. */
  async hover(path: string, word: string): Promise<string | undefined> {
    const document = this.document(path);
    const position = document.positionAt(document.getText().indexOf(word));
    const textDocument = { uri: document.uri };
    const shown: Hover | null = await this.connection.sendRequest('textDocument/hover', {
      textDocument,
      position,
    });
    return shown === null ? undefined : (shown.contents as MarkupContent).value;
  }

  /** The text of a buffer after a code action; the buffer is changed, too. */
  async apply(path: string, { edit }: CodeAction): Promise<string> {
    const document = this.document(path);
    const text = TextDocument.applyEdits(document, edit?.changes?.[document.uri] ?? []);
    await this.replace(path, text);
    return text;
  }

  /** The exit code of the process, when it has ended. */
  ended(): Promise<number | null> {
    const { exitCode, signalCode } = this.process;
    if (exitCode !== null || signalCode !== null) return Promise.resolve(exitCode);
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    const timer = setTimeout(() => reject(new Error('the server did not end')), WAIT_MS);
    this.process.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connection.dispose();
    this.process.kill('SIGKILL');
    await this.ended();
  }
}
