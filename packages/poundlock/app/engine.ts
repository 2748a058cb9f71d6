// The engine behind the page: what answers its questions, here the server that the page came from.
import type {
  ExploredKernel,
  ExploredState,
  ExploredVerdict,
  Values,
} from '../src/explore/state.ts';
import type { ExploredSimulation, WhatIf } from '../src/explore/simulation.ts';
import type { ModelName } from '../src/simulate/models/names.ts';

/** Answers about one kernel. Every method rejects with a sentence. */
export interface Engine {
  readonly kernel: () => Promise<ExploredKernel>;
  readonly state: (params: Values, token: string) => Promise<ExploredState>;
  readonly verdict: (params: Values) => Promise<ExploredVerdict>;
  readonly simulation: (params: Values, model: ModelName) => Promise<ExploredSimulation>;
  readonly whatIf: (params: Values, model: ModelName) => Promise<WhatIf>;
  /** `null` where the file is not there. */
  readonly source: (file: string) => Promise<string | null>;
}

async function ask<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error('the server has stopped: run poundlock explore again');
  });
  const answer = (await response.json()) as T | { readonly error: string };
  if (response.ok) return answer as T;
  throw new Error((answer as { readonly error: string }).error);
}

/** The engine of the server. */
export const SERVER: Engine = {
  kernel: () => ask('kernel', {}),
  state: (params, token) => ask('state', { params, token }),
  verdict: (params) => ask('verdict', { params }),
  simulation: (params, model) => ask('simulation', { params, model }),
  whatIf: (params, model) => ask('what-if', { params, model }),
  source: async (file) => (await ask<{ readonly text: string | null }>('source', { file })).text,
};
