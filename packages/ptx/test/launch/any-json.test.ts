// Launch files with anything in them: a verdict, or one line that names the file and the place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { InputError } from '@poundlock/core/internal/base';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const TEXT = kernelText(
  `.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<2>; .shared .align 8 .b64 bar;
   .shared .align 128 .b8 tile[128];`,
  `ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [from]; mov.u32 %r0, %tid.x;
   setp.ne.u32 %p0, %r0, 0; @%p0 bra END; mbarrier.init.shared.b64 [bar], 1;
   mbarrier.arrive.expect_tx.shared.b64 %rd2, [bar], 64;
   cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes
     [tile], [map, {%r1}], [bar];
   WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra WAIT; END: ret;`,
  '.param .u32 n, .param .u64 from, .param .align 64 .b8 map[128]',
);

const PLACE = { grid: [2, 1, 1], cluster: [1, 1, 1], block: [32, 1, 1] };
const WRITTEN = {
  ...PLACE,
  sharedBytes: 64,
  clusterLaunchControl: [1],
  atomicAnswers: [3, 4],
  cooperative: false,
  registers: 40,
  programmaticDependent: true,
  params: [
    { kind: 'scalar', type: 'i32', value: 3, name: 'n', vary: { from: 0, to: 4, step: 1 } },
    { kind: 'pointer', bytes: 64, int32: [1, -1], writtenBy: 'previous kernel' },
    { kind: 'tensormap', element: 'f32', box: [16], boxBytes: 64, mode: 'tiled', swizzle: 'none' },
  ],
};
const RECORDED = {
  format: 'poundlock-launch',
  version: 1,
  kernel: 'kernel',
  ptx: { file: 'kernel.ptx', exact: true },
  ...PLACE,
  dynamicSharedMemory: 64,
  programmatic: true,
  parameters: [
    { bytes: '03000000', name: 'n' },
    { bytes: '0000007f00000000' },
    { bytes: '00'.repeat(128) },
  ],
  pointers: [
    { parameter: 1, offset: 0, address: '0x7f000000', left: 64, writtenBy: 'previous kernel' },
  ],
  tensorMaps: [{ parameter: 2, offset: 0, box: [16], elementBytes: 4 }],
  memory: [{ address: '0x7f000000', bytes: '01000000' }],
};

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(
    null,
    true,
    '',
    'constructor',
    '__proto__',
    'pointer',
    'tensormap',
    'f16',
  ),
  fc.constantFrom<Json[]>(-4, -1, 0, 0.5, 1, 3, 256, 1025, 2 ** 31, 2 ** 53, 1e300, '0x7f', '-1'),
  fc.constantFrom<Json[]>(
    [],
    {},
    [[]],
    [{}],
    [1, 2, 3, 4],
    'ffffffffffffffff',
    '0xfffffffffffffffff',
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

/** All places of a document: containers with a member of theirs. */
function placesOf(value: Json, found: [Json[] | { [name: string]: Json }, string][] = []) {
  if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      found.push([value, name]);
      placesOf(member, found);
    }
  return found;
}

/** A document in which one thing is another, missing, or twice there. */
const mutated = fc
  .record({
    from: fc.constantFrom(WRITTEN, RECORDED, { launches: [WRITTEN, WRITTEN] }),
    changes: fc.array(
      fc.record({ at: fc.nat(), how: fc.constantFrom('set', 'drop', 'twice'), to: odd }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ from, changes }) => {
    const document = structuredClone(from) as Json;
    for (const { at, how, to } of changes) {
      const places = placesOf(document);
      if (places.length === 0) break;
      const [container, name] = places[at % places.length]!;
      if (!Array.isArray(container)) {
        if (how === 'drop') delete container[name];
        else container[name] = to;
      } else if (how === 'set') container[Number(name)] = to;
      else container.splice(Number(name), 1, ...(how === 'twice' ? [to, to] : []));
    }
    return JSON.stringify(document);
  });

async function outcomeOf(text: string): Promise<string> {
  try {
    const kernel = ptxKernel({
      ptx: { file: 'kernel.ptx', text: TEXT },
      launch: { file: 'launch.json', text },
    });
    return (await check(kernel)).verdict;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { position, message } = error;
    return position === undefined ? message : `${position.file}: ${message}`;
  }
}

test('the documents to change are launches', async () => {
  assert.equal(
    await outcomeOf(JSON.stringify({ ...WRITTEN, programmaticDependent: false })),
    'certified',
  );
  assert.equal(await outcomeOf(JSON.stringify({ ...RECORDED, programmatic: false })), 'certified');
});

test('any launch file has a verdict, or a line that says what is wrong with it', async () => {
  await fc.assert(
    fc.asyncProperty(mutated, async (text) => {
      const outcome = await outcomeOf(text);
      if (['certified', 'counterexample', 'inconclusive'].includes(outcome)) return;
      assert.match(outcome, /^(launch\.json|kernel\.ptx)\S* .*/, text);
      assert.doesNotMatch(outcome, /\n/);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 400) },
  );
});

test('what a parameter cannot hold is refused', async () => {
  const with1 = (change: object): string => {
    const params = WRITTEN.params.map((each, index) =>
      index === 1 ? { ...each, ...change } : each,
    );
    return JSON.stringify({ ...WRITTEN, params });
  };
  const cases: readonly [string, RegExp][] = [
    [
      JSON.stringify({ ...WRITTEN, params: WRITTEN.params.slice(0, 2) }),
      /'params' has 2 entries, the kernel has 3/,
    ],
    [with1({ bytes: -4 }), /'params\[1\].bytes' has to be a whole number from 0/],
    [
      with1({ int32: Array.from({ length: 17 }, () => 0) }),
      /'params\[1\].int32' has 68 bytes, and the buffer has 64/,
    ],
    [with1({ kind: 'constructor' }), /'params\[1\].kind' is not one of/],
    [
      with1({ kind: 'tensormap', boxBytes: 64, box: [16], element: 'f32' }),
      /'params\[1\]' is a tensormap, and the parameter has 8 bytes/,
    ],
    [
      JSON.stringify({
        ...WRITTEN,
        params: [{ kind: 'scalar', value: 2 ** 32 }, ...WRITTEN.params.slice(1)],
      }),
      /'params\[0\].value' is 4294967296, and the parameter has 4 bytes/,
    ],
    [
      JSON.stringify({
        ...WRITTEN,
        params: [...WRITTEN.params.slice(0, 2), { ...WRITTEN.params[2], boxBytes: 32 }],
      }),
      /'params\[2\].boxBytes' is 32, and the box has 64 bytes/,
    ],
  ];
  for (const [text, message] of cases) assert.match(await outcomeOf(text), message);
});
