// The whole page: the source, the diagram, the state, and what leads from one step to the next.
import { useCallback, useState } from 'preact/hooks';
import { sha256Of } from '@poundlock/core/internal/base';
import type { TextHash } from '@poundlock/core/internal/finding';
import type { BarPlace } from '../src/report/timeline/bars.ts';
import { DiagramPane } from './diagram-pane.tsx';
import type { Engine } from './engine.ts';
import { Header } from './header.tsx';
import { SourcePane } from './source-pane.tsx';
import { StatePane } from './state-pane.tsx';
import { hasChanged } from './stale.ts';
import { Steps } from './steps.tsx';
import { TimingPane } from './timing-pane.tsx';
import { useExploration } from './use-exploration.ts';
import { useKeys } from './use-keys.ts';
import { useView, Views } from './views.tsx';

/** The page; `engine` answers its questions. */
export function Page({ engine }: { readonly engine: Engine }) {
  const explorer = useExploration(engine);
  const { exploration, problem, isBusy } = explorer;
  const [view, setView] = useView();
  const [selected, select] = useState<BarPlace | null>(null);
  const [shown, setShown] = useState<TextHash | null>(null);
  const onText = useCallback((file: string, text: string) => {
    setShown({ file, sha256: sha256Of(text) });
  }, []);
  useKeys(explorer);
  if (exploration === null) {
    return <p role="status">{problem === '' ? 'loading …' : problem}</p>;
  }
  const isStale = shown !== null && hasChanged(exploration.kernel.texts, [shown]);
  return (
    <>
      <Header {...explorer} exploration={exploration} isStale={isStale} />
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Views view={view} setView={setView} />
      {view === 'schedule' && <Steps {...explorer} exploration={exploration} />}
      <main aria-busy={isBusy} class={isStale ? `${view} stale` : view}>
        <SourcePane
          {...{ engine, exploration, isStale, onText }}
          selected={view === 'time' ? selected : null}
          select={select}
        />
        {view === 'schedule' ? (
          <>
            <DiagramPane exploration={exploration} goTo={explorer.goTo} />
            <StatePane exploration={exploration} />
          </>
        ) : (
          <TimingPane {...{ engine, exploration, selected, select }} change={explorer.change} />
        )}
      </main>
    </>
  );
}
