// What a variable with a handle shows: what it is, who owns it, and where each path ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from './client.ts';
import { project } from './project.ts';

const TEXT = `import { Handle } from './handle.js';
export async function partly(other: Promise<void>, some: boolean): Promise<void> {
  const first = new Handle();
  await other;
  if (some) return;
  first.close();
}
export function scoped(): void {
  using second = new Handle();
  second.use();
}
export function given(): Handle {
  const third = new Handle();
  return third;
}
/** @owned fourth */
export function taken(fourth: Handle): void {
  fourth.close();
}
export function borrowed(fifth: Handle): void {
  fifth.use();
}
export const plain = 1;
`;

const TO_RELEASE = 'release it with `.close()` in `finally`, or bind it with `using`.';

test('a variable shows what becomes of its handle, and follows each edit', async () => {
  using folder = project();
  const file = folder.write('held.ts', TEXT);
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, TEXT);
  const shown = async (word: string): Promise<string[] | undefined> => {
    return (await client.hover(file, word))?.split('\n\n');
  };
  assert.deepEqual(await shown('first'), [
    `\`Handle\` of \`new Handle()\`: ${TO_RELEASE}`,
    'Owned here; released on line 6; **not released** if line 4 is rejected; ' +
      '**not released** where line 5 leaves.',
  ]);
  assert.equal((await shown('second'))?.[1], 'Owned here; released at the end of its scope.');
  assert.equal((await shown('third'))?.[1], 'Owned here; returned on line 14.');
  assert.deepEqual(await shown('fourth: Handle'), [
    `\`Handle\`: ${TO_RELEASE}`,
    'Owned here, given by the caller; released on line 18.',
  ]);
  assert.equal((await shown('fifth'))?.[1], 'Owned by the caller.');
  assert.equal(await shown('plain'), undefined);
  const line = '  if (some) return;\n';
  const start = TEXT.indexOf(line);
  await client.edit(file, start, start + line.length, '');
  assert.equal(
    (await shown('first'))?.[1],
    'Owned here; released on line 5; **not released** if line 4 is rejected.',
  );
});
