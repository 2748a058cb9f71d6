// Scrolls a pane, and nothing else, until a row of it is in sight.

/** The least distance between the row and an edge of the pane, in pixels. */
const EDGE = 40;

/** Scrolls `pane` up or down as far as needed. */
export function showRow(pane: Element, row: Element | null | undefined): void {
  if (row === null || row === undefined) return;
  const [outer, inner] = [pane.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top + EDGE) pane.scrollTop += inner.top - outer.top - EDGE;
  else if (inner.bottom > outer.bottom - EDGE) pane.scrollTop += inner.bottom - outer.bottom + EDGE;
}
