// The kinds of random programs as the page calls them.
export const KIND_TITLES = {
  users: 'barriers, rings, choices: checked as users do',
  engines: 'the same, larger: each engine by itself',
  polls: 'polls and tries, in a `loop` and plain',
  captured: 'captured state of nine kinds',
  derived: 'derived parameters: for every number, and sizes around',
  every: 'a count: for every number',
  around: 'a count: sizes around the requested one',
  numbers: 'one number at an edge, or none that a program can have',
  performed: 'operations that are performed at once, later, or never',
};
