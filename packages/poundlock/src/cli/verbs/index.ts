// The verbs of the command line, in the order in which the help lists them.
import type { Verb } from './verb.ts';

/** What the help says of a verb, and the module that is loaded when it is called. */
export interface VerbEntry {
  readonly description: string;
  readonly load: () => Promise<Verb>;
}

export const VERBS: Readonly<Record<string, VerbEntry>> = {
  check: {
    description: 'find every deadlock, race and misuse of a stage, or certify that there is none',
    load: async () => (await import('./check.ts')).checkVerb,
  },
  simulate: {
    description: 'predict how many cycles a kernel takes, and where its roles stand still',
    load: async () => (await import('./simulate.ts')).simulateVerb,
  },
  advise: {
    description: 'price other release points, orders and stages, as far as check allows them',
    load: async () => (await import('./advise.ts')).adviseVerb,
  },
  run: {
    description: 'run a kernel on real threads, and hold what they did against the machine',
    load: async () => (await import('./run.ts')).runVerb,
  },
  lint: {
    description: 'find handles that are not released exactly once on every path',
    load: async () => (await import('./lint.ts')).lintVerb,
  },
  lsp: {
    description: 'tell findings of lint to an editor, as a language server',
    load: async () => (await import('./lsp.ts')).lspVerb,
  },
  explain: {
    description: 'what a rule means, with a rejected program and a fixed one',
    load: async () => (await import('./explain.ts')).explainVerb,
  },
  export: {
    description: 'write a kernel as a program of SPIN or TLA+, or as a drawing',
    load: async () => (await import('./export.ts')).exportVerb,
  },
  calibrate: {
    description: 'fit the h200 model to measured tables, and say how well it predicts them',
    load: async () => (await import('./calibrate.ts')).calibrateVerb,
  },
};
