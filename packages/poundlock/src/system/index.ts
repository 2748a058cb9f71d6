// A program on a machine: moves, their effects, and why nothing moves.
export { copyState, newState, NOT_STARTED } from './layout.ts';
export { agentOf, isSilent, moveOf, optionOf, System, type Move } from './system.ts';
export type { Symptom } from './symptom.ts';
