// The timeline of a run: a row for each role and each unit, stalls by their cause.
import { useState } from 'preact/hooks';
import type { ExploredSimulation } from '../src/explore/simulation.ts';

const WIDTH = 1000;
const ROW = 20;
const NAMES = 120;
/** The closest look: this part of the run. */
const CLOSEST = 7;

const LEGEND = {
  busy: 'works',
  'stall full': 'waits for data',
  'stall empty': 'waits for space',
  'stall unit': 'waits for a unit',
  flight: 'asynchronous work',
};

interface Bar {
  readonly row: number;
  readonly start: number;
  readonly end: number;
  readonly look: string;
  readonly text: string;
}

/** The timeline, with a slider for how close one looks, and one for where. */
export function Timeline({ simulation }: { readonly simulation: ExploredSimulation }) {
  const [zoom, setZoom] = useState(0);
  const [place, setPlace] = useState(0);
  const { spans, flights, roles, isTruncated } = simulation;
  const units = [...new Set(flights.map(({ unit }) => unit))];
  const names = [...roles.map(({ name }) => name), ...units.map((unit) => `(${unit})`)];
  const whole = Math.max(1, ...spans.map(({ end }) => end), ...flights.map(({ end }) => end));
  const shown = whole / 2 ** zoom;
  const from = ((whole - shown) * place) / 100;
  const bars = [
    ...spans.flatMap(({ role, name, start, end, stall, cause }): Bar[] => {
      const stalled = Math.min(end, start + stall);
      const work = { row: role, start: stalled, end, look: 'busy', text: name };
      if (stall === 0) return [work];
      const text = `${name}: stalls ${Math.round(stall)} cycles for ${cause}`;
      return [{ row: role, start, end: stalled, look: `stall ${cause}`, text }, work];
    }),
    ...flights.map(({ unit, name, role, start, end }): Bar => {
      const text = `${name} of ${roles[role]?.name ?? ''}`;
      return { row: roles.length + units.indexOf(unit), start, end, look: 'flight', text };
    }),
  ].filter(({ start, end }) => end > from && start < from + shown);
  const x = (cycle: number): number => {
    const part = Math.min(1, Math.max(0, (cycle - from) / shown));
    return NAMES + part * (WIDTH - NAMES);
  };
  const height = names.length * ROW + ROW;
  const slider = (label: string, most: number, value: number, set: (value: number) => void) => (
    <label>
      {label}{' '}
      <input
        type="range"
        min={0}
        max={most}
        value={value}
        onInput={(event) => set(Number((event.target as HTMLInputElement).value))}
      />
    </label>
  );
  const text = (cycle: number): string => Math.round(cycle).toLocaleString('en');
  return (
    <div class="timeline">
      <p class="sliders">
        {slider('closer', CLOSEST, zoom, setZoom)}
        {zoom > 0 && slider('from', 100, place, setPlace)}
        <span>
          cycles {text(from)} to {text(from + shown)}
          {isTruncated && ', the first of the run'}
        </span>
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label="timeline of roles and units">
        {names.map((name, row) => (
          <g key={name}>
            <text x={0} y={row * ROW + 14}>
              {name}
            </text>
            <path class="row" d={`M${NAMES} ${row * ROW + ROW - 1}H${WIDTH}`} />
          </g>
        ))}
        {bars.map(({ row, start, end, look, text: title }, at) => (
          <rect
            key={at}
            class={look}
            x={x(start)}
            y={row * ROW + 3}
            width={Math.max(0.5, x(end) - x(start))}
            height={ROW - 7}
          >
            <title>{`${title}: cycles ${text(start)} to ${text(end)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="legend">
        {Object.entries(LEGEND).map(([look, meaning]) => (
          <span key={look}>
            <i class={look} /> {meaning}
          </span>
        ))}
      </p>
    </div>
  );
}
