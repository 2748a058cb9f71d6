// Code actions: the offered fixes, and that the fixed text has no findings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from './client.ts';
import { LEAK, project } from './project.ts';

const ASYNC = `import { Handle } from './handle.js';
export async function leak(other: Promise<void>): Promise<void> {
  const handle = new Handle();
  await other;
  handle.close();
}
`;

for (const end of ['\n', '\r\n']) {
  const name = JSON.stringify(end);
  test(`each fix of a leak leaves clean text with lines that end in ${name}`, async () => {
    using folder = project();
    const text = ASYNC.replaceAll('\n', end);
    const file = folder.write('leak.ts', text);
    await using client = new Client(folder.path);
    await client.initialize();
    await client.open(file, text);
    const [{ range, code } = assert.fail()] = await client.diagnostics(file);
    assert.equal(code, 'leak-on-throw');
    const titles = (await client.actions(file, range)).map(({ title }) => title);
    assert.deepEqual(titles, [
      'bind it with `using`',
      'release it in `finally`',
      'suppress leak-on-throw here: then write the reason',
    ]);
    for (const title of titles.slice(0, 2)) {
      await client.replace(file, text);
      await client.diagnostics(file);
      const action = (await client.actions(file, range)).find((each) => each.title === title);
      assert.equal(action?.isPreferred, true);
      const fixed = await client.apply(file, action!);
      assert.deepEqual(await client.diagnostics(file), [], fixed);
      assert.equal(fixed.split(end).length, fixed.split('\n').length, 'all lines end alike');
    }
  });
}

test('a suppression requires a reason', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, LEAK);
  const [{ range } = assert.fail()] = await client.diagnostics(file);
  const suppress = (await client.actions(file, range)).at(-1)!;
  const text = await client.apply(file, suppress);
  assert.match(text, /\n {2}\/\/ poundlock-ignore-next-line leak -- \n {2}const handle/);
  const [still = assert.fail()] = await client.diagnostics(file);
  assert.match(String(still.message), /a suppression needs a reason/);
  await client.replace(file, text.replace('-- \n', '-- lives as long as the process\n'));
  assert.deepEqual(await client.diagnostics(file), []);
});

test('all safe fixes at once are a separate action', async () => {
  using folder = project();
  const text = ASYNC + ASYNC.replace(/^import.*\n/, '').replace('leak', 'again');
  const file = folder.write('leak.ts', text);
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, text);
  assert.equal((await client.diagnostics(file)).length, 2);
  const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  assert.deepEqual(await client.actions(file, nowhere), []);
  const [all = assert.fail()] = await client.actions(file, nowhere, ['source.fixAll']);
  assert.equal(all.title, 'apply 2 safe fixes of poundlock');
  await client.apply(file, all);
  assert.deepEqual(await client.diagnostics(file), []);
});

test('actions are those of the current version', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, LEAK);
  const [{ range } = assert.fail()] = await client.diagnostics(file);
  await client.edit(file, 0, 0, '\n\n');
  const moved = { start: { ...range.start, line: 4 }, end: { ...range.end, line: 4 } };
  const [action = assert.fail()] = await client.actions(file, moved);
  const text = await client.apply(file, action);
  assert.deepEqual(await client.diagnostics(file), [], text);
});
