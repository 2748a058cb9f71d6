// The sources of all packages, read once for all tidy tests, with the rooms that they are in.
import { join } from 'node:path';
import { readSources, source, type Source } from './source.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', 'packages');

/** The sources of a package; `room` is put before those of a package that is one room. */
function sourcesOf(name: string, room = ''): Source[] {
  const files = readSources(join(PACKAGES, name, 'src'));
  return room === '' ? files : files.map(({ path, text }) => source(`${room}/${path}`, text));
}

/** Every room; the paths start with the room's name, whatever package it is in. */
export const SOURCES = [
  ...sourcesOf('core'),
  ...sourcesOf('ptx', 'ptx'),
  ...sourcesOf('ring', 'ring'),
  ...sourcesOf('lint', 'lint'),
  ...sourcesOf('farm', 'farm'),
  ...sourcesOf('fuzz', 'fuzz'),
  ...sourcesOf('poundlock'),
];
/** The page of the explorer, which is bundled. */
export const PAGE_SOURCES = readSources(join(PACKAGES, 'poundlock', 'app'));
/** Those of the ESLint plugin, which has no rooms. */
export const PLUGIN_SOURCES = readSources(join(PACKAGES, 'eslint-plugin', 'src'));
/** The labelled cases of `lint` are named by what they show, and shared with other tools. */
export const TESTS = ['core', 'ptx', 'ring', 'lint', 'farm', 'poundlock'].flatMap((name) =>
  readSources(join(PACKAGES, name, 'test')).filter(
    ({ path }) => !/^(cases|idioms|real|checker-framework)\//.test(path),
  ),
);
