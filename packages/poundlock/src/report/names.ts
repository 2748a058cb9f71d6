// The names of the reporters, apart from the renderers: the help of a verb needs no more.

/** The reporters, as `--reporter` names them. A new one starts here. */
export const REPORTER_NAMES = ['terminal', 'json', 'sarif', 'github', 'markdown', 'html'] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];
