// Renderings of simulations: pure functions from results to text.
import { simulationChrome } from './chrome-trace.ts';
import { simulationHtml } from './html.ts';
import { simulationJson } from './json.ts';
import { simulationKanata } from './kanata.ts';
import type { SimulationReporter } from './report.ts';
import { simulationTerminal } from './terminal.ts';

/** Every reporter of `simulate`, by its name on the command line. */
export const SIMULATION_REPORTERS: readonly SimulationReporter[] = [
  simulationTerminal,
  simulationJson,
  simulationHtml,
  simulationChrome,
  simulationKanata,
];

export { chromeTrace } from './chrome-trace.ts';
export { kanataLog } from './kanata.ts';
export { KNEE_TOLERANCE, kneeOf } from './knee.ts';
export type { SimulatedRun, SimulationReport, SimulationReporter } from './report.ts';
export type { SimulationSurroundings } from './report.ts';
