// Examples with a warning are certified, and show it in the frame that is their golden file.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { optionsFor, WARNINGS } from './bugs.ts';
import { expectGolden, goldensIn, namesIn } from './golden.ts';
import { command } from './in-process.ts';

suite('examples with a warning', () => {
  for (const [name, { rule, undo = '' }] of Object.entries(WARNINGS)) {
    const check = `poundlock check examples/warnings/${name}.ts${optionsFor(rule)}`;

    test(`${name} is certified with the warning ${rule}`, async () => {
      const { code, stdout, stderr } = await command(check);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      expectGolden(`warnings/${name}`, stdout);
      assert.equal(/^warning\[([\w-]+)\]/m.exec(stdout)?.[1], rule);
    });

    test(`${name} has no warning with ${undo}`, async () => {
      const { code, stdout } = await command(`${check} ${undo}`);
      assert.equal(code, 0);
      assert.match(stdout, /^certified {2}/);
      assert.doesNotMatch(stdout, /warning/);
    });
  }
});

test('every example with a warning has its rule and its golden file', () => {
  assert.deepEqual(Object.keys(WARNINGS), namesIn('examples/warnings'));
  assert.deepEqual(goldensIn('warnings'), namesIn('examples/warnings'));
});
