// The library face of the simulator.
export { costsOf, type Costs, type Model, type ModelParameter } from './model.ts';
export { h200 } from './models/h200.ts';
export { Simulation } from './simulation.ts';
export { inPlace, totalCycles } from './simulate.ts';
