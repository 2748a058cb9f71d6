// Pipelines: rings of stages with scoped and linear ownership, as sugar over operations.
export * from './public.ts';
export { FUNCTIONS, type FunctionEntry } from './catalogue/index.ts';
export { Endpoint } from './endpoint.ts';
export {
  declareRing,
  forkRing,
  partsOf,
  ringOver,
  type Part,
  type RingDeclaration,
} from './ring.ts';
export { leave, signalOf, Stage } from './stage.ts';
