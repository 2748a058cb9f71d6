// The sources of this package, read once for all tidy tests.
import { join } from 'node:path';
import { readSources } from './source.ts';

const PACKAGE = join(import.meta.dirname, '..', '..');

export const SOURCES = readSources(join(PACKAGE, 'src'));
export const TESTS = readSources(join(PACKAGE, 'test'));
