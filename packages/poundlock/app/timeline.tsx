// The timeline of a run: a row for each role and each unit, zoomed by the wheel and by keys.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ExploredSimulation } from '../src/explore/simulation.ts';
import { barsOf, type BarPlace } from '../src/report/timeline/bars.ts';
import { timelineHtml } from '../src/report/timeline/svg.ts';

/** The closest look: so much of the run at least, and how much closer a step of a wheel goes. */
const CLOSEST = 1 / 256;
const STEP = 1.25;
/** The part of what is shown by which an arrow key moves. */
const MOVE = 0.2;

interface TimelineProps {
  readonly simulation: ExploredSimulation;
  /** The line whose operations stand out. */
  readonly selected: BarPlace | null;
  readonly select: (place: BarPlace) => void;
}

/** Cycles that are shown. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** The same window closer or from farther away, with what is at `share` of it at the same place. */
function zoomed({ from, to }: Window, whole: number, factor: number, share: number): Window {
  const length = Math.min(whole, Math.max(whole * CLOSEST, (to - from) * factor));
  const start = from + (to - from - length) * share;
  return moved({ from: start, to: start + length }, whole, 0);
}

function moved({ from, to }: Window, whole: number, by: number): Window {
  const length = to - from;
  const start = Math.min(Math.max(0, from + by), whole - length);
  return { from: start, to: start + length };
}

/** What a key does to what is shown; `null` for other keys. */
function afterKey(key: string, window: Window, whole: number): Window | null {
  const step = (window.to - window.from) * MOVE;
  switch (key) {
    case '+':
    case '=':
      return zoomed(window, whole, 1 / STEP, 0.5);
    case '-':
      return zoomed(window, whole, STEP, 0.5);
    case 'ArrowLeft':
      return moved(window, whole, -step);
    case 'ArrowRight':
      return moved(window, whole, step);
    case 'Home':
      return moved(window, whole, -whole);
    case 'End':
      return moved(window, whole, whole);
    case '0':
      return { from: 0, to: whole };
    default:
      return null;
  }
}

/** The timeline; a click on an operation selects its line. */
export function Timeline({ simulation, selected, select }: TimelineProps) {
  const drawn = useMemo(() => {
    const roles = simulation.roles.map(({ name }) => name);
    return barsOf(simulation.timeline, roles);
  }, [simulation]);
  const whole = useMemo(() => Math.max(1, ...drawn.bars.map(({ end }) => end)), [drawn]);
  const [window, setWindow] = useState<Window>({ from: 0, to: whole });
  useEffect(() => setWindow({ from: 0, to: whole }), [whole]);
  const pane = useRef<HTMLDivElement>(null);
  useWheel(pane, (factor, share) => setWindow((now) => zoomed(now, whole, factor, share)));
  const text = (cycle: number): string => Math.round(cycle).toLocaleString('en');
  const about = `cycles ${text(window.from)} to ${text(window.to)} of ${text(whole)}`;
  const html = useMemo(
    () => timelineHtml(drawn, { about: 'timeline of roles and units', ...window, selected }),
    [drawn, window, selected],
  );
  useDrawn(pane, html);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = afterKey(event.key, window, whole);
    if (next === null) return;
    setWindow(next);
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: MouseEvent): void => {
    const bar = (event.target as Element).closest<SVGElement>('[data-line]');
    if (bar === null) return;
    select({ file: bar.dataset['file']!, line: Number(bar.dataset['line']) });
  };
  const button = (sign: string, label: string, key: string) => (
    <button
      type="button"
      aria-label={label}
      onClick={() => setWindow((now) => afterKey(key, now, whole) ?? now)}
    >
      {sign}
    </button>
  );
  return (
    <div class="zoomed">
      <p class="zoom">
        {button('+', 'closer', '+')}
        {button('−', 'farther', '-')}
        {button('◀', 'earlier', 'ArrowLeft')}
        {button('▶', 'later', 'ArrowRight')}
        {button('all', 'all of the run', '0')}
        <span aria-live="polite">
          {about}
          {simulation.isTruncated && ', the first of the run'}
        </span>
      </p>
      <div ref={pane} {...{ onKeyDown, onClick }} />
    </div>
  );
}

/** The parts of a timeline that differ from one look to the next. */
const CHANGING = ['.bars > ol', '.bars svg', '.legend', '.rows'];

/** Draws: the focus, the scroll bar and an open table are where they were. */
function useDrawn(pane: { readonly current: HTMLDivElement | null }, html: string): void {
  useLayoutEffect(() => {
    const element = pane.current!;
    if (element.firstChild === null) {
      element.innerHTML = html;
      return;
    }
    const next = document.createElement('template');
    next.innerHTML = html;
    for (const part of CHANGING) {
      const drawn = next.content.querySelector(part);
      if (drawn !== null) element.querySelector(part)?.replaceWith(drawn);
    }
  }, [pane, html]);
}

/** Turns of the wheel over the bars, and where over them the pointer is. */
function useWheel(
  pane: { readonly current: HTMLDivElement | null },
  zoom: (factor: number, share: number) => void,
): void {
  const latest = useRef(zoom);
  latest.current = zoom;
  useEffect(() => {
    const element = pane.current!;
    const onWheel = (event: WheelEvent): void => {
      const svg = (event.target as Element).closest('svg');
      if (svg === null || event.deltaY === 0) return;
      // The page does not scroll meanwhile.
      event.preventDefault();
      const { left, width } = svg.getBoundingClientRect();
      latest.current(event.deltaY < 0 ? 1 / STEP : STEP, (event.clientX - left) / width);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [pane]);
}
