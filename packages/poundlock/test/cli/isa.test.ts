// `poundlock isa`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';

test('forms of an instruction, by its name', async (t) => {
  const { code, stdout } = await poundlock(folder(t), ['isa', 'mbarrier.try_wait']);
  assert.equal(code, 0);
  assert.match(stdout, /^mbarrier\.try_wait.*\n {2}Waits .* PTX 7\.8, sm_90; modeled\./);
});

test('forms that have a modifier', async (t) => {
  const { code, stdout } = await poundlock(folder(t), ['isa', '.cp_mask']);
  assert.equal(code, 0);
  assert.match(stdout, /cp\.async\.bulk/);
});

test('names of all instructions', async (t) => {
  const { code, stdout } = await poundlock(folder(t), ['isa']);
  assert.equal(code, 0);
  assert.ok(stdout.split(' ').length > 100);
});

test('a word that no form has is an error with the nearest one', async (t) => {
  const { code, stderr } = await poundlock(folder(t), ['isa', 'mbarier']);
  assert.equal(code, 2);
  assert.match(stderr, /did you mean mbarrier/);
});
