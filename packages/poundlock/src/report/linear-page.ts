// `poundlock explain linear`: what the sound tier of `lint` proves, and what the proof rests on.

/** The theorem. A test compares it with docs/explanation/linear.md. */
export const LINEAR_THEOREM =
  'If a function and all functions that it reaches are accepted, no execution of it leaks a ' +
  'handle, releases one twice, or uses one after its release';

/** What the theorem rests on. */
export const LINEAR_ASSUMPTIONS = [
  'Types are true: casts that lose or make up an obligation are refused, other claims to the ' +
    'compiler are believed.',
  'Tags, brands and overlays are true.',
  'A release does not throw, or has released when it does. A property that is read does not throw.',
  'A function whose type is a promise does not throw before it returns one.',
  'A function without a body that gets a *view* of a handle, such as its bytes, does not keep it ' +
    'beyond its call, or beyond its promise.',
  'A list of another owner into which handles are put is emptied by its owner; a list of the ' +
    'module itself is refused.',
  'A number that counts up has no value twice, so that it is a new key.',
  'No `eval`, no patched prototype. Where the process exits or a loop never ends, nothing is owed.',
  'The bodies of functions are those that the types name: a subclass that overrides a method is ' +
    'judged by itself.',
];

/** The text of the page, a paragraph each. */
export const LINEAR_PAGE = [
  'An obligation is stated at a type: `@mustRelease close` at a class, an interface or an alias, ' +
    "`Linear<T, 'close'>` of @poundlock/linear, an overlay for a package, or `[Symbol.dispose]`. " +
    '`poundlock lint` reports what it can show. In files with the directive ' +
    "`'poundlock/linear';`, of `lint.sound`, or with `--sound`, it refuses what it cannot prove.",
  `${LINEAR_THEOREM}. It rests on this:`,
  ...LINEAR_ASSUMPTIONS.map((text, index) => `${index + 1}. ${text}`),
  '`poundlock explain refused` says what to write where the proof does not go on.',
];
