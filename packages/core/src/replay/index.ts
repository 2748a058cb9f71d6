// Schedules as text: the agents' letters and replay tokens.
export { letterAgents, type TokenAgent } from './agents.ts';
export { folded, type Fold } from './fold.ts';
export { MAX_TOKEN_STEPS, readToken, writeToken, type TokenStep } from './token.ts';
