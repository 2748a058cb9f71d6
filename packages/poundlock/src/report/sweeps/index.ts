// Sweeps: tables, pages and documents of many sets of parameters.
export { sweepCsv, sweepJson } from './csv.ts';
export { sweepPage } from './page.ts';
export {
  FILE_COLUMN,
  frontRows,
  inOrder,
  withFront,
  type SweepReport,
  type SweptAdvice,
  type SweptCheck,
  type SweptRow,
  type SweptTime,
} from './sweep.ts';
export { sweepText } from './terminal.ts';
