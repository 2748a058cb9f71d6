import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MAX_COLUMNS,
  MAX_LINES,
  MAX_MEDIAN_LINES,
  medianLines,
  nameFaults,
  shapeFaults,
} from './shape.ts';
import { source } from './source.ts';
import { PAGE_SOURCES, PLUGIN_SOURCES, SOURCES, TESTS } from './tree.ts';

const lines = (count: number) => '// Why.\n' + 'x;\n'.repeat(count - 1);

test('a file says why it exists in its first line', () => {
  assert.deepEqual(shapeFaults(source('op/op.ts', '// Why.\n')), []);
  assert.deepEqual(shapeFaults(source('op/op.ts', '/**\n * Why.\n */\n')), []);
  assert.match(shapeFaults(source('op/op.ts', 'export {};\n'))[0], /^op\/op\.ts:1 the first line/);
  assert.match(shapeFaults(source('op/op.ts', '\n// Why.\n'))[0], /the first line/);
});

test(`a file has at most ${MAX_LINES} lines`, () => {
  assert.deepEqual(shapeFaults(source('op/op.ts', lines(MAX_LINES))), []);
  assert.match(shapeFaults(source('op/op.ts', lines(MAX_LINES + 1)))[0], /^op\/op\.ts:501 /);
});

test(`a line has at most ${MAX_COLUMNS} columns`, () => {
  const comment = (columns: number) => '// Why.\n//' + ' é'.repeat(columns / 2 - 1) + '\n';
  assert.deepEqual(shapeFaults(source('op/op.ts', comment(MAX_COLUMNS))), []);
  assert.match(shapeFaults(source('op/op.ts', comment(MAX_COLUMNS + 2)))[0], /^op\/op\.ts:2 /);
});

test('a name says what is in it', () => {
  for (const path of ['op/util.ts', 'utils/op.ts', 'op/string-helpers.ts', 'op/misc.ts']) {
    assert.equal(nameFaults(path).length, 1, path);
  }
  assert.deepEqual(nameFaults('op/utilisation.ts'), []);
});

test('every source file has its shape', (t) => {
  assert.deepEqual([...SOURCES, ...PLUGIN_SOURCES, ...PAGE_SOURCES].flatMap(shapeFaults), []);
  assert.deepEqual(
    TESTS.flatMap((file) => nameFaults(file.path)),
    [],
  );

  const median = medianLines(SOURCES);
  t.diagnostic(`${SOURCES.length} source files, median ${median} lines`);
  assert.ok(median < MAX_MEDIAN_LINES, `the median file has ${median} lines`);
});
