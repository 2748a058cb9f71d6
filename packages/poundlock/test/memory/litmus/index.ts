// The litmus list: 165 programs, and the verdict of each in both profiles (memory-model.md, 5).
import { BYTES } from './bytes.ts';
import { ENDS } from './ends.ts';
import { FENCED } from './fenced.ts';
import { GRIDS } from './grids.ts';
import { INITS } from './inits.ts';
import { IN_FLIGHT } from './in-flight.ts';
import { MEETINGS } from './meetings.ts';
import { PROXIES } from './proxies.ts';
import { REGISTERS } from './registers.ts';
import { REUSE } from './reuse.ts';
import { SCOPES } from './scopes.ts';
import { STRANDS } from './strands.ts';
import { TENSOR_MAPS } from './tensor-maps.ts';
import { TENSOR_MEMORY } from './tensor-memory.ts';
import type { LitmusRow } from './words.ts';

export type { LitmusRow } from './words.ts';

export const LITMUS: readonly LitmusRow[] = [
  ...PROXIES,
  ...REUSE,
  ...SCOPES,
  ...FENCED,
  ...INITS,
  ...TENSOR_MEMORY,
  ...BYTES,
  ...STRANDS,
  ...REGISTERS,
  ...IN_FLIGHT,
  ...GRIDS,
  ...TENSOR_MAPS,
  ...ENDS,
  ...MEETINGS,
];
