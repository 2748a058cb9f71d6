import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LintFinding } from '@poundlock/lint';
import { sentencesOf } from '../src/sentences.ts';

const place = (file: string, line: number, text: string) => ({ file, line, column: 1, text });

const finding: LintFinding = {
  rule: 'leak-on-throw',
  severity: 'error',
  message: 'the `Client` of `connect()` is not released when something in between is rejected',
  primary: place('/project/src/a.ts', 4, 'never released'),
  labels: [place('/project/src/a.ts', 5, 'this may be rejected')],
  notes: ['what leaks: a connection'],
  helps: ['release it with `.end()` in `finally`'],
  fixes: [],
};

test('a finding is rendered as sentences: cause, labels, notes, help', () => {
  assert.equal(
    sentencesOf(finding, '/project'),
    'The `Client` of `connect()` is not released when something in between is rejected. ' +
      'Line 5: this may be rejected. What leaks: a connection. ' +
      'Release it with `.end()` in `finally`.',
  );
});

test('a label in another file is named relative to the working directory', () => {
  const labels = [place('/project/src/b.ts', 9, 'released here')];
  const text = sentencesOf({ ...finding, labels, notes: [], helps: [] }, '/project');
  assert.match(text, new RegExp(` ${join('src', 'b.ts')}, line 9: released here\\.$`));
});

test('code keeps its case', () => {
  assert.match(sentencesOf({ ...finding, message: '`h.close()` is late' }, '/'), /^`h\.close/);
});
