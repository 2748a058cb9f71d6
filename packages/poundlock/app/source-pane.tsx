// The program text or PTX: the line of each role, and the line of the step that was made last.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Engine } from './engine.ts';
import type { Exploration } from './exploration.ts';
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
  const file = chosen !== null && files.includes(chosen) ? chosen : (last?.file ?? files[0]!);
  const text = useSource(engine, file);
  const places = placesIn(exploration, file);
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

/** The files that the schedule is in, the first one first. */
function filesOf({ kernel, whole, now }: Exploration): string[] {
  const places = [...whole.trace, ...now.operations, ...now.moves];
  const files = places.flatMap(({ file }) => (file === undefined ? [] : [file]));
  return [...new Set(files.length === 0 ? [kernel.file] : files)];
}

/** The last step, and the next operation of each role. */
function placesIn({ now }: Exploration, file: string): Place[] {
  const last = now.trace.at(-1);
  const before: Place[] =
    last?.file === file && last.line !== undefined
      ? [{ line: last.line, name: last.agent, text: last.text, isLast: true }]
      : [];
  const next = now.operations.flatMap(({ role, text, file: own, line }): Place[] => {
    return own === file && line !== undefined ? [{ line, name: role, text, isLast: false }] : [];
  });
  return [...before, ...next];
}

function useSource(engine: Engine, file: string): string {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (texts.has(file)) return;
    const set = (text: string) => setTexts((before) => new Map([...before, [file, text]]));
    engine.source(file).then(set, (error: Error) => set(error.message));
  }, [engine, file, texts]);
  return texts.get(file) ?? '';
}
