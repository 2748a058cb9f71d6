// The language server as an editor uses it: a process, pipes, and edited buffers.
import assert from 'node:assert/strict';
import { unlinkSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver-protocol/node';
import { Client, Folder } from './client.ts';
import { FINE, LEAK, project } from './project.ts';

const codes = (found: readonly Diagnostic[]): unknown[] => found.map(({ code }) => code);

const CHANGED = 2;
const DELETED = 3;

async function filesChanged(client: Client, type: number, ...paths: string[]): Promise<void> {
  const changes = paths.map((path) => ({ uri: pathToFileURL(path).href, type }));
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
}

test('a leak is reported when its file is opened, and removed when it is fixed', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  const { capabilities, serverInfo } = (await client.initialize()) as {
    capabilities: object;
    serverInfo: { name: string };
  };
  assert.ok('codeActionProvider' in capabilities);
  assert.equal(serverInfo.name, 'poundlock');
  await client.open(file, LEAK);
  const [found = assert.fail(), ...more] = await client.diagnostics(file);
  assert.deepEqual(more, []);
  assert.equal(found.code, 'leak');
  assert.equal(found.source, 'poundlock');
  const [start, end] = [
    { line: 2, character: 17 },
    { line: 2, character: 29 },
  ];
  assert.deepEqual(found.range, { start, end });
  const at = LEAK.indexOf('}');
  await client.edit(file, at, at, '  handle.close();\n');
  assert.deepEqual(await client.diagnostics(file), []);
});

test('columns are UTF-16, lines end as they do in the buffer', async () => {
  using folder = project();
  const text = LEAK.replace('  const handle', "  '😀é'; const handle").replaceAll('\n', '\r\n');
  const file = folder.write('leak.ts', text);
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, text);
  const [{ range } = assert.fail()] = await client.diagnostics(file);
  assert.equal(client.document(file).getText(range), 'new Handle()');
  assert.deepEqual(range.start, { line: 2, character: 24 });
});

/** Passes its handle to a helper in another file. */
const USER = `import { Handle } from './handle.js';
import { done } from './done.js';
export function use(): void {
  const handle = new Handle();
  done(handle);
}
`;

test('changes in another open file are reported after a pause', async () => {
  using folder = project();
  const done = `import type { Handle } from './handle.js';
export function done(handle: Handle): void {
  handle.close();
}
`;
  const [helper, file] = [folder.write('done.ts', done), folder.write('user.ts', USER)];
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, USER);
  assert.deepEqual(await client.diagnostics(file), []);
  await client.open(helper, done);
  await client.replace(helper, done.replace('handle.close();', 'handle.use();'));
  await client.until('a leak where the helper is called', () =>
    client.published.find(
      ({ uri, diagnostics }) => uri.endsWith('user.ts') && diagnostics.length > 0,
    ),
  );
  assert.deepEqual(codes(await client.diagnostics(file)), ['leak']);
});

test('a file that is not open is read again when it changes or is deleted on disk', async () => {
  using folder = project();
  const done = `import type { Handle } from './handle.js';
export const done = (handle: Handle): void => handle.close();
`;
  const [helper, file] = [folder.write('done.ts', done), folder.write('user.ts', USER)];
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, USER);
  assert.deepEqual(await client.diagnostics(file), []);
  const before = client.published.length;
  folder.write('done.ts', done.replace('handle.close()', 'handle.use()'));
  await filesChanged(client, CHANGED, helper);
  assert.deepEqual(codes(await client.diagnostics(file, before)), ['leak']);
  const again = client.published.length;
  unlinkSync(helper);
  await filesChanged(client, DELETED, helper);
  // The effect of the deleted helper on the handle is unknown.
  assert.deepEqual(await client.diagnostics(file, again), []);
});

test('a buffer that was never saved, and one without a tsconfig.json', async () => {
  using folder = project();
  await using client = new Client(folder.path);
  await client.initialize();
  const unsaved = `${folder.path}/unsaved.ts`;
  await client.open(unsaved, LEAK);
  assert.deepEqual(codes(await client.diagnostics(unsaved)), ['leak']);

  using lonely = new Folder();
  const text = `/** @mustRelease close */
declare class Handle { close(): void }
new Handle();
`;
  const file = lonely.write('alone.ts', text);
  await client.open(file, text);
  assert.deepEqual(codes(await client.diagnostics(file)), ['discarded-handle']);
  await client.replace(file, text.replace('new Handle()', 'new Handle().close()'));
  assert.deepEqual(await client.diagnostics(file), []);
});

test('two folders with separate projects', async () => {
  using one = project();
  using other = project();
  const files = [one.write('leak.ts', LEAK), other.write('leak.ts', LEAK)];
  await using client = new Client(one.path);
  const workspaceFolders = [one, other].map(({ path }) => ({
    uri: pathToFileURL(path).href,
    name: path,
  }));
  await client.initialize({ workspaceFolders });
  for (const file of files) await client.open(file, LEAK);
  for (const file of files) assert.deepEqual(codes(await client.diagnostics(file)), ['leak']);
  await client.replace(files[1]!, FINE);
  assert.deepEqual(await client.diagnostics(files[1]!), []);
  assert.deepEqual(codes(await client.diagnostics(files[0]!)), ['leak']);
});

test('a closed file has no diagnostics', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, LEAK);
  await client.diagnostics(file);
  await client.close(file);
  const last = await client.until('an empty report', () => {
    const found = client.published.at(-1);
    return found?.diagnostics.length === 0 ? found : undefined;
  });
  assert.ok(last.uri.endsWith('leak.ts'));
  await client.open(file, LEAK);
  assert.deepEqual(codes(await client.diagnostics(file)), ['leak']);
});

test('ten keystrokes at once: only the last version is reported', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, LEAK);
  await client.diagnostics(file);
  const before = client.published.length;
  const at = LEAK.indexOf('handle.use');
  for (const letter of 'handle.close();'.split('').toReversed()) {
    await client.edit(file, at, at, letter);
  }
  // Closed, and then used.
  assert.deepEqual(codes(await client.diagnostics(file, before)), ['use-after-release']);
  assert.ok(client.published.length - before <= 3);
});
