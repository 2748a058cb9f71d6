// The editor: Monaco with poundlock's types, marks of roles, and a model for each file.
import type { SharedFile } from '../../../packages/poundlock/src/explore/index.ts';
import type { Note, Place } from '../../../packages/poundlock/app/places.ts';
import { monaco, typescript } from './monaco.ts';

/** The editor as the page uses it. */
export interface Editor {
  /** Opens other files. */
  readonly open: (files: readonly SharedFile[]) => void;
  readonly show: (name: string) => void;
  /** Marks where roles are, and writes what a finding says below the lines of it. */
  readonly mark: (places: readonly Place[], notes: readonly Note[]) => void;
  readonly setDark: (isDark: boolean) => void;
  readonly dispose: () => void;
}

/** What the editor reports. */
export interface EditorEvents {
  readonly onChange: (name: string, text: string) => void;
  readonly onRun: () => void;
  /** A line was clicked. */
  readonly onLine: (name: string, line: number) => void;
}

const PROGRAM = 'file:///program/';

/** Types by their paths, as the build has written them. */
async function addTypes(): Promise<void> {
  const { typescriptDefaults, ModuleKind, ModuleResolutionKind, ScriptTarget } = typescript;
  typescriptDefaults.setCompilerOptions({
    target: ScriptTarget.ESNext,
    module: ModuleKind.ESNext,
    moduleResolution: ModuleResolutionKind.NodeJs,
    lib: ['es2024', 'esnext.disposable', 'webworker'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    allowNonTsExtensions: true,
    skipLibCheck: true,
    types: [],
  });
  typescriptDefaults.setEagerModelSync(true);
  const response = await fetch('types.json');
  const types = (await response.json()) as Readonly<Record<string, string>>;
  for (const [path, text] of Object.entries(types))
    typescriptDefaults.addExtraLib(text, `file:///node_modules/${path}`);
}

/** The style, which the build writes beside the script. */
async function addStyle(): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = 'parts/editor.css';
  const loaded = new Promise((resolve) => void link.addEventListener('load', resolve));
  document.head.append(link);
  await loaded;
}

function languageOf(name: string): string {
  if (/\.[cm]?[jt]s$/.test(name)) return 'typescript';
  return 'plaintext';
}

(globalThis as { MonacoEnvironment?: object }).MonacoEnvironment = {
  getWorker: (_: string, label: string) =>
    new Worker(label === 'typescript' ? 'ts.worker.js' : 'editor.worker.js', { name: label }),
};

const OPTIONS = {
  model: null,
  automaticLayout: true,
  minimap: { enabled: false },
  fontSize: 13,
  scrollBeyondLastLine: false,
  fixedOverflowWidgets: true,
  tabSize: 2,
  renderLineHighlight: 'none',
  // A number of a line that is dimmed is hard to read.
  renderFinalNewline: 'on',
  quickSuggestions: true,
  wordBasedSuggestions: 'off',
  accessibilitySupport: 'auto',
  ariaLabel: 'program; Escape, then Tab leads out of it',
} as const;

/** Puts an editor into an element. */
export async function createEditor(
  element: HTMLElement,
  isDark: boolean,
  { onChange, onRun, onLine }: EditorEvents,
): Promise<Editor> {
  await Promise.all([addStyle(), addTypes()]);
  const editor = monaco.editor.create(element, { ...OPTIONS, theme: themeOf(isDark) });
  // Tab indents: with the keyboard alone, there must be a way out.
  editor.onKeyDown(({ keyCode }) => {
    if (keyCode === monaco.KeyCode.Escape) editor.updateOptions({ tabFocusMode: true });
  });
  editor.onDidBlurEditorText(() => editor.updateOptions({ tabFocusMode: false }));
  editor.onMouseDown(({ target }) => {
    const model = editor.getModel();
    if (model === null || target.position === null) return;
    onLine(model.uri.toString().slice(PROGRAM.length), target.position.lineNumber);
  });
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, onRun);
  const marks = editor.createDecorationsCollection();
  const notesBelow = noteZones(editor);
  let models: ReturnType<typeof monaco.editor.createModel>[] = [];
  const modelOf = (name: string) =>
    models.find(({ uri }) => uri.toString() === monaco.Uri.parse(PROGRAM + name).toString());
  return {
    open: (files) => {
      editor.setModel(null);
      for (const model of models) model.dispose();
      models = files.map(({ name, text }) => {
        const uri = monaco.Uri.parse(PROGRAM + name);
        const model = monaco.editor.createModel(text, languageOf(name), uri);
        model.onDidChangeContent(() => {
          // A line that is edited is not the one that the finding is about.
          notesBelow.show([]);
          onChange(name, model.getValue());
        });
        return model;
      });
    },
    show: (name) => {
      const model = modelOf(name);
      if (model !== undefined && editor.getModel() !== model) editor.setModel(model);
    },
    mark: (places, notes) => {
      const lines = editor.getModel()?.getLineCount() ?? 0;
      const shown = places.filter(({ line }) => line <= lines);
      marks.set(shown.map(decorationOf));
      notesBelow.show(notes.filter(({ line }) => line <= lines));
      const primary = notes.find(({ isPrimary }) => isPrimary);
      const last = primary ?? shown.find(({ isLast }) => isLast) ?? shown[0];
      if (last !== undefined) editor.revealLineInCenterIfOutsideViewport(last.line);
      // Notes begin at the left.
      if (notes.length > 0) editor.setScrollLeft(0, monaco.editor.ScrollType.Immediate);
    },
    setDark: (dark) => monaco.editor.setTheme(themeOf(dark)),
    dispose: () => {
      editor.dispose();
      for (const model of models) model.dispose();
    },
  };
}

/** The least width of a note, and what is left free beside it, in pixels. */
const LEAST_NOTE = 160;
const NOTE_EDGE = 40;

/** The height that an element has where it is shown. */
function heightOf(element: HTMLElement): number {
  const home = element.parentElement!;
  document.body.append(home);
  const { height } = element.getBoundingClientRect();
  home.remove();
  return Math.ceil(height) + 2;
}

/** Lines below those of the program, which are no part of it. */
function noteZones(editor: ReturnType<typeof monaco.editor.create>) {
  let zones: string[] = [];
  return {
    show: (notes: readonly Note[]) => {
      if (zones.length === 0 && notes.length === 0) return;
      const width = Math.max(LEAST_NOTE, editor.getLayoutInfo().contentWidth - NOTE_EDGE);
      editor.changeViewZones((accessor) => {
        for (const zone of zones) accessor.removeZone(zone);
        zones = notes.map(({ line, text, isPrimary, severity }) => {
          const domNode = document.createElement('div');
          domNode.className = 'zone';
          const note = domNode.appendChild(document.createElement('p'));
          note.className = isPrimary ? `note ${severity}` : 'note';
          note.textContent = text;
          note.style.width = `${width}px`;
          return accessor.addZone({ afterLineNumber: line, heightInPx: heightOf(note), domNode });
        });
      });
    },
  };
}

/** The background is that of the page. */
const LIGHT_THEME = 'light';
monaco.editor.defineTheme(LIGHT_THEME, {
  base: 'vs',
  inherit: true,
  rules: [],
  colors: { 'editor.background': '#ffffff' },
});

/** Monaco's dark theme has comments that are hard to read. */
const DARK_THEME = 'dark';
monaco.editor.defineTheme(DARK_THEME, {
  base: 'vs-dark',
  inherit: true,
  rules: [{ token: 'comment', foreground: '7fb069' }],
  colors: { 'editor.background': '#10151b' },
});

function themeOf(isDark: boolean): string {
  return isDark ? DARK_THEME : LIGHT_THEME;
}

function decorationOf({ line, name, text, isLast }: Place) {
  return {
    range: new monaco.Range(line, 1, line, Number.MAX_SAFE_INTEGER),
    options: {
      isWholeLine: true,
      className: isLast ? 'mark last' : 'mark',
      hoverMessage: { value: plain(`${name}: ${text}`) },
      after: { content: `  ${isLast ? '✓' : '▸'} ${name}`, inlineClassName: 'mark-name' },
    },
  };
}

/** A hover is Markdown: a name is not. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|&~]/g, String.raw`\$&`);
}
