// Every path that ARCHITECTURE.md names exists.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../packages/poundlock/test/golden/golden.ts';
import { textOf } from './pages.ts';

// The page describes the packages; a checkout that has a single one is older than the page.
const skip = !existsSync(join(ROOT, 'packages', 'core'));

test('every path of the table of changes exists', { skip }, () => {
  const text = textOf('ARCHITECTURE.md');
  const paths = [...text.matchAll(/`(packages\/[\w./-]+?)\/?`/g)].map(([, path]) => path!);
  assert.ok(paths.length >= 10, `${paths.length} paths`);
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
});
