// The verbs of the command line, in the order in which the help lists them.
import { adviseVerb } from './advise.ts';
import { calibrateVerb } from './calibrate.ts';
import { checkVerb } from './check.ts';
import { explainVerb } from './explain.ts';
import { exportVerb } from './export.ts';
import { lintVerb } from './lint.ts';
import { lspVerb } from './lsp.ts';
import { runVerb } from './run.ts';
import { simulateVerb } from './simulate.ts';
import type { Verb } from './verb.ts';

export const VERBS: readonly Verb[] = [
  checkVerb,
  simulateVerb,
  adviseVerb,
  runVerb,
  lintVerb,
  lspVerb,
  explainVerb,
  exportVerb,
  calibrateVerb,
];
