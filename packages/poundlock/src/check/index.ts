// check: every interleaving of a kernel, by exhaustive search.
export { check } from './check.ts';
export { countConditions, type Conditions } from './conditions.ts';
export { DEFAULT_MAX_STATES, type CheckOptions, type Progress } from './options.ts';
export { Packing } from './packing.ts';
export { Search, type Sighting } from './search.ts';
