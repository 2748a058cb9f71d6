// Space-time diagrams: a schedule laid out as shapes, and written as SVG.
export { nameOf, seriesName } from './columns.ts';
export type { Drawing, DrawnColumn, DrawnRow, DrawnSpan } from './drawing.ts';
export { layOut, type LayoutOptions } from './layout.ts';
export { sourceOf, type DiagramSource } from './source.ts';
export { DIAGRAM_STYLE } from './style.ts';
export { headsSvgOf, svgOf, type SvgOptions } from './svg.ts';
