// tier: deep
// The protocols of batches, of the end of a stream and of the watchdog are certified, and each of
// their rules is necessary.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../poundlock/src/check/index.ts';
import batches from '../../../examples/models/batches.ts';
import endOfStream from '../../../examples/models/end-of-stream.ts';
import register from '../../../examples/models/register.ts';
import reopen from '../../../examples/models/reopen.ts';
import watchdog from '../../../examples/models/watchdog.ts';

type Checked = Parameters<typeof check>[0];
type Params = Record<string, number | string>;

const protocols: readonly [Checked, string, readonly Params[], readonly [Params, string][]][] = [
  [
    batches,
    'batches',
    [
      {},
      { producers: 1, consumers: 2 },
      { consumers: 2, items: 2 },
      { stages: 3, batch: 3 },
      { stages: 3, items: 4 },
    ],
    [
      [{ claiming: 'one-by-one' }, 'deadlock'],
      [{ claiming: 'one-by-one', stages: 3, items: 4 }, 'deadlock'],
      [{ claiming: 'whole' }, 'deadlock'],
      [{ claiming: 'unseen' }, 'race'],
    ],
  ],
  [
    endOfStream,
    'the end of a stream',
    [{}, { producers: 1, items: 3 }, { producers: 3 }],
    [
      [{ closing: 'early' }, 'deadlock'],
      [{ closing: 'early', producers: 1 }, 'deadlock'],
      [{ closing: 'end-first' }, 'deadlock'],
      [{ closing: 'unsaid' }, 'deadlock'],
    ],
  ],
  [
    reopen,
    'a place that is taken again',
    [{}, { closers: 0, reopeners: 2 }],
    [
      [{ settling: 'once' }, 'deadlock'],
      [{ settling: 'by-number' }, 'deadlock'],
    ],
  ],
  [
    register,
    'the register of several endpoints',
    [{}, { items: 3 }, { producers: 3, items: 1 }],
    [
      [{ laps: 2 }, 'deadlock'],
      [{ laps: 4, items: 4 }, 'deadlock'],
    ],
  ],
  [
    watchdog,
    'the watchdog',
    [{}],
    [
      [{ watching: 'unwoken' }, 'deadlock'],
      [{ watching: 'woken-first' }, 'deadlock'],
      [{ watching: 'opened-first' }, 'deadlock'],
      [{ watching: 'unready' }, 'deadlock'],
    ],
  ],
];

for (const [kernel, name, sound, broken] of protocols) {
  for (const params of sound) {
    test(`the protocol of ${name} is certified: ${JSON.stringify(params)}`, async () => {
      // All states of these are found faster than fewer of them are chosen.
      const options = { params, sizes: 'requested', engine: 'search' } as const;
      const { verdict, findings } = await check(kernel, options);
      assert.deepEqual(findings, []);
      assert.equal(verdict, 'certified');
    });
  }
  for (const [params, rule] of broken) {
    test(`the protocol of ${name} is refuted: ${JSON.stringify(params)}`, async () => {
      const { findings } = await check(kernel, { params, sizes: 'requested' });
      assert.equal(findings[0]?.rule, rule);
    });
  }
}
