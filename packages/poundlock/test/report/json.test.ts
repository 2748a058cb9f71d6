import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../../core/src/finding/index.ts';
import { json } from '#src/report/json';
import { checked, DEADLOCK, environment, failed, report } from './sample.ts';

interface Document {
  readonly results: readonly Record<string, unknown>[];
  readonly [name: string]: unknown;
}

function document(of: Report<'check'>): Document {
  const text = json.render(of, environment([]));
  assert.ok(text.endsWith('}\n'));
  return JSON.parse(text) as Document;
}

test('a document names its shape, the tool and the verb', () => {
  const found = document(report([checked()]));
  assert.deepEqual(Object.keys(found), ['schema', 'tool', 'results', 'findings', 'skipped']);
  assert.equal(found['schema'], 'poundlock/report@1');
  assert.deepEqual(found['tool'], { name: 'poundlock', version: '1.2.3', verb: 'check' });
});

test('findings are one list, and each names its result', () => {
  const one = checked({ verdict: 'counterexample', findings: [DEADLOCK] });
  const { results, findings } = document(report([checked(), one]));
  assert.deepEqual(results[1], JSON.parse(JSON.stringify(one.result)));
  assert.deepEqual(findings, [{ ...DEADLOCK, result: 1 }]);
});

test('reason and example are there only when there are any', () => {
  const certified = document(report([checked()]));
  assert.deepEqual(Object.keys(certified.results[0]!), [
    'verb',
    'file',
    'kernel',
    'params',
    'verdict',
    'scope',
    'stats',
  ]);
  const stopped = document(report([checked({ verdict: 'inconclusive', reason: 'a bound' })]));
  assert.equal(stopped.results[0]!['reason'], 'a bound');
});

test('results are a list, also when only one came out', () => {
  const many = document(report([checked(), failed('gone.ts', 'no such file')]));
  assert.equal(many.results[0]!['verdict'], 'certified');
  const failure = { verb: 'check', file: 'gone.ts', error: 'no such file' };
  assert.deepEqual(many.results[1], failure);

  const stopped = document(report([checked()], { isBatch: true, skipped: 3 }));
  assert.equal(stopped.results.length, 1);
  assert.equal(stopped['skipped'], 3);
  assert.deepEqual(document(report([failed('gone.ts', 'no such file')])).results, [failure]);
});
