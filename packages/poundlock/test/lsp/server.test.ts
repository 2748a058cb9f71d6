// The language server as an editor meets it: a process, pipes, buffers that are typed in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, Folder } from './client.ts';

const HANDLE = `/** @mustRelease close | [Symbol.dispose] */
export declare class Handle {
  close(): void;
  use(): void;
  [Symbol.dispose](): void;
}
`;
const LEAK = `import { Handle } from './handle.js';
export function leak(): void {
  const handle = new Handle();
  handle.use();
}
`;

function project(): Folder {
  const folder = new Folder();
  folder.write(
    'tsconfig.json',
    '{ "compilerOptions": { "target": "esnext", "module": "nodenext" } }',
  );
  folder.write('handle.d.ts', HANDLE);
  return folder;
}

test('a leak is told when its file is opened, and gone when it is mended', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  const { capabilities, serverInfo } = (await client.initialize()) as Record<string, object>;
  assert.deepEqual(Object.keys(capabilities!).sort(), [
    'codeActionProvider',
    'textDocumentSync',
    'workspace',
  ]);
  assert.equal((serverInfo as { name: string }).name, 'poundlock');
  await client.open(file, LEAK);
  const [found = assert.fail(), ...more] = await client.diagnostics(file);
  assert.deepEqual(more, []);
  assert.equal(found.code, 'leak');
  assert.equal(found.source, 'poundlock');
  assert.deepEqual(found.range, {
    start: { line: 2, character: 17 },
    end: { line: 2, character: 29 },
  });
  const at = LEAK.indexOf('}');
  await client.edit(file, at, at, '  handle.close();\n');
  assert.deepEqual(await client.diagnostics(file), []);
});
