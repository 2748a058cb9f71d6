// The simulated run of the page's parameters, and what other choices would cost.
import { useEffect, useState } from 'preact/hooks';
import type { ExploredSimulation, WhatIf } from '../src/explore/simulation.ts';
import type { Values } from '../src/explore/state.ts';
import type { ModelName } from '../src/simulate/models/names.ts';
import type { Engine } from './engine.ts';

/** What is known of the time. */
export interface Timing {
  readonly simulation: ExploredSimulation | null;
  readonly whatIf: WhatIf | null;
  readonly problem: string;
}

const NOTHING: Timing = { simulation: null, whatIf: null, problem: '' };

/** Asks for the run, then for the alternatives. */
export function useSimulation(engine: Engine, params: Values, model: ModelName): Timing {
  const [timing, setTiming] = useState<Timing>(NOTHING);
  useEffect(() => {
    let isCurrent = true;
    setTiming(NOTHING);
    const load = async (): Promise<void> => {
      const simulation = await engine.simulation(params, model);
      if (!isCurrent) return;
      setTiming({ ...NOTHING, simulation });
      const whatIf = await engine.whatIf(params, model);
      if (isCurrent) setTiming({ simulation, whatIf, problem: '' });
    };
    load().catch((error: Error) => {
      if (isCurrent) setTiming((before) => ({ ...before, problem: error.message }));
    });
    return () => {
      isCurrent = false;
    };
  }, [engine, params, model]);
  return timing;
}
