// Pages of rules are files: only cli reads them, so `check` runs where there is no file system.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOURCES } from './tree.ts';

/** The files that may name the place of a page; `lint` exports it for the ESLint plugin. */
const ALLOWED = ['lint/public.ts', 'cli/rule-pages.ts'];

test('only cli, and the exports of lint, know where pages are', () => {
  const users = SOURCES.filter(({ text }) => text.includes("/rule-page-url'"));
  assert.deepEqual(
    users.map(({ path }) => path),
    ALLOWED,
  );
});
