// The sources of this package, read once for all tidy tests.
import { join } from 'node:path';
import { readSources } from './source.ts';

const PACKAGE = join(import.meta.dirname, '..', '..');

export const SOURCES = readSources(join(PACKAGE, 'src'));
/** Those of the ESLint plugin, which has no rooms. */
export const PLUGIN_SOURCES = readSources(join(PACKAGE, '..', 'eslint-plugin-poundlock', 'src'));
/** The labelled cases of `lint` are named by what they show, and shared with other tools. */
export const TESTS = readSources(join(PACKAGE, 'test')).filter(
  ({ path }) => !/^lint\/(cases|idioms|checker-framework)\//.test(path),
);
