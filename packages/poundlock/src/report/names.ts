// The names of the reporters, separate from the renderers: the help of a verb needs only them.

/** The names for `--reporter`. A new reporter starts here. */
export const REPORTER_NAMES = [
  'terminal',
  'json',
  'sarif',
  'github',
  'markdown',
  'html',
  'svg',
] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];
