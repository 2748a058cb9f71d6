// The program text: tabs of its files, the editor, and until that is loaded a plain text field.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SharedFile } from '../../../packages/poundlock/src/explore/index.ts';
import { findingsHere, type Exploration } from '../../../packages/poundlock/app/exploration.ts';
import { notesIn, placesIn } from '../../../packages/poundlock/app/places.ts';
import type { Note, Place } from '../../../packages/poundlock/app/places.ts';
import type { BarPlace } from '../../../packages/poundlock/src/report/timeline/bars.ts';
import type { Editor } from './editor.ts';

interface EditorPaneProps {
  /** Whether the editor may be loaded: until then, the program has the processor for itself. */
  readonly isReady: boolean;
  readonly files: readonly SharedFile[];
  /** What is marked; `null` where it is about another text. */
  readonly exploration: Exploration | null;
  /** Why it does not run: its place is in it, where it has one. */
  readonly problem: string;
  readonly onChange: (name: string, text: string) => void;
  readonly onRun: () => void;
  /** The line that is selected in the timeline, and what happens when one is chosen here. */
  readonly selected: BarPlace | null;
  readonly onLine: (place: BarPlace) => void;
}

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** The editor. */
export function EditorPane(props: EditorPaneProps) {
  const { isReady, files, exploration, problem, selected, onChange, onRun, onLine } = props;
  const element = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const names = files.map(({ name }) => name);
  const found = exploration === null ? undefined : findingsHere(exploration)[0]?.primary;
  const frame = frameOf(problem, names);
  const last = (frame ?? selected ?? found ?? exploration?.now.trace.at(-1))?.file;
  const followed = last !== undefined && names.includes(last) ? last : names[0]!;
  const active = chosen !== null && names.includes(chosen) ? chosen : followed;
  const events = useRef({ onChange, onRun, onLine });
  events.current = { onChange, onRun, onLine };
  useEditor(isReady, element, events, setEditor);
  useEffect(() => setChosen(null), [files]);
  useEffect(() => {
    editor?.open(files);
  }, [editor, files]);
  useEffect(() => editor?.show(active), [editor, files, active]);
  const text = files.find(({ name }) => name === active)?.text ?? '';
  useEffect(() => {
    const notes = frame?.file === active ? [frame] : [];
    if (selected !== null) editor?.mark(selected.file === active ? [markOf(selected)] : [], []);
    else if (exploration === null || frame !== null) editor?.mark([], notes);
    else editor?.mark(placesIn(exploration, active), notesIn(exploration, active));
  }, [editor, exploration, problem, selected, active]);
  return (
    <section class="pane program" aria-label="program">
      <div class="tabs" role="tablist" aria-label="files">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === active}
            onClick={() => setChosen(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="editor" ref={element} />
      {editor === null && (
        <textarea
          key={active}
          class="plain"
          aria-label={active}
          spellcheck={false}
          defaultValue={text}
          onInput={(event) => onChange(active, (event.target as HTMLTextAreaElement).value)}
        />
      )}
    </section>
  );
}

/** The mark of a line that is selected. */
function markOf({ line }: BarPlace): Place {
  return { line, name: 'timeline', text: 'selected in the timeline', isLast: true };
}

/** What a sentence with a place in front says of a line of these files. */
function frameOf(problem: string, names: readonly string[]): (Note & { file: string }) | null {
  const [, file = '', line = '', text = ''] = /^(.+?):(\d+):\d+: ([^]*)$/.exec(problem) ?? [];
  if (!names.includes(file)) return null;
  return { file, line: Number(line), text, isPrimary: true, severity: 'error' };
}

/** Loads the editor once; without it the text field remains. */
function useEditor(
  isReady: boolean,
  element: { readonly current: HTMLDivElement | null },
  events: { readonly current: Pick<EditorPaneProps, 'onChange' | 'onRun' | 'onLine'> },
  setEditor: (editor: Editor) => void,
): void {
  useEffect(() => {
    if (!isReady) return;
    let editor: Editor | null = null;
    let isGone = false;
    const setDark = () => editor?.setDark(DARK.matches);
    const load = async () => {
      const { createEditor } = await import('./editor.ts');
      const created = await createEditor(element.current!, DARK.matches, {
        onChange: (name, text) => events.current.onChange(name, text),
        onRun: () => events.current.onRun(),
        onLine: (file, line) => events.current.onLine({ file, line }),
      });
      if (isGone) return created.dispose();
      editor = created;
      setEditor(created);
    };
    load().catch((error: unknown) => console.warn('the editor is not loaded', error));
    DARK.addEventListener('change', setDark);
    return () => {
      isGone = true;
      editor?.dispose();
      DARK.removeEventListener('change', setDark);
    };
  }, [isReady, element, events, setEditor]);
}
