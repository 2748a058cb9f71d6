// The address of a public thread in the first lines of a text, which has to be that of its bug.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const THREAD = /^\/\/ (https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/(issues|pull|commit)\/(\w+))$/m;

/** The address of the thread that a file names; `thread` is owner/repo#n or owner/repo@commit. */
export function threadOf(file: string, thread: string): string {
  const [, url, repository, kind, id] = THREAD.exec(readFileSync(file, 'utf8')) ?? [];
  const sign = kind === 'commit' ? '@' : '#';
  assert.equal(`${repository}${sign}${id}`, thread, `${file} names its thread`);
  return url!;
}
