// Where the cycles of a run go: the timeline, stalls by line, and sliders for other choices.
import { useState } from 'preact/hooks';
import type { ExploredSimulation } from '../src/explore/simulation.ts';
import { MODEL_NAMES, type ModelName } from '../src/simulate/models/names.ts';
import type { BarPlace } from '../src/report/timeline/bars.ts';
import { LOOKS } from '../src/report/timeline/looks.ts';
import type { Engine } from './engine.ts';
import type { Exploration } from './exploration.ts';
import { Timeline } from './timeline.tsx';
import type { Explorer } from './use-exploration.ts';
import { useSimulation } from './use-simulation.ts';
import { WhatIfPane } from './what-if-pane.tsx';

/** The most lines that are listed. */
const MAX_LINES = 20;

interface TimingPaneProps {
  readonly engine: Engine;
  readonly exploration: Exploration;
  readonly change: Explorer['change'];
  /** The line of the program text that is selected. */
  readonly selected: BarPlace | null;
  readonly select: (place: BarPlace) => void;
}

/** The time of the kernel with its parameters. */
export function TimingPane(props: TimingPaneProps) {
  const { engine, exploration, change, selected, select } = props;
  const [model, setModel] = useState<ModelName>('h200');
  const { params } = exploration;
  const { simulation, whatIf, problem } = useSimulation(engine, params, model);
  const hasFinding = exploration.verdict?.claim.verdict === 'counterexample';
  return (
    <section class="pane timing" aria-label="time">
      <div class="scroll" tabIndex={0} role="region" aria-label="the simulated run">
        <p class="total">
          <label>
            on{' '}
            <select
              value={model}
              onChange={(event) => setModel((event.target as HTMLSelectElement).value as ModelName)}
            >
              {MODEL_NAMES.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>{' '}
          <output aria-live="polite">
            {simulation === null ? (problem === '' ? 'simulating …' : '') : totalOf(simulation)}
          </output>
        </p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
            {hasFinding && ' (schedule above shows how)'}
          </p>
        )}
        {simulation !== null && (
          <>
            {[...simulation.limits, ...(simulation.caveat === null ? [] : [simulation.caveat])].map(
              (note) => (
                <p key={note} class="none">
                  {note}
                </p>
              ),
            )}
            <h2>What if</h2>
            <WhatIfPane whatIf={whatIf} exploration={exploration} change={change} />
            <h2>Timeline</h2>
            <Timeline {...{ simulation, selected, select }} />
            <h2>Stalls by line</h2>
            <Stalls simulation={simulation} />
          </>
        )}
      </div>
    </section>
  );
}

function totalOf({ totalCycles, microseconds, title }: ExploredSimulation): string {
  const cycles = `${Math.round(totalCycles).toLocaleString('en')} cycles`;
  return microseconds === 0 ? cycles : `${cycles}, ${microseconds.toPrecision(3)} µs (${title})`;
}

function Stalls({ simulation }: { readonly simulation: ExploredSimulation }) {
  const { lines, waveCycles } = simulation;
  if (lines.length === 0) return <p class="none">no role stalls</p>;
  return (
    <table class="stalls">
      <thead>
        <tr>
          <th scope="col">role</th>
          <th scope="col">line</th>
          <th scope="col">why</th>
          <th scope="col">cycles</th>
          <th scope="col">of the run</th>
        </tr>
      </thead>
      <tbody>
        {lines.slice(0, MAX_LINES).map(({ role, file, line, cause, times, cycles }) => (
          <tr key={`${role} ${file}:${line} ${cause}`}>
            <th scope="row">{role}</th>
            <td>{file === undefined ? '' : `${file.split('/').at(-1)}:${line}`}</td>
            <td>{LOOKS[cause].text}</td>
            <td>
              {Math.round(cycles).toLocaleString('en')} <small>in {times}</small>
            </td>
            <td>
              <meter min={0} max={waveCycles} value={cycles} aria-label="share of the run" />{' '}
              {Math.round((100 * cycles) / waveCycles)} %
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
