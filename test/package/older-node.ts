// What an older Node on this machine does with an installed package.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A Node on PATH that is not one of an installed package and too old for the command line. */
export function olderNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders
    .filter((each) => !each.includes('node_modules'))
    .map((each) => join(each, process.platform === 'win32' ? 'node.exe' : 'node'))
    .filter((each) => existsSync(each))
    .find((each) => parseInt(versionOf(each), 10) < 24);
}

function versionOf(node: string): string {
  return spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout;
}
