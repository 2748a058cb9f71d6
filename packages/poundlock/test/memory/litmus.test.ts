// tier: deep
// The litmus list: `check` gives each program its verdict, in both profiles, with every engine.
import { InputError } from '@poundlock/core/internal/base';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, type CheckOptions } from '../../src/check/index.ts';
import { litmusKernel } from '@poundlock/fuzz/internal/memory';
import { LITMUS, type LitmusRow } from './litmus/index.ts';

const PROFILES = ['practice', 'isa'] as const;
const ENGINES = ['auto', 'certify', 'search', 'reduced'] as const;

/** The API refuses the number that this program is about. */
const REFUSED = 'N5';
/** Programs whose rule is a cause; a search gives the symptom that it meets first. */
const SYMPTOMS: Readonly<Record<string, string>> = {
  W12: 'unjoined-lanes',
  N2: 'deadlock',
  N11: 'race',
  N13: 'deadlock',
};

for (const row of LITMUS) {
  test(`${row.id}: ${row.text}`, async () => {
    if (row.id === REFUSED) {
      await assert.rejects(check(litmusKernel(row), { memory: 'isa' }), InputError);
      return;
    }
    for (const memory of PROFILES) {
      for (const engine of ENGINES) await requireVerdict(row, memory, engine);
    }
  });
}

async function requireVerdict(
  row: LitmusRow,
  memory: (typeof PROFILES)[number],
  engine: NonNullable<CheckOptions['engine']>,
): Promise<void> {
  const { verdict, findings } = await check(litmusKernel(row), {
    memory,
    engine,
    sizes: 'requested',
  });
  const rules = findings.map(({ rule }): string => rule);
  const at = `${memory}, ${engine}: ${verdict} ${rules.join()}`;
  const want = memory === 'isa' ? (row.isa ?? row.want) : row.want;
  if (want === 'ok') {
    // Bytes that come after the end of their CTA are missing at its barrier.
    const others = rules.filter((rule) => rule !== 'not-quiescent');
    assert.deepEqual([verdict, others], ['certified', []], at);
    return;
  }
  // A certificate that fails has no rule where a schedule would have to show it.
  if (engine === 'certify' && verdict === 'inconclusive') return;
  const isSearch = engine === 'search' || engine === 'reduced';
  const rule = (isSearch ? SYMPTOMS[row.id] : undefined) ?? want;
  assert.ok(rules.includes(rule), `${rule} expected, ${at}`);
}

test('the list is complete', () => {
  assert.equal(LITMUS.length, 165);
  assert.equal(new Set(LITMUS.map(({ id }) => id)).size, 165);
});
