// Scrolls a pane, and nothing else, until a row of it is in sight.

/** The least distance between the row and an edge of the pane, in pixels. */
const EDGE = 40;

/** Scrolls `pane` up or down as far as needed; `covered` pixels at its top hide what is there. */
export function showRow(pane: Element, row: Element | null | undefined, covered = 0): void {
  if (row === null || row === undefined) return;
  const [outer, inner] = [pane.getBoundingClientRect(), row.getBoundingClientRect()];
  const top = outer.top + covered + EDGE;
  if (inner.top < top) pane.scrollTop += inner.top - top;
  else if (inner.bottom > outer.bottom - EDGE) pane.scrollTop += inner.bottom - outer.bottom + EDGE;
}
