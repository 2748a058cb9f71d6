// tier: release
// SPIN says of an exported kernel what the search says of the kernel: EXPORT_ALL=1 takes more.
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { suite, test } from 'node:test';
import { verdictOf } from '../conformance/verdict-of.ts';
import { examples, exportedOr, kernelOf, models, structured } from './instances.ts';
import { spinVerdict } from './spin.ts';
import { missingSpin } from './tools.ts';

const missing = missingSpin();
const instances = [...examples(), ...structured(), ...models(process.env['EXPORT_ALL'] === '1')];

/** Rules that an exported model does not have: docs/how-to/export.md, "What is not exported". */
const NOT_EXPORTED = new Set(['exit-with-open-flight']);

suite('SPIN', { concurrency: availableParallelism(), skip: missing || false }, () => {
  for (const instance of instances) {
    test(`agrees on ${instance.name} ${JSON.stringify(instance.params)}`, async (t) => {
      const kernel = await kernelOf(instance);
      const { params } = instance;
      const exported = exportedOr(kernel, 'promela', params);
      if ('refused' in exported) return t.skip(`optional: ${exported.refused}`);
      const [theirs, ours] = await Promise.all([
        spinVerdict(exported.text),
        verdictOf(kernel, params),
      ]);
      assert.match(theirs, /^(PASS|DEADLOCK|(?!export_bound)[a-z_]+)$/);
      const isRight = ours.isCertified || NOT_EXPORTED.has(ours.rule);
      assert.equal(theirs === 'PASS', isRight, `${theirs}, and we say ${ours.rule}`);
      t.diagnostic(`${theirs} / ${ours.rule || 'certified'}`);
    });
  }
});
