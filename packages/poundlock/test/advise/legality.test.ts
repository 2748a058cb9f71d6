// What the adviser calls legal, by certificates and schedules, a search of every interleaving does too.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { earlier, handOverHand } from '#src/advise/edits';
import { releaseSites } from '#src/advise/releases';
import { legality, stepsOf, type Lists } from '#src/advise/variant';
import { checkSteps } from '#src/check/index';
import { runLinear, Program, type Kernel } from '../../../core/src/program/index.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'examples');
const ITEMS = 4;
const KERNELS = {
  'h200/two-role': { stages: 2 },
  'h200/release-order': { aStages: 1, bStages: 2 },
  'h200/tensor-core': { warpgroups: 1, stages: 2, order: 'scoped' },
  'gemm-linear': {},
};

/** Every site's releases some operations earlier, and one or two rounds later. */
function editsOf(program: Program): Lists[] {
  const lists = program.roles.map((_, role) => runLinear(program, role, ITEMS));
  return program.roles.flatMap((_, role) =>
    releaseSites(role, lists[role]!, program.declarations.rings).flatMap((site) => {
      const own = lists[role]!;
      const edited = [1, 2, 3].map((by) => earlier(own, site, by));
      edited.push(handOverHand(own, site, 1), handOverHand(own, site, 2));
      return edited.map((list) => lists.map((other, at) => (at === role ? list : other)));
    }),
  );
}

for (const [name, params] of Object.entries(KERNELS)) {
  test(`${name}: the adviser and a search agree on every edit`, async () => {
    const { default: kernel } = (await import(join(EXAMPLES, `${name}.ts`))) as { default: Kernel };
    const program = new Program(kernel, params);
    const verdicts = new Set<string>();
    for (const [at, lists] of editsOf(program).entries()) {
      // Rules of memory need a certificate, which lists of steps do not have.
      const options = { maxStates: 1_000_000, memory: 'none' } as const;
      const searched = await checkSteps(program, stepsOf(lists), options);
      const { verdict } = await legality(program, lists);
      assert.equal(verdict, searched.verdict, `edit ${at}`);
      verdicts.add(verdict);
    }
    assert.ok(verdicts.size > 0 && !verdicts.has('inconclusive'));
  });
}
