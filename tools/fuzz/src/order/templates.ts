// Programs that are right: what the random programs start from before they are mutated.
import { BARRIERS } from './barrier-templates.ts';
import { CLUSTERS } from './cluster-templates.ts';
import { RINGS } from './ring-templates.ts';
import type { Template } from './template-words.ts';

export type { Knobs } from './template-words.ts';

export const TEMPLATES: Readonly<Record<string, Template>> = { ...RINGS, ...BARRIERS, ...CLUSTERS };
