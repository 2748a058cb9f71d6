// Runs in place: whether the roles, as they are, do what engines think that they do.
export { AloneRun } from './alone-run.ts';
export { beforeAll, compareInPlace, OF_ROUNDS, type Beside } from './compare.ts';
export { ordersOf } from './plan.ts';
