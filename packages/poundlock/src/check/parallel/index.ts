// Searching with several threads: who starts them is told from outside.
export { runMember, type MemberReport, type Task } from './member.ts';
export {
  ParallelSearch,
  type SearchCrew,
  type LearnedMarks,
  type StartCrew,
} from './parallel-search.ts';
