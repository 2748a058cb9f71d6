// The reporter for programs: `poundlock/simulate@1`.
import type { SimulationReport, SimulationReporter } from './report.ts';

export const SIMULATE_SCHEMA = 'poundlock/simulate@1';

function document({ kernel, model, single, runs }: SimulationReport): object {
  const head = { schema: SIMULATE_SCHEMA, kernel };
  const tail = model.caveat === null ? {} : { caveat: model.caveat };
  if (single === null) return { ...head, model: model.name, ...tail, runs };
  const { params, totalCycles, roles, rings, lines, criticalPath, stats } = single;
  const detail = { totalCycles, roles, rings, lines, criticalPath, stats };
  return { ...head, params, model: model.name, ...tail, ...detail };
}

export const simulationJson: SimulationReporter = {
  name: 'json',
  render: (report) => `${JSON.stringify(document(report), null, 2)}\n`,
};
