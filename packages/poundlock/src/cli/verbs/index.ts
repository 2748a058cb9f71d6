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
  init: {
    description: 'write poundlock.config.ts with the kernels of a folder, for `poundlock check`',
    load: async () => (await import('./init.ts')).initVerb,
  },
  launch: {
    description: 'write the launch that the text of a PTX kernel allows, as a launch file',
    load: async () => (await import('./launch.ts')).launchVerb,
  },
  explore: {
    description: 'serve a page that steps through the schedules of a kernel',
    load: async () => (await import('./explore.ts')).exploreVerb,
  },
  simulate: {
    description: 'predict how many cycles a kernel takes, and where its roles stall',
    load: async () => (await import('./simulate.ts')).simulateVerb,
  },
  advise: {
    description: 'simulate other release points, orders and stage counts that check certifies',
    load: async () => (await import('./advise.ts')).adviseVerb,
  },
  sweep: {
    description: 'check and simulate many sets of parameters, and find those worth choosing',
    load: async () => (await import('./sweep.ts')).sweepVerb,
  },
  merge: {
    description: 'put the results of several machines together',
    load: async () => (await import('./merge.ts')).mergeVerb,
  },
  worker: {
    description: 'run the jobs of a farm on this machine',
    load: async () => (await import('./worker.ts')).workerVerb,
  },
  farm: {
    description: 'show the jobs and workers of a farm, as a table or a page',
    load: async () => (await import('./farm.ts')).farmVerb,
  },
  run: {
    description: 'run a kernel on worker threads and check the recorded trace against the model',
    load: async () => (await import('./run.ts')).runVerb,
  },
  hang: {
    description: 'explain a core dump of a GPU that hangs: which warp owes what',
    load: async () => (await import('./hang.ts')).hangVerb,
  },
  record: {
    description: 'run a command and write the PTX and the launch of each CUDA kernel (Linux)',
    load: async () => (await import('./record.ts')).recordVerb,
  },
  lint: {
    description: 'find handles that are not released exactly once on every path',
    load: async () => (await import('./lint.ts')).lintVerb,
  },
  lsp: {
    description: 'report the findings of lint to an editor (language server)',
    load: async () => (await import('./lsp.ts')).lspVerb,
  },
  dap: {
    description: 'step through the schedule of a finding in an editor (debug adapter)',
    load: async () => (await import('./dap.ts')).dapVerb,
  },
  mcp: {
    description: 'check, explain, simulate and advise as tools of an agent (MCP server)',
    load: async () => (await import('./mcp.ts')).mcpVerb,
  },
  skill: {
    description: 'print the page that agents read before they use poundlock, or copy it',
    load: async () => (await import('./skill.ts')).skillVerb,
  },
  explain: {
    description: 'explain any word of a verdict: a rule with two programs, an assumption, a term',
    load: async () => (await import('./explain.ts')).explainVerb,
  },
  operations: {
    description: 'describe a function of programs: options, PTX, CUTLASS, CuTe, Mojo, cost, rule',
    load: async () => (await import('./operations.ts')).operationsVerb,
  },
  isa: {
    description: 'describe an instruction or a modifier of PTX, and whether check models it',
    load: async () => (await import('./isa.ts')).isaVerb,
  },
  completion: {
    description: 'print a script with which bash, zsh or fish completes verbs and options',
    load: async () => (await import('./completion.ts')).completionVerb,
  },
  export: {
    description: 'write a kernel as a SPIN or TLA+ model, or as a graph',
    load: async () => (await import('./export.ts')).exportVerb,
  },
  calibrate: {
    description: 'measure a model on tables of a GPU, or fit one of your own',
    load: async () => (await import('./calibrate.ts')).calibrateVerb,
  },
};
