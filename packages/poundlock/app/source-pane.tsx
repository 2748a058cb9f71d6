// The program text or PTX: the line of each role, and the line of the step that was made last.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Engine } from './engine.ts';
import type { Exploration } from './exploration.ts';
import { locationsOf, ptxLineOf } from './ptx-lines.ts';
import { showRow } from './scroll.ts';

interface Place {
  readonly line: number;
  readonly name: string;
  readonly text: string;
  readonly isLast: boolean;
}

/** Lines of a long file that are shown around those of roles. */
const AROUND = 400;

/** The source. */
export function SourcePane({
  engine,
  exploration,
}: {
  readonly engine: Engine;
  readonly exploration: Exploration;
}) {
  const { kernel, now } = exploration;
  const files = useMemo(() => filesOf(exploration), [exploration]);
  const last = now.trace.at(-1);
  const [chosen, setChosen] = useState<string | null>(null);
  const wanted = chosen !== null && files.includes(chosen) ? chosen : (last?.file ?? files[0]!);
  const source = useSource(engine, wanted);
  // A kernel from another machine comes without its source: its PTX is there.
  const file = source.isMissing && isPtx(kernel.file) ? kernel.file : wanted;
  const { text } = useSource(engine, file);
  const locations = useMemo(() => (isPtx(file) ? locationsOf(text) : null), [file, text]);
  const places = placesIn(exploration, file, locations);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const row = list.current?.querySelector('.last') ?? list.current?.querySelector('.has');
    showRow(list.current!.parentElement!, row);
  }, [now, text]);
  const lines = text.split('\n');
  const middle = places.find(({ isLast }) => isLast)?.line ?? places[0]?.line ?? 1;
  const first = lines.length > 2 * AROUND ? Math.max(1, middle - AROUND) : 1;
  const shown = lines.slice(first - 1, first - 1 + 2 * AROUND);
  return (
    <section class="pane source" aria-label="source">
      <h2>
        {files.length > 1 ? (
          <select
            aria-label="file"
            value={file}
            onChange={(event) => setChosen((event.target as HTMLSelectElement).value)}
          >
            {files.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ) : (
          (file ?? kernel.file)
        )}
      </h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={`lines of ${file}`}>
        <ol ref={list}>
          {shown.map((one, index) => {
            const line = first + index;
            const own = places.filter((place) => place.line === line);
            const isLast = own.some((place) => place.isLast);
            return (
              <li
                key={line}
                value={line}
                class={`${own.length > 0 ? 'has' : ''}${isLast ? ' last' : ''}`}
              >
                <code>{one === '' ? ' ' : one}</code>
                <span class="at">
                  {own.map((place) => (
                    <span key={`${place.name}${place.isLast}`} title={place.text}>
                      {place.isLast ? `✓ ${place.name}` : `▸ ${place.name}`}
                    </span>
                  ))}
                </span>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

function isPtx(file: string): boolean {
  return /\.ptx$/i.test(file);
}

/** The files that the schedule is in, the first one first; last the PTX. */
function filesOf({ kernel, whole, now }: Exploration): string[] {
  const places = [...whole.trace, ...now.operations, ...now.moves];
  const files = places.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const own = files.length === 0 || isPtx(kernel.file) ? [kernel.file] : [];
  return [...new Set([...files, ...own])];
}

/** The last step, and the next operation of each role. */
function placesIn(
  { now }: Exploration,
  file: string,
  locations: ReturnType<typeof locationsOf> | null,
): Place[] {
  const lineOf = ({ file: own, line, column = 0 }: At): number | undefined => {
    if (own === undefined || line === undefined) return undefined;
    if (own === file) return line;
    return locations === null ? undefined : ptxLineOf(locations, { file: own, line, column });
  };
  const last = now.trace.at(-1);
  const place = (at: At, name: string, text: string, isLast: boolean): Place[] => {
    const line = lineOf(at);
    return line === undefined ? [] : [{ line, name, text, isLast }];
  };
  const before = last === undefined ? [] : place(last, last.agent, last.text, true);
  const next = now.operations.flatMap((one) => place(one, one.role, one.text, false));
  return [...before, ...next];
}

interface At {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

interface Source {
  readonly text: string;
  readonly isMissing: boolean;
}

function useSource(engine: Engine, file: string): Source {
  const [sources, setSources] = useState<ReadonlyMap<string, Source>>(new Map());
  useEffect(() => {
    if (sources.has(file)) return;
    const set = (source: Source) => setSources((before) => new Map([...before, [file, source]]));
    engine.source(file).then(
      (text) => set({ text: text ?? `${file} is not here`, isMissing: text === null }),
      (error: Error) => set({ text: error.message, isMissing: true }),
    );
  }, [engine, file, sources]);
  return sources.get(file) ?? { text: '', isMissing: false };
}
