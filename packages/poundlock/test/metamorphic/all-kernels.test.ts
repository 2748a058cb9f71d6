// tier: deep
// Every kernel as built of the repository has the same verdict in each form that changes nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseKernels, exampleKernels } from './kernels.ts';
import { changedVerdicts, FORMS } from './verdicts.ts';

/** Kernels with another verdict, by form. The lists only get shorter: an equal verdict fails, too. */
const PENDING: Readonly<Record<string, readonly string[]>> = {
  // Which lanes of a warp are looked at decides if a word that no block writes may be another's.
  'unused moves': ['128-semaphore-of-a-block-that-skips/bug'],
};

const kernels = [...caseKernels(), ...exampleKernels()];

for (const kernel of kernels)
  test(`${kernel.name} has one verdict in all its forms`, async () => {
    const changed = await changedVerdicts(kernel, FORMS);
    const listed = FORMS.filter((form) => PENDING[form]?.includes(kernel.name));
    assert.deepEqual([...changed.keys()], listed, JSON.stringify(Object.fromEntries(changed)));
  });

test('each row of the lists is a form and a kernel', () => {
  const names = new Set(kernels.map(({ name }) => name));
  for (const [form, list] of Object.entries(PENDING)) {
    assert.ok(FORMS.includes(form), form);
    for (const name of list) assert.ok(names.has(name), name);
  }
});
