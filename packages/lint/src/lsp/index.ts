// The face of the room. The analysis (`analyst.ts`) is not in it: it brings a compiler along.
export type { Order, AnalysisReport, ServerSettings } from './worker-protocol.ts';
export { startThread } from './start-thread.ts';
export { serve, type AnalysisThread, type ServerHost } from './server.ts';
