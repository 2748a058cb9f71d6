// A program on a machine: moves, their effects, and why nothing moves.
export { explainDivergence } from './explain/divergence.ts';
export { explain, explainSchedule, stepsWithoutSignal } from './explain/index.ts';
export { endSymptoms, hasLeftovers } from './final-state-checks.ts';
export { floatingPlace } from './floating-place.ts';
export { optionFor } from './option-for.ts';
export { reachableSteps } from './reachable-steps.ts';
export { copyState, layOutSystem, newState, NOT_STARTED, writeInitial } from './layout.ts';
export type { SystemLayout } from './layout.ts';
export { MISSTEP, Registers, type Marks } from './registers.ts';
export { describe, describeFlight } from './describe.ts';
export { formatNumber, list, Names } from './names.ts';
export { CountRegister, StageRegister } from './resolved-registers.ts';
export { movesOfToken, Schedule } from './schedule.ts';
export { standingOf, traceOf } from './space-time.ts';
export { agentOf, moveOf, optionOf, System, type Move } from './system.ts';
export { FAULT_RULES, type Symptom, type SymptomRule } from './symptom.ts';
export { WaitConditions } from './wait-conditions.ts';
