// Breadth-first search with several threads, which the caller starts.
export { runMember, type MemberReport, type Task } from './member.ts';
export {
  ParallelSearch,
  type SearchCrew,
  type LearnedMarks,
  type StartCrew,
} from './parallel-search.ts';
