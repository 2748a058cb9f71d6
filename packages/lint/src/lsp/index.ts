// Exports of the language server, without `analysis-worker.ts`, which loads a compiler.
export type { WorkerRequest, AnalysisReport, ServerSettings } from './worker-protocol.ts';
export { startThread } from './start-thread.ts';
export { serve, type AnalysisThread, type ServerHost } from './server.ts';
