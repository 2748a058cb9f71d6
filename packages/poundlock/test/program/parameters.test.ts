// Parameters: resolved once, with the type of their defaults; unknown names in one message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '@poundlock/core/internal/base';
import { check } from '#src/check/index';
import { planRuns } from '#src/cli/plan';
import { Program, requireParameter, resolveParameters } from '@poundlock/core/internal/program';
import { barrier, kernel, role, type Kernel } from 'poundlock';

/** A kernel whose parameters count how often they are resolved. */
function counting(): { target: Kernel; resolved: () => number } {
  let times = 0;
  const defaults = {
    stages: 2,
    tiles: ({ stages }: { stages: number }) => {
      times++;
      return stages * 2;
    },
    eager: false,
    layout: 'k',
  };
  const target = kernel('ring', defaults, () => {
    barrier('full');
    return [role('only', function* () {})];
  });
  return { target, resolved: () => times };
}

test('text gets the type of the default, and defaults follow from what is set', () => {
  const { target } = counting();
  const { values, set } = resolveParameters(target, { stages: '1_0', eager: 'yes', layout: '3' });
  assert.deepEqual(values, { stages: 10, tiles: 20, eager: true, layout: '3' });
  assert.deepEqual(set, { stages: 10, eager: true, layout: '3' });
});

test('a change keeps what was set, and lets the other defaults follow', () => {
  const { target } = counting();
  const params = resolveParameters(target, { eager: true });
  assert.deepEqual(params.change({ stages: 3 }).values, {
    stages: 3,
    tiles: 6,
    eager: true,
    layout: 'k',
  });
  const fixed = resolveParameters(target, { tiles: 5 });
  assert.equal(fixed.change({ stages: 3 }).values['tiles'], 5);
  assert.equal(params.change({}), params);
});

test('a replay command needs only what differs from the defaults', () => {
  const { target } = counting();
  const params = resolveParameters(target, { stages: 3, tiles: 6, eager: false });
  assert.deepEqual(params.needed(), { stages: 3 });
});

test('resolved parameters are used as they are, from the command line to the program', async () => {
  const { target, resolved } = counting();
  const [params] = planRuns(target, { sets: new Map([['stages', '4']]), sweeps: [] });
  assert.equal(resolved(), 1);
  assert.equal(resolveParameters(target, params), params);
  assert.equal(new Program(target, params).params, params!.values);
  const { params: checked } = await check(target, { params, sizes: 'requested' });
  assert.deepEqual(checked, { stages: 4, tiles: 8, eager: false, layout: 'k' });
  assert.equal(resolved(), 1);
});

test('parameters of another kernel are resolved anew', () => {
  const [one, other] = [counting().target, counting().target];
  const params = resolveParameters(one, { stages: 3 });
  const again = resolveParameters(other, params);
  assert.notEqual(again, params);
  assert.deepEqual(again.values, params.values);
  const sameDefaults: Kernel = { ...one, build: other.build };
  assert.equal(resolveParameters(sameDefaults, params), params);
});

test('an unknown name is one message, wherever it is refused', async () => {
  const { target } = counting();
  const message =
    'kernel ring has no parameter stags: did you mean stages? (it has stages, tiles, eager, layout)';
  const refused = { name: 'InputError', message };
  const params = { stags: 3 };
  const sweeps = [{ name: 'stags', values: ['1'] }];
  assert.throws(() => requireParameter(target, 'stags'), refused);
  assert.throws(() => resolveParameters(target, params), refused);
  assert.throws(() => resolveParameters(target).change(params), refused);
  assert.throws(() => new Program(target, params), refused);
  assert.throws(() => planRuns(target, { sets: new Map([['stags', '3']]), sweeps: [] }), refused);
  assert.throws(() => planRuns(target, { sets: new Map(), sweeps }), refused);
  await assert.rejects(check(target, { params }), refused);
  await assert.rejects(check(target, { every: 'stags' }), refused);
});

test('a name that is far from all others gets the list', () => {
  const { target } = counting();
  assert.throws(() => resolveParameters(target, { depth: 3 }), {
    message: 'kernel ring has no parameter depth: it has stages, tiles, eager, layout',
  });
  const none = kernel('none', {}, () => [role('only', function* () {})]);
  assert.throws(() => resolveParameters(none, { depth: 3 }), /depth: it has none$/);
});

test('the nearest name differs in few letters, or one is the start of the other', () => {
  const names = ['stages', 'stageBytes', 'tiles'];
  assert.equal(nearest('stags', names), 'stages');
  assert.equal(nearest('TILES', names), 'tiles');
  assert.equal(nearest('clus', ['tiles', 'clusterSize']), 'clusterSize');
  assert.equal(nearest('tilesPerCluster', names), 'tiles');
  assert.equal(nearest('depth', names), undefined);
});
