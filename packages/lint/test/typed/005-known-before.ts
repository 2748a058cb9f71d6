// Listeners that functions from before them release, lists that refuse items after their end, and
// objects that end together.
import * as vscode from 'vscode';

/** A list that throws after its end: no correct program sees that. */
class List implements vscode.Disposable {
  private isDisposed = false;
  private readonly all: vscode.Disposable[] = [];
  push(...items: vscode.Disposable[]): number {
    if (this.isDisposed) throw new Error('already disposed');
    return this.all.push(...items);
  }
  insert(item: vscode.Disposable, index: number): void {
    if (index > this.all.length) throw new Error('no such index');
    this.all.splice(index, 0, item);
  }
  dispose(): void {
    this.isDisposed = true;
    for (const each of this.all) each.dispose();
  }
}
export function pushed(): vscode.Disposable {
  const list = new List();
  const channel = vscode.window.createOutputChannel('a');
  list.push(channel);
  return list;
}
export function inserted(index: number): vscode.Disposable {
  const list = new List();
  const channel = vscode.window.createOutputChannel('a'); // expect: leak
  list.insert(channel, index);
  return list;
}
interface Connection {
  onShutdown(end: () => void): void;
}
function assert(value: unknown, message: string): asserts value {
  if (!value) throw new Error(message);
}
class Bag {
  #isEnded = false;
  readonly #all: vscode.Disposable[] = [];
  add(item: vscode.Disposable): void {
    if (this.isEnded()) throw new Error('already disposed');
    this.#all.push(item);
  }
  put(item: vscode.Disposable): void {
    assert(!this.#isEnded, 'already disposed');
    this.#all.push(item);
  }
  insert(item: vscode.Disposable, index: number): void {
    if (index > this.#all.length) throw new Error('no such index');
    this.#all.splice(index, 0, item);
  }
  isEnded(): boolean {
    return this.#isEnded;
  }
  [Symbol.dispose](): void {
    this.#isEnded = true;
    for (const each of this.#all) each.dispose();
  }
}
/** A nested function fills the list, also with functions, and another ends it. */
export function filled(connection: Connection): void {
  const bag = new Bag();
  const first = add(vscode.window.createOutputChannel('a'));
  add({ dispose: () => first.dispose() });
  bag.put({ dispose: () => first.dispose() });
  connection.onShutdown(() => bag[Symbol.dispose]());
  function add<T extends vscode.Disposable>(item: T): T {
    bag.add(item);
    return item;
  }
}
export function filledAt(connection: Connection, index: number): void {
  const bag = new Bag(); // nothing shows that this function owns it
  const first = add(vscode.window.createOutputChannel('a')); // expect: leak
  add({ dispose: () => first.dispose() });
  connection.onShutdown(() => bag[Symbol.dispose]());
  function add<T extends vscode.Disposable>(item: T): T {
    bag.insert(item, index);
    return item;
  }
}

export function fired(event: vscode.Event<string>): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, 1000);
    const listener = event((value) => {
      resolve(value);
      end();
    });
    function end(): void {
      clearTimeout(timer);
      listener.dispose();
    }
  });
}
export function firedForever(event: vscode.Event<string>): Promise<string> {
  return new Promise((resolve) => {
    const listener = event((value) => resolve(value)); // expect: leak
    end();
    function end(): void {
      resolve(String(listener));
    }
  });
}
function disposeOf(item: vscode.Disposable | undefined): void {
  item?.dispose();
}
export function first(event: vscode.Event<string>): Promise<string> {
  let listener: vscode.Disposable | undefined;
  return new Promise((resolve) => {
    listener = event((value) => {
      disposeOf(listener);
      resolve(value);
    });
  });
}

interface Channel {
  close(): void;
  abort(reason: Error): void;
  send(text: string): Promise<void>;
}
interface Peer {
  createChannel(name: string): Channel;
  createOffer(): Promise<string>;
  close(): void;
}
declare function createPeer(): Peer;
export async function endsWithMaker(): Promise<string> {
  const peer = createPeer();
  try {
    const channel = peer.createChannel('a');
    const offer = await peer.createOffer();
    channel.close();
    return offer;
  } finally {
    peer.close();
  }
}
export async function hasNoMaker(peer: Peer): Promise<string> {
  const channel = peer.createChannel('a'); // expect: leak
  const offer = await peer.createOffer();
  channel.close();
  return offer;
}
export async function aborted(peer: Peer): Promise<void> {
  const channel = peer.createChannel('a');
  try {
    await channel.send('a');
    channel.close();
  } catch (error) {
    channel.abort(error as Error);
  }
}
export async function notAborted(peer: Peer): Promise<void> {
  const channel = peer.createChannel('a'); // expect: leak
  try {
    await channel.send('a');
    channel.close();
  } catch (error) {
    process.exitCode = String(error).length;
  }
}

export async function untilItsEnd(
  panel: vscode.WebviewPanel,
  work: () => Promise<void>,
): Promise<void> {
  const listener = panel.onDidDispose(() => {});
  await work();
  listener.dispose();
}
export async function beyond(panel: vscode.TreeView<string>, work: () => Promise<void>) {
  const listener = panel.onDidChangeSelection(() => {}); // expect: leak
  await work();
  listener.dispose();
}

class Bus {
  private readonly emitter = new vscode.EventEmitter<string>();
  on(name: string, call: () => void, self?: unknown, list?: vscode.Disposable[]) {
    return this.emitter.event((each) => each === name && call.call(self), self, list);
  }
  dispose(): void {
    this.emitter.dispose();
  }
}
class Typing implements vscode.Disposable {
  private handler?: vscode.Disposable;
  private readonly main: Listed | Unlisted;
  constructor(main: Listed | Unlisted) {
    this.main = main;
  }
  start(): void {
    this.handler ??= vscode.commands.registerCommand('a', () => this.main);
  }
  dispose(): void {
    this.handler?.dispose();
  }
}
class Other implements vscode.Disposable {
  constructor(name: string) {
    if (name === '') throw new Error('no name');
  }
  dispose(): void {}
}
/** What a list of the class gets, it releases, whatever a later item throws. */
export class Listed {
  private readonly disposables: vscode.Disposable[] = [];
  public typing!: Typing;
  constructor(bus: Bus) {
    bus.on('a', () => {}, this, this.disposables);
  }
  async start(name: string): Promise<void> {
    this.disposables.push((this.typing = new Typing(this)), new Other(name));
    await Promise.resolve();
  }
  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }
}
export class Unlisted {
  private readonly disposables: vscode.Disposable[] = [];
  public typing!: Typing;
  async start(name: string): Promise<void> {
    this.typing = new Typing(this);
    this.disposables.push(new Other(name));
    await Promise.resolve();
  }
  dispose(): void {
    for (const each of this.disposables) each.dispose();
  }
}

/** What `free()` frees, the collector frees as well: only another release shows an owner. */
interface Key {
  free(): void;
  [Symbol.dispose](): void;
  publicKey(): string;
}
declare function createKey(): Key;
export function collected(): string {
  const key = createKey();
  return key.publicKey();
}
export function freed(isPublic: boolean): string {
  const key = createKey(); // expect: leak
  if (isPublic) return key.publicKey();
  key.free();
  return '';
}
