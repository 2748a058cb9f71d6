// Exploring by hand: each listed move is possible, and the state is the one that check replays.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { check } from '#src/check/index';
import { explore, MAX_STEPS, type ExploredState } from '#src/explore/index';
import { ptxKernel } from '@poundlock/ptx';
import type { Kernel } from '../../../core/src/program/index.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

async function kernelOf(path: string): Promise<Kernel> {
  const url = pathToFileURL(join(ROOT, 'examples', path)).href;
  return ((await import(url)) as { default: Kernel }).default;
}

function ptx(name: string): Kernel {
  const read = (file: string): { file: string; text: string } => {
    return { file, text: readFileSync(join(ROOT, 'examples', 'ptx', file), 'utf8') };
  };
  return ptxKernel({ ptx: read(`${name}.sm90a.ptx`), launch: read('launch.json') });
}

/** The token with one of the moves that a state lists. */
function after({ token, moves }: ExploredState, choice: number): string {
  const { letter, option } = moves[choice % moves.length]!;
  return `${token}${letter}1${option === 0 ? '' : `.${option}`}`;
}

test('at the start nothing is done, and each role is at its first operation', async () => {
  const start = await explore(await kernelOf('broken/one-stage.ts'));
  assert.deepEqual([start.token, start.trace, start.path], ['', [], []]);
  assert.deepEqual(
    start.operations.map(({ role, line }) => [role, line]),
    [
      ['load', 14],
      ['mma', 24],
    ],
  );
  assert.deepEqual(
    start.moves.map(({ agent, kind, letter, option }) => [agent, kind, letter, option]),
    [['load', 'role', 'l', 0]],
  );
  assert.deepEqual(
    start.barriers.map(({ name, pending, expected }) => [name, pending, expected]),
    [
      ['ab.full[0]', 1, 1],
      ['ab.empty[0]', 1, 1],
    ],
  );
});

function bug(folder: string): Kernel {
  const read = (file: string): { file: string; text: string } => {
    return { file, text: readFileSync(join(ROOT, 'examples/ptx/bugs', folder, file), 'utf8') };
  };
  return ptxKernel({ ptx: read('bug.ptx'), launch: read('launch.json') });
}

test('a role that initialized a barrier still owes its arrivals', async () => {
  const kernel = bug('010-sync-of-some-warps');
  const { findings } = await check(kernel);
  const { standing } = await explore(kernel, {}, findings[0]!.replayToken);
  const waits = standing.find(({ agent }) => agent === 'warp2')!;
  assert.match(waits.text, /64 arrivals missing, which warp0 and warp1 still owe$/);
});

test('a hang in PTX names who owes what, also behind a wait that the run never passed', async () => {
  const kernel = bug('032-pair-across-groups');
  const { findings } = await check(kernel);
  const { token, standing } = await explore(kernel, {}, findings[0]!.replayToken);
  assert.equal(token, findings[0]!.replayToken);
  const waits = standing.find(({ agent }) => agent === 'cta0.warp0.lane0')!;
  assert.deepEqual([waits.state, waits.owedBy], ['starves', ['cta0.warp1']]);
  assert.match(waits.text, /2 arrivals missing, which cta0\.warp1 still owes$/);
  assert.ok(standing.some(({ text }) => text === 'waits for the cluster'));
});

test('a move of a unit has the line that issued its work', async () => {
  const { moves, slots } = await explore(await kernelOf('broken/one-stage.ts'), {}, 'l3');
  const complete = moves.find(({ kind }) => kind === 'unit');
  assert.deepEqual([complete!.agent, complete!.line], ['tma', 15]);
  assert.deepEqual(slots[0]!.flights, ['copy of load']);
});

test('the schedule of a finding ends in the same finding', async () => {
  for (const name of ['one-stage', 'early-release', 'tmem-freed-early', 'multicast-commit']) {
    const kernel = await kernelOf(`broken/${name}.ts`);
    const { findings } = await check(kernel, { sizes: 'requested' });
    const [first] = findings;
    const state = await explore(kernel, {}, first!.replayToken);
    assert.equal(state.findings[0]!.rule, first!.rule, name);
    assert.equal(state.findings[0]!.message, first!.message);
    assert.deepEqual(state.trace, first!.trace);
    assert.deepEqual(state.standing, first!.standing);
  }
});

test('a kernel as built is explored like a program', async () => {
  const kernel = ptx('tile-sum-early-release');
  const { findings } = await check(kernel, { sizes: 'requested' });
  const state = await explore(kernel, {}, findings[0]!.replayToken);
  assert.equal(state.findings[0]!.rule, 'race');
  assert.ok(state.operations.every(({ file, line }) => file !== undefined && line! > 0));
});

test('parameters change what is explored', async () => {
  const kernel = await kernelOf('broken/one-stage.ts');
  const { barriers } = await explore(kernel, { stages: 3 });
  assert.equal(barriers.length, 6);
  await assert.rejects(explore(kernel, { stage: 3 }), /stages/);
});

test('a move that is not possible, and a schedule that is too long, are refused', async () => {
  const kernel = await kernelOf('broken/one-stage.ts');
  await assert.rejects(explore(kernel, {}, 'm1'), /mma, which is blocked/);
  await assert.rejects(explore(kernel, {}, 'x1'), /the program has only/);
  await assert.rejects(explore(kernel, {}, `l${MAX_STEPS + 1}`), /at most/);
});

/** A step without the ends of its work, which later steps add. */
function withoutEnd({ issues: _issues, ...step }: ExploredState['trace'][number]): object {
  return step;
}

const WALKED = ['broken/early-release.ts', 'work-queue.ts', 'multicast.ts'];
for (const path of WALKED) {
  test(`${path}: each move that is listed can be done`, async () => {
    const kernel = await kernelOf(path);
    const walk = fc.array(fc.nat(30), { minLength: 1, maxLength: 25 });
    const property = fc.asyncProperty(walk, async (choices) => {
      let state = await explore(kernel);
      for (const choice of choices) {
        if (state.moves.length === 0 || state.findings.length > 0) return;
        const before = state;
        state = await explore(kernel, {}, after(before, choice));
        assert.equal(state.path.length, before.path.length + 1);
        const done = state.trace.at(-1)!;
        const chosen = before.moves[choice % before.moves.length]!;
        assert.deepEqual([done.agent, done.kind], [chosen.agent, chosen.kind]);
        assert.deepEqual(state.trace.slice(0, -1).map(withoutEnd), before.trace.map(withoutEnd));
        for (const barrier of done.barriers) {
          assert.deepEqual(
            state.barriers.find(({ name }) => name === barrier.name),
            barrier,
          );
        }
      }
    });
    await fc.assert(property, { numRuns: 12 });
  });
}

test('where nothing is listed, every role has ended or something is wrong', async () => {
  const kernel = await kernelOf('broken/wrong-start-phase.ts');
  const { moves, findings, standing } = await explore(kernel);
  assert.equal(moves.length, 0);
  assert.equal(findings[0]!.rule, 'deadlock');
  assert.ok(standing.every(({ state }) => state === 'starves'));
});
