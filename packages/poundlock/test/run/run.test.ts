// Kernels on real threads: real work, the same findings as `check`, and reported faults.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { check } from '#src/check/index';
import type { Kernel } from '../../../core/src/program/index.ts';
import { Crew, RoleFailed, run } from '#src/run/index';
import lateUse from './kernels/late-use.ts';
import nested from './kernels/nested.ts';
import polls from './kernels/polls.ts';
import sum from './kernels/sum.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'examples');
const crew = new Crew();
after(() => crew[Symbol.asyncDispose]());

const module = new URL('./kernels/sum.ts', import.meta.url);
const SUM = /kernels\/sum\.ts$/;

async function kernelAt(file: string): Promise<Kernel> {
  return ((await import(file)) as { default: Kernel }).default;
}

test('check certifies the kernel whose work is then done for real', async () => {
  const { verdict, findings } = await check(sum, { params: { tiles: 4 } });
  assert.deepEqual(findings, []);
  assert.equal(verdict, 'certified');
});

for (const policy of ['auto', 'spin', 'wait'] as const) {
  test(`the work of every role is done on every tile, with ${policy}`, async () => {
    const result = await run(sum, {}, { module, crew, policy, conform: true });
    assert.deepEqual(result.findings, []);
    assert.equal(result.conforms, true);
    assert.equal(result.items, 50);
    assert.ok(result.itemsPerSecond > 0);
  });
}

test('a crew is asked for one run at a time', async () => {
  const own = new Crew();
  const first = run(sum, {}, { module, crew: own });
  await assert.rejects(run(sum, {}, { module, crew: own }), {
    name: 'InputError',
    message: 'a crew runs one kernel at a time: await the previous run',
  });
  assert.equal((await first).items, 50);
  assert.equal((await run(sum, {}, { module, crew: own })).items, 50);
  await own[Symbol.asyncDispose]();
});

test('the first operations are recorded unless all are asked for', async () => {
  const { conforms, items } = await run(sum, { tiles: 5000 }, { module, crew });
  assert.deepEqual([conforms, items], [true, 5000]);
  const none = await run(sum, {}, { module, crew, maxRecords: 0 });
  assert.deepEqual([none.conforms, none.items], [null, 50]);
});

for (const [stages, policy] of [
  [1, 'auto'],
  [3, 'spin'],
  [8, 'auto'],
  [8, 'wait'],
] as const) {
  test(`what is not recorded is done as well, with ${stages} stages and ${policy}`, async () => {
    const params = { tiles: stages === 1 ? 2000 : 20_000, stages, numbers: 4 };
    const result = await run(sum, params, { module, crew, policy, maxRecords: 0 });
    assert.deepEqual([result.items, result.findings], [params.tiles, []]);
  });
}

for (const name of readdirSync(EXAMPLES).filter((file) => file.endsWith('.ts'))) {
  test(`examples/${name} runs, and its trace is a path of the machine`, async () => {
    const kernel = await kernelAt(join(EXAMPLES, name));
    const { conforms, findings, reason } = await run(kernel, {}, { crew, conform: true });
    assert.deepEqual([conforms, findings, reason], [true, [], undefined]);
  });
}

test('what was recorded is a program that the certificate decides', async () => {
  const gemm = await kernelAt(join(EXAMPLES, 'gemm.ts'));
  const { recorded } = await run(gemm, {}, { crew, conform: true });
  const { verdict, stats } = await check(recorded!, { engine: 'certify' });
  assert.deepEqual([verdict, stats.engine], ['certified', 'certify']);
  // One that races goes well on one thread's time, and its trace is not certified all the same.
  const racing = await kernelAt(join(EXAMPLES, 'broken', 'early-release.ts'));
  const ran = await run(racing, {}, { crew, conform: true });
  assert.deepEqual([ran.conforms, ran.findings], [true, []]);
  assert.equal((await check(ran.recorded!)).findings[0]?.rule, 'race');
  // Who asks what another order would answer otherwise has no such program; a sample is none.
  const queue = await kernelAt(join(EXAMPLES, 'work-queue.ts'));
  assert.equal((await run(queue, {}, { crew, conform: true })).recorded, null);
  assert.equal((await run(sum, { tiles: 5000 }, { module, crew })).recorded, null);
});

test('a hang is the deadlock that check finds, word for word', async () => {
  const kernel = await kernelAt(join(EXAMPLES, 'broken', 'one-stage.ts'));
  const { findings } = await run(kernel, {}, { crew });
  const expected = (await check(kernel)).findings;
  const messagesOf = (all: typeof findings) =>
    all.map(({ rule, message, primary, labels, notes }) => {
      const places = [primary, ...labels].map(({ line, text }) => `${line}: ${text}`).toSorted();
      return { rule, message, places, notes };
    });
  assert.deepEqual(messagesOf(findings), messagesOf(expected));
});

test('a hang that was not recorded names every role’s line', async () => {
  const kernel = await kernelAt(join(EXAMPLES, 'broken', 'one-stage.ts'));
  const { findings } = await run(kernel, {}, { crew, maxRecords: 0 });
  const [finding] = findings;
  assert.equal(finding?.rule, 'deadlock');
  const lines = [finding!.primary, ...finding!.labels].map(({ role, line }) => `${role}:${line}`);
  assert.deepEqual(lines, ['load:14', 'mma:24']);
});

test('a role that polls forever is reported with a schedule, whatever it recorded meanwhile', async () => {
  const file = new URL('./kernels/polls.ts', import.meta.url);
  const { findings } = await run(polls, {}, { module: file, crew, conform: true });
  assert.equal(findings[0]?.rule, 'deadlock');
  assert.notEqual(findings[0]?.replayToken, undefined);
});

test('a misused handle is a finding, not a crash', async () => {
  for (const name of ['double-release', 'use-after-release', 'forgotten-handle', 'escaped-stage']) {
    const kernel = await kernelAt(join(EXAMPLES, 'broken', `${name}.ts`));
    const [expected] = (await check(kernel)).findings;
    for (const conform of [true, false]) {
      const { findings, conforms } = await run(kernel, {}, { crew, conform });
      assert.deepEqual([conforms, findings[0]?.rule], [true, expected!.rule], name);
    }
  }
});

test('with conform a use after the release is found a lap later, too', async () => {
  const file = new URL('./kernels/late-use.ts', import.meta.url);
  const { findings } = await run(lateUse, {}, { module: file, crew, conform: true });
  assert.equal(findings[0]?.rule, 'use-after-release');
});

test('the end of a scope releases what it acquired, and no later acquire of the same call', async () => {
  const file = new URL('./kernels/nested.ts', import.meta.url);
  for (const conform of [false, true]) {
    const { findings, items } = await run(nested, {}, { module: file, crew, conform });
    assert.deepEqual([findings, items], [[], 2]);
  }
});

test('work that throws ends the run: role, held stages, line, cause and items', async () => {
  await assert.rejects(run(sum, { failing: 'throw' }, { module, crew }), (error) => {
    assert.ok(error instanceof RoleFailed);
    assert.equal(error.role, 'square');
    assert.match(error.reason, /a broken tile/);
    assert.match(error.position!.file, SUM);
    assert.equal(error.position!.line, 9);
    assert.deepEqual(
      error.held.map(({ ring }) => ring),
      ['raw', 'squared'],
    );
    // The tile that was half-written is the eighth of `squared`, and was not consumed.
    const [raw, squared] = error.items;
    assert.deepEqual(
      [raw!.ring, raw!.taken, squared!.ring, squared!.begun],
      ['raw', 8, 'squared', 8],
    );
    assert.ok(squared!.taken <= 7);
    return true;
  });
});

test('a thread that exits ends the run, and the crew goes on with another', async () => {
  await assert.rejects(run(sum, { failing: 'exit' }, { module, crew }), (error) => {
    assert.ok(error instanceof RoleFailed);
    assert.deepEqual([error.role, error.reason], ['square', 'its thread ended with code 5']);
    // What it had taken outlives its thread.
    const [raw, squared] = error.items;
    assert.deepEqual([raw!.taken, squared!.begun], [8, 8]);
    return true;
  });
  const { items } = await run(sum, {}, { module, crew });
  assert.equal(items, 50);
});

test('a bound or a signal ends a run that goes on for ever, and says so', async () => {
  const hanging = { failing: 'hang' };
  const bounded = await run(sum, hanging, { module, crew, timeoutMs: 300 });
  assert.match(bounded.reason!, /^the bound timeout of 300 ms was reached while /);
  assert.match(bounded.reason!, /\bsquare was running\b/);
  assert.deepEqual(bounded.findings, []);
  const signal = AbortSignal.timeout(300);
  const stopped = await run(sum, hanging, { module, crew, signal });
  assert.match(stopped.reason!, /^it was interrupted while /);
});

test('what can not be run is reported in one line', async () => {
  await assert.rejects(run(sum, {}, { module: 'file:///nowhere.ts', crew }), /nowhere/);
  await assert.rejects(run(sum, {}, { module, export: 'other', crew }), /is not a kernel/);
  await assert.rejects(run(sum, { stages: 0 }, { module, crew }), /the stages of pipeline raw/);
});
