// tier: deep
// The lists of texts that ptxas takes and refuses are true, where ptxas is installed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFUSED, TAKEN } from './grammar-texts.ts';
import { hasPtxas, refusalOf } from './ptxas.ts';

const skip = hasPtxas() ? false : 'ptxas is not installed';

test('ptxas takes the one list and refuses the other', { skip }, () => {
  for (const [what, text] of TAKEN) assert.equal(refusalOf(text), null, what);
  for (const [what, text] of REFUSED) assert.notEqual(refusalOf(text), null, what);
});
