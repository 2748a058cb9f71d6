// Every function of the program text, by what it is about.
import { DECLARATIONS } from './declarations.ts';
import type { FunctionEntry } from './entry.ts';
import { ASYNCHRONOUS, BARRIERS, MEMORY, ROLES } from './operations.ts';
import { HANDLES, PIPELINES, UNITS_OF_STAGES } from './stages.ts';

export type { FunctionEntry } from './entry.ts';

type Rows = Readonly<Record<string, Omit<FunctionEntry, 'name'>>>;

const SECTIONS: Readonly<Record<string, Rows>> = {
  'Stages of a pipeline': PIPELINES,
  'Handles of stages': HANDLES,
  'Copies and the tensor core, of stages': UNITS_OF_STAGES,
  Barriers: BARRIERS,
  'Copies and asynchronous work': ASYNCHRONOUS,
  Memory: MEMORY,
  'Roles and time': ROLES,
  Declarations: DECLARATIONS,
};

/** The functions of each section. */
export const FUNCTIONS: Readonly<Record<string, readonly FunctionEntry[]>> = Object.fromEntries(
  Object.entries(SECTIONS).map(([title, rows]) => [
    title,
    Object.entries(rows).map(([name, entry]) => ({ name, ...entry })),
  ]),
);
