// The program text or PTX: the line of each role, and the line of the step that was made last.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BarPlace } from '../src/report/timeline/bars.ts';
import type { Engine } from './engine.ts';
import { findingsHere, type Exploration } from './exploration.ts';
import { filesOf, isPtx, notesIn, placesIn, type Note, type Place } from './places.ts';
import { showRow } from './scroll.ts';

/** Lines of a long file that are shown around those of roles. */
const AROUND = 400;

interface SourcePaneProps {
  readonly engine: Engine;
  readonly exploration: Exploration;
  /** Whether the text is not the one that was checked: nothing is marked in it then. */
  readonly isStale: boolean;
  /** Reports the text that is shown. */
  readonly onText: (file: string, text: string) => void;
  /** The line that is selected in the timeline, and a way to select another one. */
  readonly selected: BarPlace | null;
  readonly select: (place: BarPlace) => void;
}

/** The source. */
export function SourcePane(props: SourcePaneProps) {
  const { engine, exploration, isStale, onText, selected, select } = props;
  const { kernel, now } = exploration;
  const files = useMemo(() => filesOf(exploration), [exploration]);
  const last = selected ?? findingsHere(exploration)[0]?.primary ?? now.trace.at(-1);
  const [chosen, setChosen] = useState<string | null>(null);
  const shownFirst = last?.file !== undefined && files.includes(last.file) ? last.file : files[0]!;
  const wanted = chosen !== null && files.includes(chosen) ? chosen : shownFirst;
  const source = useSource(engine, wanted);
  // A kernel from another machine comes without its source: its PTX is there.
  const file = source.isMissing && isPtx(kernel.file) ? kernel.file : wanted;
  const { text, isMissing } = useSource(engine, file);
  useEffect(() => {
    if (!isMissing && text !== '') onText(file, text);
  }, [file, text, isMissing, onText]);
  const places = isStale ? [] : placesIn(exploration, file);
  const notes = isStale ? [] : notesIn(exploration, file);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const found = ['.selected', '.primary', '.last', '.has'].map((one) =>
      list.current?.querySelector(one),
    );
    showRow(list.current!.parentElement!, found.find(Boolean));
  }, [now, exploration.verdict, selected, text]);
  const lines = text.split('\n');
  const shownLine = notes.find(({ isPrimary }) => isPrimary) ?? places.find((one) => one.isLast);
  const middle = (shownLine ?? places[0])?.line ?? 1;
  const first = lines.length > 2 * AROUND ? Math.max(1, middle - AROUND) : 1;
  const shown = lines.slice(first - 1, first - 1 + 2 * AROUND);
  return (
    <section class="pane source" aria-label="source">
      <h2>
        {files.length > 1 ? (
          <FileChoice files={files} file={file} choose={setChosen} />
        ) : (
          (file ?? kernel.file)
        )}
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={`lines of ${file}`}>
        <ol ref={list}>
          {shown.map((code, index) => {
            const line = first + index;
            const isHere = (place: { readonly line: number }) => place.line === line;
            return (
              <SourceLine
                key={line}
                line={line}
                code={code}
                places={places.filter(isHere)}
                notes={notes.filter(isHere)}
                isSelected={selected?.file === file && selected.line === line}
                select={() => select({ file, line })}
              />
            );
          })}
        </ol>
      </div>
    </section>
  );
}

function FileChoice({
  files,
  file,
  choose,
}: {
  readonly files: readonly string[];
  readonly file: string;
  readonly choose: (file: string) => void;
}) {
  const names = files.map((one) => one.split('/').at(-1)!);
  return (
    <select
      aria-label="file"
      title={file}
      value={file}
      onChange={(event) => choose((event.target as HTMLSelectElement).value)}
    >
      {files.map((one, at) => (
        <option key={one} value={one}>
          {names.indexOf(names[at]!) === names.lastIndexOf(names[at]!) ? names[at] : one}
        </option>
      ))}
    </select>
  );
}

/** A line with the roles that are at it, and what a finding says of it. */
function SourceLine({
  line,
  code,
  places,
  notes,
  isSelected,
  select,
}: {
  readonly line: number;
  readonly code: string;
  readonly places: readonly Place[];
  readonly notes: readonly Note[];
  readonly isSelected: boolean;
  readonly select: () => void;
}) {
  const looks = {
    has: places.length > 0,
    last: places.some(({ isLast }) => isLast),
    selected: isSelected,
    primary: notes.some(({ isPrimary }) => isPrimary),
  };
  const shownLooks = Object.entries(looks).flatMap(([look, is]) => (is ? [look] : []));
  return (
    <li value={line} class={shownLooks.join(' ')} onClick={select}>
      <code>{code === '' ? ' ' : code}</code>
      <span class="at">
        {places.map(({ name, isLast, text }) => (
          <span key={`${name}${isLast}`} title={text}>
            {isLast ? `✓ ${name}` : `▸ ${name}`}
          </span>
        ))}
      </span>
      {notes.map(({ text, isPrimary, severity }) => (
        <p key={text} class={`note${isPrimary ? ` ${severity}` : ''}`}>
          {text}
        </p>
      ))}
    </li>
  );
}

interface Source {
  readonly text: string;
  readonly isMissing: boolean;
}

function useSource(engine: Engine, file: string): Source {
  const [sources, setSources] = useState<ReadonlyMap<string, Source>>(new Map());
  const [visits, setVisits] = useState(0);
  // Who comes back from an editor sees what is there now.
  useEffect(() => {
    const look = () => setVisits((before) => before + 1);
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
  useEffect(() => {
    const set = (source: Source) => setSources((before) => new Map([...before, [file, source]]));
    engine.source(file).then(
      (text) => set({ text: text ?? `${file} is not here`, isMissing: text === null }),
      (error: Error) => set({ text: error.message, isMissing: true }),
    );
  }, [engine, file, visits]);
  return sources.get(file) ?? { text: '', isMissing: false };
}
