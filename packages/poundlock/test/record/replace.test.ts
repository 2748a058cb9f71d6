// `record --replace`: a kernel of the command runs from another PTX text.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compileStandIn, foldersOf, isSkipped, record, RING } from './stand-in.ts';
import type { StandIn } from './stand-in.ts';

const skip = isSkipped;
let standIn: StandIn;
before(() => void (isSkipped || (standIn = compileStandIn())));
after(() => standIn?.remove());

/** Another text of the kernel in the folder of the stand-in. */
function otherText(name: string, text: string): string {
  const path = join(standIn.folder, name);
  writeFileSync(path, text);
  return path;
}

for (const door of ['linked', 'proc', 'library'])
  test(`the text that runs is the other one: ${door}`, { skip }, async () => {
    const path = otherText(
      'late.ptx',
      RING.replace('bar.sync 0;', 'nanosleep.u32 77; bar.sync 0;'),
    );
    const recorded = await record(standIn, door, { options: ['--replace', `ring=${path}`] });
    assert.equal(recorded.code, 0, recorded.printed);
    assert.match(recorded.stderr, /ring runs from .*late\.ptx/);
    assert.match(foldersOf(recorded)[0]!.ptx, /nanosleep\.u32 77/);
  });

test('a kernel that the command does not look up is named', { skip }, async () => {
  const path = otherText('other.ptx', RING.replaceAll('ring', 'else'));
  const recorded = await record(standIn, 'linked', { options: ['--replace', `else=${path}`] });
  assert.match(recorded.stderr, /else was not looked up/);
});

test('what cannot be replaced is refused', { skip }, async () => {
  const path = otherText('ring-2.ptx', RING);
  const own = otherText('own.ptx', RING.replace('.visible', '.global .b32 counter;\n.visible'));
  for (const word of ['ring', `=${path}`, `absent=${path}`, 'ring=missing.ptx', `ring=${own}`]) {
    const { code } = await record(standIn, 'linked', { options: ['--replace', word] });
    assert.equal(code, 2, word);
  }
});
