// The face of the room: the server, and the analysis that the command line puts into a thread.
export { analyse, type AnalystHost, type FileSettings } from './analyst.ts';
export type { Order, Report, ServerSettings } from './orders.ts';
export { serve, type AnalysisThread, type ServerHost } from './server.ts';
