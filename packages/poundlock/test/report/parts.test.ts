// Every field of a result belongs to a part of its verdict, which all surfaces show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf, type VerdictParts } from '#src/report/verdict';
import type { CheckResult } from '../../../core/src/finding/index.ts';
import { VERDICTS } from './verdicts.ts';

const certified = VERDICTS['certified']!;

const size = (value: number) => ({ value: [value, 1, 1] as const, from: 'text' as const });
const LAUNCH: CheckResult['launch'] = {
  from: 'inferred',
  grid: size(8),
  block: size(64),
  cluster: size(1),
  sharedMemory: { value: 0, from: 'text' },
  params: [],
  tried: [],
  preconditions: ['n is a multiple of 64'],
  needs: { sharedMemory: 0 },
};

/** Other values of each field, and the part that shows them: a new field is a compile error. */
const FIELDS: {
  readonly [F in keyof Required<CheckResult>]: readonly [
    part: keyof VerdictParts | 'beside',
    ...values: CheckResult[F][],
  ];
} = {
  kernel: ['claim', 'attention'],
  params: ['claim', { stages: 3, tiles: 17 }],
  verdict: ['claim', 'counterexample'],
  scope: ['claim'],
  findings: ['findings', []],
  // Of a verdict that is inconclusive.
  reason: ['beside'],
  notes: ['notes', undefined],
  launch: ['notes', LAUNCH],
  coverage: ['coverage', undefined],
  texts: ['texts', undefined],
  // A schedule: a block of its own on each surface.
  example: ['beside'],
  stats: ['statistics', { ...certified.stats, states: 1 }],
};

/** The same of the fields of a scope. */
const SCOPE: {
  readonly [F in keyof Required<CheckResult['scope']>]: readonly [
    part: keyof VerdictParts | 'beside',
    ...values: CheckResult['scope'][F][],
  ];
} = {
  // Those of the result.
  params: ['beside'],
  every: ['claim', ['tiles']],
  assumptions: ['assumptions', []],
  // Names of assumptions, each of which is listed.
  accepted: ['beside'],
  sizes: ['notes', [{ parameter: 'stages', certified: [1], refused: [], open: [] }]],
  periods: ['claim', [{ parameter: 'stages', from: 4, step: 4, most: null }]],
  launches: ['notes', [{ file: 'l.json', index: 1, verdict: 'inconclusive', reason: 'why' }]],
  blocks: ['claim', undefined],
  // Its practices are assumptions.
  memory: ['beside'],
};

test('every field of a result is shown by a part', () => {
  const shows = (part: keyof VerdictParts | 'beside', changed: CheckResult): void => {
    if (part === 'beside') return;
    const [before, after] = [certified, changed].map((one) => partsOf(one)[part]);
    assert.notDeepEqual(after, before, part);
  };
  for (const [name, [part, ...values]] of Object.entries(FIELDS))
    for (const value of values) shows(part, { ...certified, [name]: value } as never);
  for (const [name, [part, ...values]] of Object.entries(SCOPE))
    for (const value of values)
      shows(part, { ...certified, scope: { ...certified.scope, [name]: value } as never });
  const why = (reason: string) => ({ ...certified, verdict: 'inconclusive', reason }) as const;
  assert.notDeepEqual(partsOf(why('one')).claim, partsOf(why('another')).claim);
});
