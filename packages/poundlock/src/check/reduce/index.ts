// Search with reduction: few of the interleavings, and every finding.
export { ReducedSearch } from './reduced-search.ts';
