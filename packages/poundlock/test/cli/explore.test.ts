// The server of `explore`: it answers its own page, and no other.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { serveExplorer, type Served } from '#src/cli/explore/server';
import { exploreSession } from '#src/cli/explore/session';
import { loadKernel } from '#src/cli/load-kernel';
import { fakeHost, folder, poundlock } from './fake-host.ts';
import { KEEPER } from './kernels.ts';

async function served(t: TestContext): Promise<Served> {
  const cwd = folder(t, { 'keeper.ts': KEEPER, 'secret.txt': 'secret', 'page/index.html': '<p>' });
  const { host } = fakeHost(cwd);
  const kernel = await loadKernel('keeper.ts', host);
  const session = exploreSession(host, { file: 'keeper.ts', kernel });
  const server = await serveExplorer(session, { folder: join(cwd, 'page'), cwd });
  t.after(() => server.close());
  return server;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly error?: string; readonly [name: string]: unknown };
}

async function ask({ url }: Served, path: string, body: object | string): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}api/${path}`, { method: 'POST', headers, body: text });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** The status of a request with any headers. */
function statusOf(
  { url }: Served,
  headers: Record<string, string>,
  target: { readonly path?: string } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const json = { 'content-type': 'application/json', ...headers };
    const all = { method: 'POST', headers: json, ...target };
    const sent = request(`${url}api/kernel`, all, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}

test('the page, the kernel, a state and a verdict', async (t) => {
  const server = await served(t);
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const page = await fetch(server.url);
  assert.equal(await page.text(), '<p>');
  assert.match(page.headers.get('content-security-policy')!, /default-src 'self'/);
  const { body: known } = await ask(server, 'kernel', {});
  assert.equal(known['kernel'], 'keeper');
  const { body: state } = await ask(server, 'state', { token: '' });
  assert.ok((state['moves'] as object[]).length > 0);
  const { body: verdict } = await ask(server, 'verdict', {});
  assert.equal((verdict['claim'] as { verdict: string }).verdict, 'counterexample');
});

test('only sources that a state names can be read', async (t) => {
  const server = await served(t);
  const own = await ask(server, 'source', { file: 'keeper.ts' });
  assert.equal(own.body['text'], KEEPER);
  for (const file of ['secret.txt', '../secret.txt', '/etc/passwd', '']) {
    const { status, body } = await ask(server, 'source', { file });
    assert.equal(status, 400);
    assert.match(body.error!, /no source of this kernel/);
  }
});

test('mistakes are sentences', async (t) => {
  const server = await served(t);
  const blocked = await ask(server, 'state', { token: 'zz' });
  assert.equal(blocked.status, 400);
  const unknown = await ask(server, 'state', { params: { nothing: 1 } });
  assert.match(unknown.body.error!, /nothing/);
  const broken = await ask(server, 'state', '{');
  assert.match(broken.body.error!, /no JSON/);
});

test('a request for what is no address is refused, and the next one is answered', async (t) => {
  const server = await served(t);
  for (const path of ['//[', 'http://[', '//:99999'])
    assert.equal(await statusOf(server, {}, { path }), 400, path);
  assert.equal(await statusOf(server, {}), 200);
});

test('pages of other sites are refused', async (t) => {
  const server = await served(t);
  assert.equal(await statusOf(server, {}), 200);
  assert.equal(await statusOf(server, { host: 'rebound.example:80' }), 403);
  assert.equal(await statusOf(server, { origin: 'http://other.example' }), 403);
  assert.equal(await statusOf(server, { 'content-type': 'text/plain' }), 404);
  assert.equal((await fetch(`${server.url}../secret.txt`)).status, 404);
});

test('the verb prints the address, with the schedule and the parameters, until it is stopped', async (t) => {
  const cwd = folder(t, { 'keeper.ts': KEEPER });
  const page = join(cwd, 'page');
  mkdirSync(page);
  writeFileSync(join(page, 'index.html'), '<p>');
  const changes = {
    env: { POUNDLOCK_EXPLORER: page },
    onInterrupt: (callback: () => void) => {
      setImmediate(callback);
      return () => undefined;
    },
  };
  const { code, stdout } = await poundlock(
    cwd,
    ['explore', 'keeper.ts', '--replay', 'l3'],
    changes,
  );
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^exploring keeper: http:\/\/127\.0\.0\.1:\d+\/#path=l3\nCtrl-C stops it\n$/,
  );
});

test('a file that is no kernel, a parameter that is not there, and a page that is not built', async (t) => {
  const cwd = folder(t, { 'keeper.ts': KEEPER, 'page/index.html': '<p>' });
  const env = { POUNDLOCK_EXPLORER: join(cwd, 'page') };
  for (const words of [['gone.ts'], ['keeper.ts', '--set', 'nothing=1']]) {
    const { code, stderr } = await poundlock(cwd, ['explore', ...words], { env });
    assert.equal(code, 2);
    assert.match(stderr, /gone\.ts|nothing/);
  }
  const other = { env: { POUNDLOCK_EXPLORER: join(cwd, 'nowhere') } };
  const { code, stderr } = await poundlock(cwd, ['explore', 'keeper.ts'], other);
  assert.equal(code, 2);
  assert.match(stderr, /not built/);
});
