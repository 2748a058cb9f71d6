// Options are a closed list: every public function refuses a key that it does not know.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { barrier, fence, kernel, launch, pipeline, role, UNITS, waitGroup } from 'poundlock';
import {
  arrive,
  asyncCopy,
  buffer,
  cell,
  read,
  setMaxRegisters,
  syncNamed,
  write,
} from 'poundlock';
import { check, type CheckOptions } from 'poundlock/check';
import * as cute from 'poundlock/cute';
import { FACES } from '../docs/public-api.ts';
import { CALLS, inRole, WITHOUT_OPTIONS } from './calls.ts';

/** Rejected, or thrown, as an input error. */
async function refused(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    // `certify` gives its errors the stack of the test, and so another class.
    return error instanceof Error ? error.message : String(error);
  }
  return 'not refused';
}

for (const [face, calls] of Object.entries(CALLS)) {
  suite(face, () => {
    for (const [name, call] of Object.entries(calls)) {
      test(`${name} refuses an unknown option`, async () => {
        assert.match(await refused(() => call({ wrongKey: 1 })), /'wrongKey'|no further options/);
      });
    }
  });
}

test('every public function and class with options is called above', async () => {
  const packages = FACES.filter(({ name }) => name.startsWith('poundlock'));
  const missing: string[] = [];
  for (const { name: face, file } of packages) {
    const exported = Object.entries((await import(file)) as Record<string, unknown>);
    for (const [name, value] of exported) {
      if (typeof value !== 'function' || /^class\b/.test(String(value))) continue;
      if (CALLS[face]?.[name] === undefined && !WITHOUT_OPTIONS.has(`${face} ${name}`))
        missing.push(`${face} ${name}`);
    }
  }
  assert.deepEqual(missing, [], 'a call in calls.ts, or a name among WITHOUT_OPTIONS');
});

/** What is said of one call in the role of a kernel. */
const inside = (call: Parameters<typeof inRole>[0]) => refused(() => inRole(call));

const any = (value: unknown): never => value as never;

suite('values are closed lists', () => {
  const CASES: Readonly<Record<string, [Parameters<typeof inRole>[0], RegExp]>> = {
    scope: [({ bar }) => arrive(bar, { scope: any('CTA') }), /'CTA': did you mean 'cta'/],
    sem: [({ bar }) => arrive(bar, { sem: any('relase') }), /did you mean 'release'/],
    by: [({ bar }) => arrive(bar, { by: any('eech') }), /did you mean 'each'/],
    'by a strand': [
      ({ tile }) => read(tile, { by: any({ wrap: 0 }) }),
      /'wrap': did you mean 'warp'/,
    ],
    'by two': [({ tile }) => read(tile, { by: any({ warp: 0, lane: 1 }) }), /alone, not an object/],
    'by each': [({ tile }) => read(tile, { by: any('each') }), /must be all, one/],
    fence: [() => fence(any('proxy.asinc')), /did you mean 'proxy.async'/],
    space: [() => fence('proxy.async', { space: any('gobal') }), /did you mean 'global'/],
    direction: [() => setMaxRegisters(any('dek'), 24), /did you mean 'dec'/],
    group: [() => asyncCopy(UNITS.bulk, { group: any('yes') }), /must be true or false/],
    into: [({ bar }) => asyncCopy(UNITS.bulk, { into: any([bar]) }), /each of it a buffer/],
    bar: [({ tile }) => asyncCopy(UNITS.bulk, { bar: any(tile) }), /must be a barrier/],
    ctaGroup: [
      ({ bar }) => asyncCopy(UNITS.tma, { bar, ctaGroup: any(3) }),
      /a whole number from 1 to 2, not 3/,
    ],
    'no options': [({ bar }) => arrive(bar, any(2)), /must be an object, not 2/],
    unit: [() => waitGroup(any({ name: 'x', order: 'inorder' }), 0), /did you mean 'in-order'/],
    'no unit': [() => waitGroup((UNITS as never)['bluk'], 0), /did you mean 'bulk'/],
  };
  for (const [name, [call, message]] of Object.entries(CASES))
    test(name, async () => assert.match(await inside(call), message));
});

suite('an option without effect is refused', () => {
  const CASES: Readonly<Record<string, Parameters<typeof inRole>[0]>> = {
    cta: ({ bar }) => arrive(bar, { cta: 0, ctas: [0] }),
    lanes: ({ bar }) => arrive(bar, { lanes: 2, everyLane: true }),
    everyLane: ({ bar }) => arrive(bar, { everyLane: true, by: { warp: 0 } }),
    value: ({ tile }) => asyncCopy(UNITS.bulk, { into: [tile], value: 1 }),
    ctaGroup: ({ tile }) => asyncCopy(UNITS.bulk, { into: [tile], ctaGroup: 2 }),
    scope: () => fence('proxy.async', { scope: 'cta' }),
    space: () => fence('release', { space: 'shared' }),
    map: ({ tile }) => fence('wgmma', { map: tile }),
    read: () => waitGroup(UNITS.mma, 0, { read: true }),
  };
  for (const [name, call] of Object.entries(CASES))
    test(name, async () =>
      assert.match(await inside(call), new RegExp(`'${name}' of .* no effect`)),
    );

  test('a CTA of what all CTAs share', async () => {
    const shared = kernel('shared', {}, () => {
      const out = buffer('out', { space: 'global' });
      return [
        role('writes', function* () {
          write(out, { cta: 0 });
        }),
      ];
    });
    assert.match(await refused(() => check(shared)), /'cta' of write\(\) has no effect/);
  });

  test('in declarations', async () => {
    const declaring = (declare: () => unknown) =>
      kernel('declares', {}, () => {
        declare();
        return [role('idle', function* () {})];
      });
    for (const [declare, message] of [
      [() => barrier('b', { space: 'global', at: 0 }), /'at' of barrier\(\) has no effect/],
      [() => launch({ tiled: true, copies: 'bulk' }), /'tiled' of launch\(\) has no effect/],
      [() => (launch({ ctas: 2 }), launch({ ctas: 3 })), /calls launch\(\) once/],
      [() => cell('c', 0, { space: any('share') }), /did you mean 'shared'/],
      [() => pipeline('p', { stages: 1, advance: any('aquire') }), /did you mean 'acquire'/],
      [
        () => cute.cutlass.PipelineAsync.create('a', { stages: 1, clusterShape: [2, 1] }),
        /'clusterShape' of PipelineAsync.create\(\) has no effect/,
      ],
    ] as const)
      assert.match(await refused(() => check(declaring(declare))), message);
  });

  test('of check', async () => {
    const idle = kernel('idle', {}, () => [role('idle', function* () {})]);
    for (const [name, options] of [
      ['maxEvents', { engine: 'search', maxEvents: 1 }],
      ['maxEvents', { example: true, maxEvents: 1 }],
      ['engine', { engine: 'certify', example: true }],
      ['sizes', { sizes: 'around', every: 'n' }],
      ['timeoutMs', { timeoutMs: 1 }],
      ['shrinkTries', { replay: 'x', shrinkTries: 1 }],
    ] as const satisfies readonly (readonly [string, CheckOptions])[]) {
      const message = await refused(() => check(idle, options));
      assert.match(message, new RegExp(`'${name}' of check\\(\\) has no effect`));
    }
  });
});

test('a member that does not exist is named, with the nearest one', async () => {
  assert.match(
    await inside(({ ab }) => (ab as never as { produced: () => void }).produced()),
    /a pipeline has no 'produced': did you mean 'produce'/,
  );
  assert.match(
    await inside(() => (cute.Agent as never as { Thraed: string }).Thraed),
    /Agent has no 'Thraed': did you mean 'Thread'/,
  );
});

test('the place of the mistake is the line of the program', async () => {
  const error: unknown = await inRole(({ bar }) =>
    syncNamed(any(bar), 1, { lane: 1 } as never),
  ).catch((reason: unknown) => reason);
  assert.match((error as { position?: { file: string } }).position!.file, /closed\.test\.ts$/);
});
