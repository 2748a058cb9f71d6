// Calibration: fits the parameters of a model to measured runs and reports the accuracy.
export { formulaCycles, RECURRENCE_NAMES, recurrenceOf } from './baselines.ts';
export { casesOf, errorsOf, type MeasuredCase, type MeasuredKernel } from './cases.ts';
export { choiceSummary, NEAR_BEST, type ChoiceSummary } from './choices.ts';
export { agreement, pairsOf, quantile, summarizeErrors, DISTINGUISHABLE } from './errors.ts';
export type { ErrorSummary, Pair } from './errors.ts';
export { crossValidate, type FoldOptions, type Validated } from './folds.ts';
export { lossOf, search, type SearchOptions } from './search.ts';
export { fitModel, type FitOptions, type FittedModel, type ProgramCases } from './fit-model.ts';
export { deviceName } from './measured.ts';
export { PROBES, PROGRAM_TABLES, PROGRAMS } from './tables.ts';
export type { ProgramTable, TableRow, Tables } from './tables.ts';
