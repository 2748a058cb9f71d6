// The program text or PTX: the line of each role, and the line of the step that was made last.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Engine } from './engine.ts';
import type { Exploration } from './exploration.ts';
import { filesOf, isPtx, placesIn } from './places.ts';
import { showRow } from './scroll.ts';

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
