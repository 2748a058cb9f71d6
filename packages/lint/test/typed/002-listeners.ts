// Listeners and other disposables of an extension: whose they are.
import * as vscode from 'vscode';

export function outside(): void {
  vscode.window.onDidChangeActiveTextEditor(() => {}); // expect: leak
}
export function ofParameter(view: vscode.TreeView<string>): void {
  view.onDidChangeSelection(() => {}); // expect: leak
}
declare const tree: vscode.TreeDataProvider<string>;
export function activate(): void {
  vscode.window.registerTreeDataProvider('a', tree); // expect: note
  vscode.window.onDidChangeActiveTextEditor(() => {}); // expect: note
}
vscode.languages.registerCodeLensProvider('a', { provideCodeLenses: () => [] }); // expect: note
void Promise.resolve(vscode.window).then((window) => {
  window.onDidChangeActiveTextEditor(() => {}); // expect: note
});
export function ofOwnObject(): void {
  const input = vscode.window.createInputBox();
  input.onDidAccept(() => input.hide()); // expect: note
  input.dispose();
}
export function ofOwnList(files: readonly string[]): vscode.Disposable[] {
  const watchers = files.map((file) => vscode.workspace.createFileSystemWatcher(file));
  watchers.forEach((watcher) => watcher.onDidChange(() => {})); // expect: note
  return watchers;
}
export function ofToken(token: vscode.CancellationToken): void {
  token.onCancellationRequested(() => {});
}
/** It takes itself off. */
export function once(id: string): Promise<void> {
  return new Promise((resolve) => {
    const listener = vscode.debug.onDidTerminateDebugSession((session) => {
      if (session.id !== id) return;
      listener.dispose();
      resolve();
    });
  });
}
export function delay(time: number): Promise<void> {
  return new Promise((resolve) => {
    let listener: vscode.Disposable | undefined = undefined;
    const timer = setTimeout(() => {
      listener?.dispose();
      resolve();
    }, time);
    listener = vscode.workspace.onDidChangeConfiguration(() => clearTimeout(timer));
  });
}

class Settings {
  readonly #emitter = new vscode.EventEmitter<string>();
  onChange(name: string, call: (value: string) => void): vscode.Disposable {
    return this.#emitter.event((value) => call(name + value));
  }
}
export class Own {
  private readonly settings = new Settings();
  constructor() {
    this.settings.onChange('a', () => {}); // expect: note
  }
}
export class Foreign {
  private readonly settings: Settings;
  constructor(settings: Settings) {
    this.settings = settings;
    this.settings.onChange('a', () => {}); // expect: note
  }
}

function disposeAll(all: vscode.Disposable[]): void {
  const copy = all.slice();
  all.length = 0;
  for (const each of copy) each.dispose();
}
/** Another field holds what this one holds. */
export class Collected {
  readonly #all: vscode.Disposable[] = [];
  readonly #item: vscode.StatusBarItem;
  readonly #type = vscode.window.createTextEditorDecorationType({});
  readonly #types: vscode.Disposable[] = [this.#type];
  constructor() {
    this.#item = vscode.window.createStatusBarItem('a');
    this.#all.push(this.#item);
  }
  show(editor: vscode.TextEditor): void {
    this.#item.show();
    editor.setDecorations(this.#type, []);
  }
  dispose(): void {
    disposeAll(this.#all);
    disposeAll(this.#types);
  }
}
export class Forgotten {
  readonly #item: vscode.StatusBarItem;
  readonly #all: vscode.Disposable[] = [];
  constructor() {
    this.#item = vscode.window.createStatusBarItem('a'); // expect: leak
    this.#item.show();
  }
  dispose(): void {
    disposeAll(this.#all);
  }
}
export function drained(): Promise<void> {
  const all: vscode.Disposable[] = [];
  return new Promise<void>((resolve) => {
    all.push(vscode.debug.onDidTerminateDebugSession(() => resolve()));
  }).finally(() => disposeAll(all));
}
export class Together {
  #all: vscode.Disposable | undefined;
  start(): void {
    const list = [vscode.workspace.onDidChangeConfiguration(() => {})];
    this.#all = vscode.Disposable.from(...list);
  }
  dispose(): void {
    this.#all?.dispose();
  }
}

/** Its own method builds it, first and after its end. */
export class Rebuilt {
  private type!: vscode.TextEditorDecorationType;
  constructor() {
    this.build();
  }
  private build(): void {
    this.type = vscode.window.createTextEditorDecorationType({ after: { margin: '2px' } });
  }
  refresh(): void {
    this.type.dispose();
    this.build();
  }
  dispose(): void {
    this.type.dispose();
  }
}
/** The user may have closed it. */
export class Closable {
  private readonly panel = vscode.window.createWebviewPanel('a', 'b', vscode.ViewColumn.One);
  constructor() {
    this.panel.onDidDispose(() => this.dispose(true));
  }
  dispose(isClosed = false): void {
    if (!isClosed) this.panel.dispose();
  }
}
export async function terminal(all: Map<number, vscode.Terminal>): Promise<vscode.Terminal> {
  const created = vscode.window.createTerminal('a');
  all.set((await created.processId)!, created);
  return created;
}
/** An emitter ends with its object, and so does an object that owns only an emitter. */
class Property {
  readonly #changed = new vscode.EventEmitter<void>();
  dispose(): void {
    this.#changed.dispose();
  }
}
export class Model {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #name = new Property();
  dispose(): void {}
  fire(): Property {
    this.#changed.fire();
    return this.#name;
  }
}
export function profiles(controller: vscode.TestController): void {
  controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, () => {});
}
/** The object that it gives its list to owns what comes into that list later, too. */
export class Kits {
  readonly #watchers: vscode.Disposable[];
  constructor(watchers: vscode.Disposable[]) {
    this.#watchers = watchers;
  }
  static of(files: readonly string[]): Kits {
    const watchers: vscode.Disposable[] = [];
    const kits = new Kits(watchers);
    for (const file of files) watchers.push(vscode.workspace.createFileSystemWatcher(file));
    return kits;
  }
  dispose(): void {
    disposeAll(this.#watchers);
  }
}
/** Whether it is over is a matter of other methods: what it returns is there to be used. */
abstract class Registry {
  protected isOver = false;
  readonly #all: vscode.Disposable[] = [];
  protected register<T extends vscode.Disposable>(value: T): T {
    if (this.isOver) value.dispose();
    else this.#all.push(value);
    return value;
  }
  dispose(): void {
    this.isOver = true;
    disposeAll(this.#all);
  }
}
export class Registered extends Registry {
  readonly #emitter = this.register(new vscode.EventEmitter<void>());
  readonly onDidEnd = this.#emitter.event;
  readonly #comments: vscode.CommentController;
  constructor() {
    super();
    this.#comments = this.register(vscode.comments.createCommentController('a', 'b'));
    this.#comments.options = {};
  }
}
export function listed(context: vscode.ExtensionContext): void {
  vscode.workspace.onDidChangeTextDocument(() => {}, null, context.subscriptions);
}
export class Late {
  #channel: vscode.OutputChannel | undefined;
  readonly #context: vscode.ExtensionContext;
  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
  }
  #add(item: vscode.Disposable): void {
    this.#context.subscriptions.push(item);
  }
  start(): void {
    this.#channel ??= vscode.window.createOutputChannel('a');
    this.#add(this.#channel);
  }
  dispose(): void {}
}
/** Its listeners close it. */
export function pick(from: vscode.QuickPick<vscode.QuickPickItem>): Promise<boolean> {
  return new Promise((resolve) => {
    const all: vscode.Disposable[] = [];
    const close = (isChosen: boolean): void => {
      resolve(isChosen);
      for (const each of all) each.dispose();
    };
    all.push(
      from.onDidHide(() => close(false)),
      from.onDidAccept(() => close(true)),
      from,
    );
  });
}

export class Panel {
  private panel: vscode.WebviewPanel | undefined = undefined;
  constructor() {
    this.panel = vscode.window.createWebviewPanel('a', 'b', 1);
    this.panel.webview.onDidReceiveMessage(() => {});
  }
  dispose(): void {
    this.panel?.dispose();
  }
}
export class Listed {
  private readonly view: vscode.TreeView<string>;
  constructor(context: { readonly subscriptions: vscode.Disposable[] }) {
    this.view = vscode.window.createTreeView('a', { treeDataProvider: tree });
    context.subscriptions.push(this.view);
  }
  close(): void {
    void this.view.reveal('a');
  }
}

/** The callers of a function own the emitter that they pass, or they do not. */
function listens(settings: Settings): void {
  settings.onChange('a', () => {}); // expect: note
}
export function opens(): Settings {
  const settings = new Settings();
  listens(settings);
  return settings;
}
function follows(settings: Settings): void {
  settings.onChange('a', () => {}); // expect: leak
}
export function followsShared(settings: Settings): void {
  follows(settings);
}
