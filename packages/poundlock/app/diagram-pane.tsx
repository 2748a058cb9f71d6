// The diagram of the schedule: the step that was made last is marked, and a click goes to a step.
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { headsSvgOf, layOut, sourceOf, svgOf } from '../src/report/diagram/index.ts';
import type { DiagramSource, Drawing } from '../src/report/diagram/index.ts';
import { showRow } from './scroll.ts';
import { positionOf, type Exploration } from './exploration.ts';

/** Room for a scroll bar, so that it does not change the width for which it is shown. */
const SCROLL_BAR = 18;

/** The diagram. */
export function DiagramPane({
  exploration,
  goTo,
}: {
  readonly exploration: Exploration;
  readonly goTo: (at: number) => void;
}) {
  const { whole, verdict } = exploration;
  const at = positionOf(exploration);
  const pane = useRef<HTMLDivElement>(null);
  const room = useWidth(pane);
  const [all, setAll] = useState(false);
  const { html, top } = useMemo(() => {
    const drawing = fitting(sourceFor(whole, verdict), room - SCROLL_BAR, all);
    const heads = `<div class="heads">${headsSvgOf(drawing)}</div>`;
    return {
      html: heads + svgOf(drawing, { isFile: false, isTable: true }),
      top: drawing.top,
    };
  }, [whole, verdict, room, all]);
  useEffect(() => {
    const rows = [...pane.current!.querySelectorAll<SVGGElement>('g[data-first]')];
    const row = rows.find((one) => Number(one.dataset['last']) >= at);
    for (const one of rows) one.classList.toggle('current', one === row && at > 0);
    for (const one of rows) one.classList.toggle('ahead', Number(one.dataset['first']) > at);
    if (at > 0) showRow(pane.current!, row, top);
  }, [html, top, at]);
  const onClick = (event: MouseEvent): void => {
    const row = (event.target as Element).closest<SVGGElement>('g[data-last]');
    if (row !== null) goTo(Number(row.dataset['last']));
  };
  const isFolded = html.includes('class="gap"');
  return (
    <section class="pane diagram" aria-label="diagram">
      <h2>Schedule</h2>
      {(isFolded || all) && (
        <label class="all">
          <input
            type="checkbox"
            checked={all}
            onChange={(event) => setAll((event.target as HTMLInputElement).checked)}
          />{' '}
          all steps
        </label>
      )}
      <div
        class="scroll"
        ref={pane}
        tabIndex={0}
        role="region"
        aria-label="space-time diagram of the schedule"
        onClick={onClick}
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </section>
  );
}

/** The width of an element as it changes. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(780);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, [element]);
  return width;
}

/** The wide diagram where there is room for it, else the narrow one. */
function fitting(source: DiagramSource, room: number, all: boolean): Drawing {
  const wide = layOut(source, { width: 'wide', room, all });
  return wide.width <= room ? wide : layOut(source, { width: 'narrow', room, all });
}

/** What a schedule shows: the finding of the check with the same schedule, or that of its state. */
function sourceFor(
  { trace, standing, token, findings }: Exploration['whole'],
  verdict: Exploration['verdict'],
): DiagramSource {
  const known = verdict?.findings.find((finding) => finding.replayToken === token);
  const finding = findings[0] ?? known;
  const source = finding === undefined ? null : sourceOf({ ...finding, trace, standing });
  return source ?? { trace, standing, message: 'the schedule so far', cited: [] };
}
