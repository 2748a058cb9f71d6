// The timeline of a run: a row for each role and each unit, stalls by their cause.
import { useMemo, useState } from 'preact/hooks';
import type { ExploredSimulation } from '../src/explore/simulation.ts';
import { barChart } from '../src/report/charts/bar-chart.ts';
import { barsOf } from '../src/report/charts/bars.ts';

/** The closest look: this part of the run. */
const CLOSEST = 7;

/** The timeline, with a slider for how close one looks, and one for where. */
export function Timeline({ simulation }: { readonly simulation: ExploredSimulation }) {
  const [zoom, setZoom] = useState(0);
  const [place, setPlace] = useState(0);
  const drawn = useMemo(() => {
    const roles = simulation.roles.map(({ name }) => name);
    return barsOf(simulation, roles);
  }, [simulation]);
  const whole = Math.max(1, ...drawn.bars.map(({ end }) => end));
  const shown = whole / 2 ** zoom;
  const from = ((whole - shown) * place) / 100;
  const html = barChart('timeline of roles and units', drawn, [from, from + shown]);
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
          {simulation.isTruncated && ', the first of the run'}
        </span>
      </p>
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}
