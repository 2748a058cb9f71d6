// The whole page: the source, the diagram, the state, and what leads from one step to the next.
import { useEffect } from 'preact/hooks';
import { DiagramPane } from './diagram-pane.tsx';
import type { Engine } from './engine.ts';
import { isNext, positionOf, withMove } from './exploration.ts';
import { Header } from './header.tsx';
import { stepForward } from './step-forward.ts';
import { SourcePane } from './source-pane.tsx';
import { StatePane } from './state-pane.tsx';
import { Steps } from './steps.tsx';
import { useExploration, type Explorer } from './use-exploration.ts';

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

/** Arrow keys go back and forth; a digit chooses a move. */
function useKeys(explorer: Explorer): void {
  const { exploration, goTo, follow } = explorer;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as Element | null;
      const isTyped = target?.closest('input, select, textarea') !== null && target !== null;
      if (exploration === null || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = positionOf(exploration);
      if (event.key === 'ArrowLeft') goTo(at - 1);
      else if (event.key === 'ArrowRight') stepForward(explorer);
      else if (event.key === 'Home') goTo(0);
      else if (event.key === 'End') goTo(exploration.whole.path.length);
      else if (/^[1-9]$/.test(event.key)) {
        const move = exploration.now.moves[Number(event.key) - 1];
        if (move === undefined) return;
        if (isNext(exploration, move)) goTo(at + 1);
        else follow(withMove(exploration.now, move));
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [explorer, exploration, goTo, follow]);
}
