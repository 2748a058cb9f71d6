// `poundlock dap`, driven by a scripted session of VS Code's client for debug adapters.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, test } from 'node:test';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { ROOT } from '../golden/golden.ts';

const BIN = join(ROOT, 'packages', 'poundlock', 'bin', 'poundlock.js');
const ONE_STAGE = join(ROOT, 'examples', 'broken', 'one-stage.ts');
const EARLY = join(ROOT, 'examples', 'ptx', 'tile-sum-early-release.sm90a.ptx');
const CUDA = join(ROOT, 'examples', 'ptx', 'tile-sum-early-release.cu');
/** Above what any step takes on a loaded machine: nothing is measured. */
const TIMEOUT_MS = 60_000;

type Stopped = DebugProtocol.StoppedEvent['body'];

let client: DebugClient;
beforeEach(async () => {
  // The client starts a file without words: a shell takes the verb, too.
  const options = { cwd: ROOT, env: process.env, shell: true };
  client = new DebugClient(`"${process.execPath}"`, `"${BIN}" dap`, 'poundlock', options);
  client.defaultTimeout = TIMEOUT_MS;
  await client.start();
});
afterEach(() => client.stop());

/** Launches and answers where it stops first. */
async function launch(
  input: object,
  breakpoints: readonly DebugProtocol.SetBreakpointsArguments[] = [],
): Promise<Stopped> {
  const { body } = await client.initializeRequest();
  assert.equal(body?.supportsStepBack, true);
  const initialized = client.waitForEvent('initialized', TIMEOUT_MS);
  await client.launchRequest(input as DebugProtocol.LaunchRequestArguments);
  await initialized;
  for (const one of breakpoints) await client.setBreakpointsRequest(one);
  return stopAfter(() => client.configurationDoneRequest());
}

async function stopAfter(request: () => Promise<unknown>): Promise<Stopped> {
  const stopped = client.waitForEvent('stopped', TIMEOUT_MS);
  await request();
  return (await stopped).body as Stopped;
}

async function threadNamed(name: string): Promise<number> {
  const { body } = await client.threadsRequest();
  return body.threads.find((one) => one.name === name)?.id ?? assert.fail(`no thread ${name}`);
}

async function frameOf(threadId: number): Promise<DebugProtocol.StackFrame> {
  return (await client.stackTraceRequest({ threadId })).body.stackFrames[0]!;
}

/** A group of the variables, as text by name. */
async function group(name: string): Promise<Record<string, string>> {
  const { body } = await client.scopesRequest({ frameId: 1 });
  const scope = body.scopes.find((one) => one.name === name) ?? assert.fail(name);
  const { variablesReference } = scope;
  const { variables } = (await client.variablesRequest({ variablesReference })).body;
  return Object.fromEntries(variables.map((one) => [one.name, one.value]));
}

test('a kernel as built whose source is elsewhere is stepped through in its PTX', async () => {
  const folder = mkdtempSync(join(import.meta.dirname, 'dap-'));
  try {
    const program = join(folder, 'bare.ptx');
    cpSync(EARLY, program);
    const launchText = readFileSync(EARLY.replace(/ptx$/, 'launch.json'), 'utf8');
    writeFileSync(join(folder, 'launch.json'), launchText.replaceAll(basename(EARLY), 'bare.ptx'));
    const text = readFileSync(program, 'utf8').split('\n');
    const line = 1 + text.findIndex((one) => one.includes('cp.async.bulk.shared'));
    const breakpoint = { source: { path: program }, breakpoints: [{ line }] };
    await launch({ program }, [breakpoint]);
    const thread = await threadNamed('warp0');
    await stopAfter(() => client.continueRequest({ threadId: thread }));
    const frame = await frameOf(thread);
    assert.deepEqual([frame.source?.path, frame.line], [program, line]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('forward and back through the schedule of a deadlock, to its finding', async () => {
  const start = await launch({ program: ONE_STAGE });
  assert.deepEqual([start.reason, start.description], ['entry', 'step 0 of 8']);
  const load = await threadNamed('load');
  assert.equal(start.threadId, load);
  const frame = await frameOf(load);
  assert.equal(frame.source?.path, ONE_STAGE);
  assert.match(frame.name, /^wait for the next stage of ab/);
  const before = await group('Barriers');
  assert.match(before['ab.full[0]']!, /^phase 0, 1 of 1 arrivals missing$/);

  const first = await stopAfter(() => client.stepInRequest({ threadId: load }));
  assert.equal(first.description, 'step 1 of 8');
  const second = await stopAfter(() => client.stepInRequest({ threadId: load }));
  assert.equal(second.description, 'step 2 of 8');
  const changed = await group('Barriers');
  assert.notDeepEqual(changed, before);
  await stopAfter(() => client.stepBackRequest({ threadId: load }));
  await stopAfter(() => client.stepBackRequest({ threadId: load }));
  assert.deepEqual(await group('Barriers'), before);

  // Over a role: until it has made its next step.
  const mma = await threadNamed('mma');
  const over = await stopAfter(() => client.nextRequest({ threadId: mma }));
  assert.equal(over.description, 'step 5 of 8');

  const end = await stopAfter(() => client.continueRequest({ threadId: load }));
  assert.deepEqual([end.reason, end.description], ['exception', 'deadlock']);
  assert.match(end.text!, /\bload and mma\b/);
  const { body: info } = await client.exceptionInfoRequest({ threadId: load });
  assert.equal(info.exceptionId, 'deadlock');
  assert.match(info.description!, /^help: \S/m);
  assert.match((await group('Roles and units'))['load']!, /waits for ab\.empty\[0\]/);
  const { body: value } = await client.evaluateRequest({ expression: 'ab.empty[0]' });
  assert.match(value.result, /1 of 1 arrivals missing/);
  const back = await stopAfter(() => client.reverseContinueRequest({ threadId: load }));
  assert.equal(back.description, 'step 0 of 8');
});

test('PTX: warps are threads, breakpoints are lines of the CUDA source', async () => {
  const source = { path: CUDA };
  const start = await launch({ program: EARLY, params: { tiles: 16 } }, [
    { source, breakpoints: [{ line: 29 }] },
  ]);
  assert.equal(start.description, 'step 0 of 19');
  const warp1 = await threadNamed('warp1');
  const there = await stopAfter(() => client.continueRequest({ threadId: warp1 }));
  assert.equal(there.threadId, warp1);
  const frame = await frameOf(warp1);
  assert.deepEqual([frame.source?.path, frame.line], [CUDA, 29]);
  const set = await client.setBreakpointsRequest({ source, breakpoints: [{ line: 1 }] });
  assert.deepEqual(
    set.body.breakpoints.map(({ verified }) => verified),
    [false],
  );
  const end = await stopAfter(() => client.continueRequest({ threadId: warp1 }));
  assert.deepEqual([end.reason, end.description], ['exception', 'race']);
});

test('a move is chosen: the schedule goes on from there', async () => {
  const start = await launch({ program: ONE_STAGE });
  const threadId = start.threadId!;
  for (let step = 0; step < 6; step++) await stopAfter(() => client.stepInRequest({ threadId }));
  const { targets } = (await client.stepInTargetsRequest({ frameId: threadId })).body;
  assert.equal(targets.length, 2);
  const other = targets.find(({ label }) => label.startsWith('(mma): ')) ?? assert.fail();
  // The schedule of the finding makes the other move: this one is not a step of it.
  const chosen = await stopAfter(() => client.stepInRequest({ threadId, targetId: other.id }));
  assert.equal(chosen.description, 'step 7 of 7');
  const back = await stopAfter(() => client.stepBackRequest({ threadId }));
  assert.equal(back.description, 'step 6 of 7');
});

test('a schedule of a token, from its end', async () => {
  const end = await launch({ program: ONE_STAGE, replay: 'l3t1m3a1', startAtFinding: true });
  assert.equal(end.reason, 'exception');
});

test('a certified kernel is stepped freely; what can not be opened is an error', async () => {
  await client.initializeRequest();
  const wrong = [
    { program: '' },
    { program: 'nowhere.ts' },
    { program: ONE_STAGE, params: { stage: 1 } },
  ];
  const expected = [/program names no file/, /no such file/, /did you mean stages\?/];
  for (const [index, input] of wrong.entries()) {
    const sent = client.launchRequest(input as DebugProtocol.LaunchRequestArguments);
    await assert.rejects(sent, expected[index]);
  }
  const start = await launch({ program: ONE_STAGE, params: { stages: 2, tiles: 1 } });
  assert.equal(start.description, 'step 0 of 0');
  const one = await stopAfter(() => client.stepInRequest({ threadId: start.threadId! }));
  assert.equal(one.description, 'step 1 of 1');
});
