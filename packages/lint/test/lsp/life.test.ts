// The lifecycle of the server and its processes: configuration changes, crashes, and shutdown.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver-protocol/node';
import { childrenOf, Client, WAIT_MS, type Folder } from './client.ts';
import { FINE, LEAK, project } from './project.ts';

const codes = (found: readonly Diagnostic[]): unknown[] => found.map(({ code }) => code);

const CHANGED = 2;

async function changed(client: Client, path: string): Promise<void> {
  const changes = [{ uri: pathToFileURL(path).href, type: CHANGED }];
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
}

function isRunning(pid: number): boolean {
  try {
    // The state comes after the name, which is in brackets.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function untilGone(pids: readonly number[]): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (pids.some(isRunning)) {
    assert.ok(performance.now() < end, 'the compiler is still there');
    await setTimeout(20);
  }
}

const skip = process.platform !== 'linux' && 'processes are looked up in /proc';

async function opened(client: Client, file: string, text: string): Promise<number[]> {
  await client.initialize();
  await client.open(file, text);
  await client.diagnostics(file);
  const compilers = childrenOf(client.process.pid!);
  assert.equal(compilers.length, 1);
  return compilers;
}

test('after shutdown and exit nothing is left, and the exit code is 0', { skip }, async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  const compilers = await opened(client, file, LEAK);
  await client.connection.sendRequest('shutdown');
  await untilGone(compilers);
  await client.connection.sendNotification('exit');
  assert.equal(await client.ended(), 0);
  assert.equal(client.stderr, '');
});

test('it ends when its client disconnects without a shutdown request', { skip }, async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  const compilers = await opened(client, file, LEAK);
  client.process.stdin!.end();
  assert.equal(await client.ended(), 1);
  await untilGone(compilers);
});

test('the compiler does not outlive a server that is killed', { skip }, async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  const compilers = await opened(client, file, LEAK);
  client.process.kill('SIGKILL');
  await untilGone(compilers);
});

test('a compiler that crashes is restarted', { skip }, async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  for (const pid of await opened(client, file, LEAK)) process.kill(pid, 'SIGKILL');
  await client.replace(file, FINE);
  assert.deepEqual(await client.diagnostics(file), []);
  await client.replace(file, LEAK);
  assert.deepEqual(codes(await client.diagnostics(file)), ['leak']);
  assert.ok(client.messages.some((each) => each.includes('is restarted')));
});

/** The package with all of its dependencies except a compiler. */
function withoutCompiler(folder: Folder): string {
  const packages = join(import.meta.dirname, '..', '..', '..');
  const modules = join(folder.path, 'node_modules');
  const manifestOf = (name: string) =>
    JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as {
      name: string;
      dependencies?: Readonly<Record<string, string>>;
    };
  const own = ['core', 'dialects', 'ptx', 'ring', 'lint', 'poundlock'];
  for (const name of own) {
    const copy = join(modules, manifestOf(name).name);
    for (const part of ['bin', 'dist', 'lib', 'package.json']) {
      const from = join(packages, name, part);
      if (existsSync(from)) cpSync(from, join(copy, part), { recursive: true });
    }
  }
  for (const name of new Set(
    own.flatMap((each) => Object.keys(manifestOf(each).dependencies ?? {})),
  )) {
    if (name.startsWith('@poundlock/')) continue;
    symlinkSync(join(packages, '..', 'node_modules', name), join(modules, name));
  }
  return join(modules, 'poundlock', 'bin', 'poundlock.js');
}

test('without a compiler the editor shows a message, and the server continues', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path, withoutCompiler(folder));
  await client.initialize();
  await client.open(file, LEAK);
  const message = await client.until('a message', () =>
    client.messages.find((each) => each.startsWith('poundlock: ')),
  );
  assert.match(
    message,
    /lint needs TypeScript 7.0, which is not installed: .*; it is tried again after the next edit$/,
  );
  assert.equal(client.messages.length, 4, 'three more tries, and no more');
  await client.connection.sendRequest('shutdown');
  await client.connection.sendNotification('exit');
  assert.equal(await client.ended(), 0);
});

test('invalid messages do not end the server', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  await using client = new Client(folder.path);
  await client.initialize();
  const raw = (text: string): void => {
    client.process.stdin!.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  raw('{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}}');
  raw('{"jsonrpc": "2.0", "method": "no/such/method", "params": null}');
  raw('{"jsonrpc": "2.0", "id": 7, "method": "textDocument/codeAction", "params": {}}');
  const uri = 'untitled:Untitled-1';
  const textDocument = { uri, languageId: 'typescript', version: 1, text: LEAK };
  await client.connection.sendNotification('textDocument/didOpen', { textDocument });
  await client.open(file, '\u0000\uD800 `${ } {{{ /* " class {');
  await client.diagnostics(file);
  await client.replace(file, LEAK);
  assert.deepEqual(codes(await client.diagnostics(file)), ['leak']);
});

const CONFIG = `console.log('not a message of the protocol');
export default { lint: { tags: { make: '@returnsOwned' } } };
`;
const MAKE = `import type { Handle } from './handle.js';
declare function make(): Handle;
export const leak = (): void => make().use();
`;

test('a changed configuration applies at once, whatever it prints', async () => {
  using folder = project();
  const file = folder.write('make.ts', MAKE);
  const config = folder.write('poundlock.config.mjs', 'export default {};');
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, MAKE);
  const before = await client.diagnostics(file);
  folder.write('poundlock.config.mjs', CONFIG.replace('make:', 'nothing:'));
  let count = client.published.length;
  await changed(client, config);
  assert.deepEqual(codes(await client.diagnostics(file, count)), codes(before));
  count = client.published.length;
  folder.write('poundlock.config.mjs', CONFIG.replace("'@returnsOwned'", "'@returnsBorrowed'"));
  await changed(client, config);
  assert.deepEqual(await client.diagnostics(file, count), []);
});

test('a failing configuration is reported, and the next one is used', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  const config = folder.write('poundlock.config.mjs', 'export default { lint: { preset: [] } };');
  await using client = new Client(folder.path);
  await client.initialize();
  await client.open(file, LEAK);
  const message = await client.until('a message', () => client.messages.find((each) => each));
  assert.match(message, /poundlock\.config\.mjs: lint has no option 'preset'/);
  folder.write('poundlock.config.mjs', 'export default {};');
  await changed(client, config);
  assert.deepEqual(codes(await client.diagnostics(file)), ['leak']);
});

test('findings of the baseline are not reported, and settings may change', async () => {
  using folder = project();
  const file = folder.write('leak.ts', LEAK);
  const message = 'the `Handle` of `new Handle()` is not released on every path';
  const findings = { [`leak|leak.ts|${message}`]: 1 };
  folder.write('known.json', JSON.stringify({ schema: 'poundlock/lint-baseline@1', findings }));
  await using client = new Client(folder.path);
  await client.initialize({ initializationOptions: { baseline: 'known.json' } });
  await client.open(file, LEAK);
  assert.deepEqual(await client.diagnostics(file), []);
  const count = client.published.length;
  const settings = { poundlock: { baseline: '' } };
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings });
  assert.deepEqual(codes(await client.diagnostics(file, count)), ['leak']);
});
