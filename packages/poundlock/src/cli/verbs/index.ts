// The verbs of the command line, in the order in which the help lists them.
import { checkVerb } from './check.ts';
import { explainVerb } from './explain.ts';
import { exportVerb } from './export.ts';
import { lintVerb } from './lint.ts';
import type { Verb } from './verb.ts';

export const VERBS: readonly Verb[] = [checkVerb, explainVerb, exportVerb, lintVerb];
