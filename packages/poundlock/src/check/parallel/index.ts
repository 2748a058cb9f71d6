// Searching with several threads: who starts them is told from outside.
export { takePart, type MemberReport, type Task } from './member.ts';
export { ParallelSearch, type Crew, type Learned, type StartCrew } from './parallel-search.ts';
