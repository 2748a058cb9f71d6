// Keys that step through a schedule, wherever nothing is typed.
import { useLayoutEffect } from 'preact/hooks';
import { isNext, positionOf, withMove } from './exploration.ts';
import { stepForward } from './step-forward.ts';
import type { Explorer } from './use-exploration.ts';

/** Where keys are text. */
const TYPED = 'input, select, textarea, [role=textbox], [contenteditable], .monaco-editor';

/** Arrow keys go back and forth; a digit chooses a move. */
export function useKeys(explorer: Explorer): void {
  const { exploration, goTo, follow } = explorer;
  // With the page, not after it: the next key is for what is seen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as Element | null;
      const isTyped = target?.closest(TYPED) !== null && target !== null;
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
