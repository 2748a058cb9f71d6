// Sliders for what would be gained: numbers of stages, and certified release points.
import { useState } from 'preact/hooks';
import type { StageTime, WhatIf } from '../src/explore/simulation.ts';
import type { Exploration } from './exploration.ts';
import type { Explorer } from './use-exploration.ts';

interface WhatIfPaneProps {
  readonly whatIf: WhatIf | null;
  readonly exploration: Exploration;
  readonly change: Explorer['change'];
}

/** The sliders. */
export function WhatIfPane({ whatIf, exploration, change }: WhatIfPaneProps) {
  if (whatIf === null) return <p class="none">other stages and release points are tried …</p>;
  const { stages, releases, limit, currentCycles } = whatIf;
  const { kernel, params } = exploration;
  return (
    <div class="what-if">
      {stages.map(({ parameter, times }) => (
        <Stages
          key={`${parameter} ${JSON.stringify(params)}`}
          parameter={parameter}
          times={times}
          current={Number(params[parameter] ?? kernel.parameters[parameter])}
          currentCycles={currentCycles}
          choose={(value) => change({ ...params, [parameter]: value })}
        />
      ))}
      {releases.length > 0 && <Releases key={JSON.stringify(params)} whatIf={whatIf} />}
      {stages.length === 0 && releases.length === 0 && (
        <p class="none">no number of stages and no release point to change</p>
      )}
      {limit !== null && <p class="none">{limit}</p>}
    </div>
  );
}

interface StagesProps {
  readonly parameter: string;
  readonly times: readonly StageTime[];
  readonly current: number;
  readonly currentCycles: number;
  readonly choose: (value: number) => void;
}

function Stages({ parameter, times, current, currentCycles, choose }: StagesProps) {
  const [value, setValue] = useState(current);
  const cycles = times.find((one) => one.value === value)?.totalCycles ?? null;
  return (
    <p>
      <label>
        {parameter}{' '}
        <input
          type="range"
          min={1}
          max={times.length}
          value={value}
          onInput={(event) => setValue(Number((event.target as HTMLInputElement).value))}
        />
      </label>{' '}
      <output>
        <b>{value}</b>: {cycles === null ? 'does not end' : comparison(cycles, currentCycles)}
      </output>{' '}
      {value !== current && cycles !== null && (
        <button type="button" onClick={() => choose(value)}>
          check with {parameter}={value}
        </button>
      )}
    </p>
  );
}

function Releases({ whatIf }: { readonly whatIf: WhatIf }) {
  const { releases, currentCycles } = whatIf;
  const [chosen, setChosen] = useState(0);
  const one = chosen === 0 ? null : releases[chosen - 1]!;
  return (
    <p>
      <label>
        release points{' '}
        <input
          type="range"
          min={0}
          max={releases.length}
          value={chosen}
          onInput={(event) => setChosen(Number((event.target as HTMLInputElement).value))}
        />
      </label>{' '}
      <output>
        {one === null ? (
          <>as they are: {comparison(currentCycles, currentCycles)}</>
        ) : (
          <>
            {one.change}: {comparison(one.totalCycles, currentCycles)}, certified
          </>
        )}
      </output>
    </p>
  );
}

/** `1,204 cycles, 12 % fewer`. */
function comparison(cycles: number, current: number): string {
  const shown = `${Math.round(cycles).toLocaleString('en')} cycles`;
  const percent = Math.round(100 * Math.abs(1 - cycles / current));
  if (percent === 0) return shown;
  return `${shown}, ${percent} % ${cycles < current ? 'fewer' : 'more'}`;
}
