// The sources of all packages, read once for all tidy tests, with the rooms that they are in.
import { join } from 'node:path';
import { readSources, source, type Source } from './source.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The sources of a package; `room` is put before those of a package that is one room. */
function sourcesOf(folder: string, room = ''): Source[] {
  const files = readSources(join(ROOT, folder, 'src'));
  return room === '' ? files : files.map(({ path, text }) => source(`${room}/${path}`, text));
}

/** Every room; the paths start with the room's name, whatever package it is in. */
export const SOURCES = [
  ...sourcesOf('packages/core'),
  ...sourcesOf('packages/dialects'),
  ...sourcesOf('packages/ptx', 'ptx'),
  ...sourcesOf('packages/ring', 'ring'),
  ...sourcesOf('packages/lint', 'lint'),
  ...sourcesOf('packages/linear', 'linear'),
  ...sourcesOf('tools/farm', 'farm'),
  ...sourcesOf('tools/fuzz', 'fuzz'),
  ...sourcesOf('packages/poundlock'),
];
/** The pages of the explorer and the playground, which are bundled. */
export const PAGE_SOURCES = ['packages/poundlock/app', 'tools/playground/app'].flatMap((folder) =>
  readSources(join(ROOT, folder)),
);
/** The tests of core, which import nothing above it. */
export const CORE_TESTS = readSources(join(ROOT, 'packages/core/test'));
/** The sources of the ESLint plugin, which has no rooms. */
export const PLUGIN_SOURCES = readSources(join(ROOT, 'packages/eslint-plugin/src'));
/** The labeled cases of `lint` are named by what they show, and shared with other tools. */
export const TESTS = [
  'packages/core',
  'packages/dialects',
  'packages/ptx',
  'packages/ring',
  'packages/lint',
  'packages/poundlock',
  'tools/farm',
].flatMap((folder) =>
  readSources(join(ROOT, folder, 'test')).filter(
    ({ path }) => !/^(cases|idioms|real|checker-framework)\//.test(path),
  ),
);
