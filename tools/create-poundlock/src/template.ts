// The files of the template by their names in a new folder, with its name and the version in them.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** What a folder is made for. */
export interface Filling {
  /** The name of the folder, which the package gets as far as npm allows. */
  readonly name: string;
  /** The version of poundlock. */
  readonly version: string;
  readonly hasWorkflow: boolean;
}

/** npm leaves names with a dot out of packages, or reads them as its own. */
const RENAMED: readonly (readonly [from: RegExp, to: string])[] = [
  [/^_/, '.'],
  [/^package\.template\.json$/, 'package.json'],
];

/** A line that says when the tests of this repository run a file. */
const OF_CHECKOUT = /^\/\/ tier: .*\n/;

/** Every file with its text, by its path with forward slashes. */
export function templateFiles(folder: string, filling: Filling): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [nameOf(relative(folder, path)), filled(readFileSync(path, 'utf8'), filling)]);
  const all = new Map(files.toSorted() as [string, string][]);
  if (!filling.hasWorkflow) for (const name of all.keys()) if (isWorkflow(name)) all.delete(name);
  return all;
}

function isWorkflow(name: string): boolean {
  return name.startsWith('.github/');
}

function nameOf(path: string): string {
  return path
    .split(sep)
    .map((part) => RENAMED.reduce((name, [from, to]) => name.replace(from, to), part))
    .join('/');
}

function filled(text: string, { name, version }: Filling): string {
  return text
    .replace(OF_CHECKOUT, '')
    .replaceAll('{{name}}', packageName(name))
    .replaceAll('{{version}}', version);
}

/** A name that npm accepts. */
export function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '');
  return name === '' ? 'kernels' : name;
}
