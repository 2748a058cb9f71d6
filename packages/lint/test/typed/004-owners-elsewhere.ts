// Handles whose owner is found outside of the function that makes them.
/// <reference lib="esnext.disposable" />
import type { Pool } from 'pg';
import * as vscode from 'vscode';

/** A method releases what a getter of the class returns. */
export class BehindGetter {
  private _channel: vscode.OutputChannel | undefined;
  private get channel(): vscode.OutputChannel {
    this._channel ??= vscode.window.createOutputChannel('a');
    return this._channel;
  }
  log(text: string): void {
    this.channel.appendLine(text);
  }
  dispose(): void {
    this.channel.dispose();
  }
}
export class NotBehindGetter {
  private _channel: vscode.OutputChannel | undefined;
  private readonly view = vscode.window.createTerminal('a');
  private get channel(): vscode.OutputChannel {
    this._channel ??= vscode.window.createOutputChannel('a'); // expect: leak
    return this._channel;
  }
  log(text: string): void {
    this.channel.appendLine(text);
  }
  dispose(): void {
    this.view.dispose();
  }
}

/** A listener on what the function itself has put into a variable of its module. */
let terminal: vscode.TreeView<string>;
export function replaced(options: vscode.TreeViewOptions<string>): void {
  terminal = vscode.window.createTreeView('a', options);
  terminal.onDidChangeSelection(() => {}); // expect: note
}
let shown: vscode.TreeView<string>;
export function set(view: vscode.TreeView<string>): void {
  shown = view;
  shown.onDidChangeSelection(() => {}); // expect: leak
}

/** The parameter takes the listener. */
export function registers(
  emitter: vscode.EventEmitter<string>,
  register: (all: vscode.Disposable) => void,
): void {
  register(emitter.event(() => {}));
}

/** The only object of a class, which the entry creates. */
class Status {
  readonly name = 'a';
  constructor() {
    vscode.workspace.onDidChangeConfiguration(() => {}); // expect: note
  }
}
class Statuses {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
    vscode.workspace.onDidChangeConfiguration(() => {}); // expect: leak
  }
}
function start(names: readonly string[]): unknown[] {
  const all: unknown[] = [new Status()];
  for (const name of names) all.push(new Statuses(name));
  return all;
}
export function main(): void {
  start(['a', 'b']);
  new Configuration().watchOnce();
}

/** A server that listens ends with its process. */
interface Service extends AsyncDisposable {
  listen(port: number): Promise<void>;
}
declare function createService(): Service;
export async function serve(): Promise<void> {
  const service = createService();
  await service.listen(80);
}
interface Store extends AsyncDisposable {
  fill(size: number): Promise<void>;
}
declare function createStore(): Store;
export async function fill(): Promise<void> {
  const store = createStore(); // expect: leak
  await store.fill(80);
}

/** What a panel or a token holds ends with it. */
export function ofPanel(panel: vscode.WebviewPanel, token?: vscode.CancellationToken): void {
  panel.webview.onDidReceiveMessage(() => {});
  token?.onCancellationRequested(() => {});
}
export function ofView(view: vscode.TreeView<string> | undefined): void {
  view?.onDidChangeSelection(() => {}); // expect: leak
}

/** It runs once, by a flag of its module, or as the module's own promise is made. */
let isReady = false;
export function prepare(): void {
  if (isReady) return;
  vscode.workspace.onDidChangeConfiguration(() => {}); // expect: note
  isReady = true;
}
export function repeat(): void {
  if (isReady) return;
  vscode.workspace.onDidChangeConfiguration(() => {}); // expect: leak
}
export const started = new Promise<void>((resolve) => {
  void Promise.resolve().then(() => {
    vscode.workspace.onDidChangeConfiguration(() => {}); // expect: note
    resolve();
  });
});

export function resolvedBy(done: vscode.EventEmitter<void>): Promise<void> {
  const own = new vscode.EventEmitter<void>();
  void new Promise<void>((resolve) => {
    done.event(resolve); // expect: leak
  });
  return new Promise((resolve) => {
    own.event(resolve); // expect: note
  });
}

/** A method that the entry calls. */
export class Configuration {
  readonly name = 'a';
  watchOnce(): void {
    vscode.workspace.onDidChangeConfiguration(() => {}); // expect: note
  }
  watchAgain(): void {
    vscode.workspace.onDidChangeConfiguration(() => {}); // expect: leak
  }
}
export async function reload(): Promise<void> {
  new Configuration().watchAgain();
}

/** What an executor starts ends before its promise does. */
export async function awaited(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await new Promise<void>((resolve, reject) => {
      void client.query('a').then(() => resolve(), reject);
    });
  } finally {
    client.release();
  }
}
export async function notAwaited(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    void client.query('a'); // expect: use-after-release
  } finally {
    client.release();
  }
}
