// The whole page: the source, the diagram, the state, and what leads from one step to the next.
import { DiagramPane } from './diagram-pane.tsx';
import type { Engine } from './engine.ts';
import { Header } from './header.tsx';
import { SourcePane } from './source-pane.tsx';
import { StatePane } from './state-pane.tsx';
import { Steps } from './steps.tsx';
import { useExploration } from './use-exploration.ts';
import { useKeys } from './use-keys.ts';

/** The page; `engine` answers its questions. */
export function Page({ engine }: { readonly engine: Engine }) {
  const explorer = useExploration(engine);
  const { exploration, problem, isBusy } = explorer;
  useKeys(explorer);
  if (exploration === null) {
    return <p role="status">{problem === '' ? 'loading …' : problem}</p>;
  }
  return (
    <>
      <Header {...explorer} exploration={exploration} />
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Steps {...explorer} exploration={exploration} />
      <main aria-busy={isBusy}>
        <SourcePane engine={engine} exploration={exploration} />
        <DiagramPane exploration={exploration} goTo={explorer.goTo} />
        <StatePane exploration={exploration} />
      </main>
    </>
  );
}
