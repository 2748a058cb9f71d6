// The playground: a program beside the verdict, the diagram and the states of its kernel.
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  BuiltChoice,
  BuiltOffer,
  LaunchPlace,
} from '../../../packages/poundlock/src/explore/index.ts';
import { readAddress } from '../../../packages/poundlock/app/address.ts';
import { DiagramPane } from '../../../packages/poundlock/app/diagram-pane.tsx';
import type { Engine } from '../../../packages/poundlock/app/engine.ts';
import type { Exploration } from '../../../packages/poundlock/app/exploration.ts';
import { Header } from '../../../packages/poundlock/app/header.tsx';
import { StatePane } from '../../../packages/poundlock/app/state-pane.tsx';
import { Steps } from '../../../packages/poundlock/app/steps.tsx';
import { TimingPane } from '../../../packages/poundlock/app/timing-pane.tsx';
import { useExploration, type Explorer } from '../../../packages/poundlock/app/use-exploration.ts';
import { useKeys } from '../../../packages/poundlock/app/use-keys.ts';
import { useView, Views } from '../../../packages/poundlock/app/views.tsx';
import { EditorPane } from './editor-pane.tsx';
import { Launches } from './launches.tsx';
import { Toolbar } from './toolbar.tsx';
import { useProgram } from './use-program.ts';

/** The page. */
export function Playground() {
  const state = useProgram();
  const { opened, running, offer, problem, isLoading, edit, run, select } = state;
  const [exploration, setExploration] = useState<Exploration | null>(null);
  useEffect(() => setExploration(null), [running]);
  const isReady = useOnce(problem !== '' || (exploration?.verdict ?? null) !== null);
  return (
    <>
      <Toolbar state={state} />
      <div class="work">
        {opened !== null && (
          <EditorPane
            isReady={isReady}
            files={opened.files}
            exploration={exploration}
            onChange={edit}
            onRun={run}
          />
        )}
        <div class="result">
          {offer !== null && <Launches offer={offer} select={select} />}
          {problem !== '' && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          {isLoading && <p role="status">loading …</p>}
          {running !== null && problem === '' && (
            <Explored
              key={running.number}
              engine={running.engine}
              onChange={setExploration}
              openLaunch={offer === null ? undefined : (launch) => select(choiceOf(offer, launch))}
            />
          )}
        </div>
      </div>
    </>
  );
}

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
  onChange,
  openLaunch,
}: {
  readonly engine: Engine;
  readonly openLaunch: ((launch: LaunchPlace) => void) | undefined;
  readonly onChange: (exploration: Exploration | null) => void;
}) {
  const explorer = useExploration(engine);
  const { exploration, problem, isBusy } = explorer;
  const [view, setView] = useView();
  useKeys(explorer);
  useEffect(() => onChange(exploration), [exploration, onChange]);
  useFirstFinding(explorer);
  const trouble = problem !== '' && (
    <p class="problem" role="alert">
      {problem}
    </p>
  );
  if (exploration === null) return trouble || <p role="status">loading …</p>;
  return (
    <>
      <Header {...explorer} exploration={exploration} openLaunch={openLaunch} />
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
          <TimingPane engine={engine} exploration={exploration} change={explorer.change} />
        )}
      </main>
    </>
  );
}

/** Shows the schedule of the first finding, unless the address has another one. */
function useFirstFinding({ exploration, follow }: Explorer): void {
  const isDone = useRef(readAddress(location.hash).path !== '');
  useEffect(() => {
    if (exploration === null || exploration.verdict === null || isDone.current) return;
    isDone.current = true;
    const [finding] = exploration.verdict.findings;
    if (finding === undefined || finding.params !== undefined || finding.launch !== undefined)
      return;
    if (exploration.whole.path.length === 0) follow(finding.replayToken ?? '');
  }, [exploration, follow]);
}
