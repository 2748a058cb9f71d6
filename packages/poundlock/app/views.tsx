// The two looks at a kernel: its schedules, and its time.
import { useCallback, useState } from 'preact/hooks';

const VIEWS = ['schedule', 'time'] as const;
/** A look. */
export type View = (typeof VIEWS)[number];

const WORD = 'view';

/** The look that the address has, and another one. */
export function useView(): [view: View, setView: (view: View) => void] {
  const words = new URLSearchParams(location.hash.slice(1));
  const [view, setView] = useState<View>(words.get(WORD) === 'time' ? 'time' : 'schedule');
  const choose = useCallback((chosen: View) => {
    setView(chosen);
    const now = new URLSearchParams(location.hash.slice(1));
    if (chosen === 'schedule') now.delete(WORD);
    else now.set(WORD, chosen);
    history.replaceState(null, '', `${location.pathname}${location.search}#${now.toString()}`);
  }, []);
  return [view, choose];
}

/** The buttons for them. */
export function Views({
  view,
  setView,
}: {
  readonly view: View;
  readonly setView: (view: View) => void;
}) {
  return (
    <nav class="views" aria-label="what is shown">
      {VIEWS.map((one) => (
        <button key={one} type="button" aria-pressed={one === view} onClick={() => setView(one)}>
          {one}
        </button>
      ))}
    </nav>
  );
}
