import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json } from '#src/report/json';
import type { CheckReport } from '#src/report/index';
import { checked, DEADLOCK, report, surroundings } from './sample.ts';

function document(of: CheckReport): Record<string, unknown> {
  const text = json.render(of, surroundings([]));
  assert.ok(text.endsWith('}\n'));
  return JSON.parse(text) as Record<string, unknown>;
}

test('one result is one document', () => {
  const one = checked({ verdict: 'counterexample', findings: [DEADLOCK] });
  const { schema, ...rest } = document(report([one]));
  assert.equal(schema, 'poundlock/check@2');
  assert.deepEqual(rest, { file: 'examples/gemm.ts', ...one.result });
});

test('reason and example are there only when there are any', () => {
  const certified = document(report([checked()]));
  assert.deepEqual(Object.keys(certified), [
    'schema',
    'file',
    'kernel',
    'params',
    'verdict',
    'scope',
    'findings',
    'stats',
  ]);
  const stopped = document(report([checked({ verdict: 'inconclusive', reason: 'a bound' })]));
  assert.equal(stopped['reason'], 'a bound');
});

test('several results are a list, also when only one came out', () => {
  const many = document(report([checked(), { file: 'gone.ts', error: 'no such file' }]));
  assert.deepEqual(Object.keys(many), ['schema', 'results']);
  const results = many['results'] as Record<string, unknown>[];
  assert.equal(results[0]!['verdict'], 'certified');
  assert.deepEqual(results[1], { file: 'gone.ts', error: 'no such file' });

  const stopped = document(report([checked()], { many: true, skipped: 3 }));
  assert.equal((stopped['results'] as unknown[]).length, 1);
  assert.equal(stopped['skipped'], 3);
});

test('a file that could not run is a document with its error', () => {
  assert.deepEqual(document(report([{ file: 'gone.ts', error: 'no such file' }])), {
    schema: 'poundlock/check@2',
    file: 'gone.ts',
    error: 'no such file',
  });
});
