// The playground: a program beside the verdict, the diagram and the states of its kernel.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type {
  BuiltChoice,
  BuiltOffer,
  LaunchPlace,
} from '../../../packages/poundlock/src/explore/index.ts';
import { DiagramPane } from '../../../packages/poundlock/app/diagram-pane.tsx';
import type { Engine } from '../../../packages/poundlock/app/engine.ts';
import type { Exploration } from '../../../packages/poundlock/app/exploration.ts';
import { hasChanged } from '../../../packages/poundlock/app/stale.ts';
import { Header } from '../../../packages/poundlock/app/header.tsx';
import { StatePane } from '../../../packages/poundlock/app/state-pane.tsx';
import { Steps } from '../../../packages/poundlock/app/steps.tsx';
import { TimingPane } from '../../../packages/poundlock/app/timing-pane.tsx';
import { useExploration } from '../../../packages/poundlock/app/use-exploration.ts';
import { useKeys } from '../../../packages/poundlock/app/use-keys.ts';
import { useView, Views, type View } from '../../../packages/poundlock/app/views.tsx';
import type { BarPlace } from '../../../packages/poundlock/src/report/timeline/bars.ts';
import { EditorPane } from './editor-pane.tsx';
import { Launches } from './launches.tsx';
import { Toolbar } from './toolbar.tsx';
import { useProgram } from './use-program.ts';

/** The page. */
export function Playground() {
  const state = useProgram();
  const { opened, running, texts, offer, problem, isLoading, edit, run } = state;
  const [{ exploration, problem: own }, setExplored] = useState<Progress>(NOTHING);
  useEffect(() => setExplored(NOTHING), [running]);
  const onChange = useCallback((progress: Progress) => setExplored(progress), []);
  const [view, setView] = useView();
  const [selected, select] = useState<BarPlace | null>(null);
  useEffect(() => select(null), [opened]);
  const isReady = useOnce(problem !== '' || (exploration?.verdict ?? null) !== null);
  const isStale = exploration !== null && hasChanged(exploration.kernel.texts, texts);
  return (
    <>
      <Toolbar state={state} />
      <div class="work">
        {opened !== null && (
          <EditorPane
            isReady={isReady}
            files={opened.files}
            exploration={isStale ? null : exploration}
            problem={problem === '' && !isStale ? own : problem}
            selected={view === 'time' && !isStale ? selected : null}
            onChange={edit}
            onRun={run}
            onLine={select}
          />
        )}
        <div class={isStale ? 'result stale' : 'result'}>
          {offer !== null && <Launches offer={offer} select={state.select} />}
          {problem !== '' && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          {isLoading && <p role="status">loading …</p>}
          {running !== null && (
            <Explored
              key={running.number}
              engine={running.engine}
              {...{ isStale, view, setView, selected, onChange }}
              selectLine={select}
              openLaunch={
                offer === null ? undefined : (launch) => state.select(choiceOf(offer, launch))
              }
            />
          )}
        </div>
      </div>
    </>
  );
}

/** What the panes show, and why they do not show more. */
interface Progress {
  readonly exploration: Exploration | null;
  readonly problem: string;
}

const NOTHING: Progress = { exploration: null, problem: '' };

/** The choice of a launch that a finding names. */
function choiceOf(
  { entries, entry, launches }: BuiltOffer,
  { file, index }: LaunchPlace,
): BuiltChoice {
  const launch = launches.findIndex((one) => one.file === file && one.index === index);
  return { ...(entries.length > 1 && { entry }), ...(launch >= 0 && { launch }) };
}

/** The editor does not wait longer for the first verdict. */
const FIRST_VERDICT_MS = 6000;

/** Whether something has happened, or some time has passed. */
function useOnce(isNow: boolean): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    if (isNow) setHas(true);
  }, [isNow]);
  useEffect(() => {
    const timer = setTimeout(() => setHas(true), FIRST_VERDICT_MS);
    return () => clearTimeout(timer);
  }, []);
  return has;
}

/** The kernel of a program that runs. */
function Explored({
  engine,
  isStale,
  view,
  setView,
  selected,
  selectLine,
  onChange,
  openLaunch,
}: {
  readonly engine: Engine;
  readonly isStale: boolean;
  readonly view: View;
  readonly setView: (view: View) => void;
  readonly selected: BarPlace | null;
  readonly selectLine: (place: BarPlace) => void;
  readonly openLaunch: ((launch: LaunchPlace) => void) | undefined;
  readonly onChange: (progress: Progress) => void;
}) {
  const explorer = useExploration(engine);
  const { exploration, problem, isBusy } = explorer;
  useKeys(explorer);
  useEffect(() => onChange({ exploration, problem }), [exploration, problem, onChange]);
  const trouble = problem !== '' && (
    <p class="problem" role="alert">
      {problem}
    </p>
  );
  if (exploration === null) return trouble || <p role="status">loading …</p>;
  return (
    <>
      <Header {...{ ...explorer, exploration, isStale, openLaunch }} />
      {trouble}
      <Views view={view} setView={setView} />
      {view === 'schedule' && <Steps {...explorer} exploration={exploration} />}
      <main aria-busy={isBusy} class={view}>
        {view === 'schedule' ? (
          <>
            <DiagramPane exploration={exploration} goTo={explorer.goTo} />
            <StatePane exploration={exploration} />
          </>
        ) : (
          <TimingPane
            {...{ engine, exploration, selected }}
            select={selectLine}
            change={explorer.change}
          />
        )}
      </main>
    </>
  );
}
