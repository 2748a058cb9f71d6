// What a leak costs decides between error and warning: models say it.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PRESETS } from '#src/models/index';
import { lintFiles } from './programs.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-severity-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const BODY = `export async function sizeOf(url: string): Promise<number> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.statusText);
  return (await response.text()).length;
}
`;

const READER = `export async function first(url: string): Promise<unknown> {
  const { body } = await fetch(url);
  const reader = body!.getReader();
  const { value } = await reader.read();
  return value;
}
`;

const LOCK = `import { Mutex } from 'async-mutex';
export async function f(mutex: Mutex, work: () => Promise<void>): Promise<void> {
  const release = await mutex.acquire();
  await work();
  release();
}
`;

function severitiesOf(name: string, text: string): string[] {
  const file = join(FOLDER, name);
  writeFileSync(file, text);
  const found = lintFiles([file], { optIn: ['web.body'] });
  return found.map(({ rule, severity, primary }) => `${severity} ${rule} ${primary.line}`);
}

test('an unread body is collected with its response: a warning', () => {
  assert.deepEqual(severitiesOf('body.ts', BODY), ['warning leak 2']);
});

test('a body that a reader has begun is not collected: an error', () => {
  assert.deepEqual(severitiesOf('reader.ts', READER), ['error leak 3']);
});

test('a lock that is lost stops the others: an error', () => {
  assert.deepEqual(severitiesOf('lock.ts', LOCK), ['error leak-on-throw 3']);
});

test('what stays after the process is never mild', () => {
  const both = Object.values(PRESETS)
    .flat()
    .filter(({ mildLeak, outlivesProcess, guards }) => {
      return mildLeak !== undefined && (outlivesProcess === true || guards === true);
    });
  assert.deepEqual(both, []);
});

const BUS = `export interface Sub { readonly active: boolean; [Symbol.dispose](): void }
export interface Bus { on(event: string, f: () => void): Sub }
declare const bus: Bus;
`;

test('listeners that one function drops are one finding, from the third on', () => {
  const file = join(FOLDER, 'dropped.ts');
  const drop = "bus.on('a', () => {});\n";
  const named = (name: string, count: number): string => {
    return `export function ${name}(): void {\n${drop.repeat(count)}}\n`;
  };
  writeFileSync(file, BUS + named('two', 2) + named('four', 4));
  const found = lintFiles([file], {}, 'six').map(({ primary, labels }) => {
    return [primary.line, ...labels.map(({ line }) => line)];
  });
  assert.deepEqual(found, [[5], [6], [9, 10, 11, 12]]);
});
