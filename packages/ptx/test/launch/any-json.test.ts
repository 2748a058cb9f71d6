// Launch files with anything in them: a verdict, or one line that names the file and the place.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Validator, type Schema } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { InputError } from '@poundlock/core/internal/base';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { changed } from '../changed-json.ts';
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

const SCHEMA = new URL('../../../../docs/schema/launch.json', import.meta.url);

const PLACE = { grid: [2, 1, 1], cluster: [1, 1, 1], block: [32, 1, 1] };
const WRITTEN = {
  ...PLACE,
  dynamicSharedMemory: 64,
  clusterLaunchControl: [1],
  atomicAnswers: [3, 4],
  cooperative: false,
  registers: 40,
  programmaticDependent: true,
  params: [
    { kind: 'scalar', type: 'i32', value: 3, name: 'n', vary: { from: 0, to: 4, step: 1 } },
    { kind: 'pointer', bytes: 64, int32: [1, -1], writtenBy: 'previous kernel' },
    { kind: 'tensormap', element: 'f32', box: [16], boxBytes: 64 },
  ],
};
const RECORDED = {
  format: 'poundlock-launch',
  version: 1,
  kernel: 'kernel',
  ptx: { file: 'kernel.ptx' },
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

const documents = [WRITTEN, RECORDED, { launches: [WRITTEN] }];
const mutated = changed(fc.constantFrom(...documents)).map((document) => JSON.stringify(document));

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
      with1({ kind: 'tensormap', bytes: undefined, int32: undefined }),
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

test('a member that is not known is refused, with the one that is meant', async () => {
  const { block, ...others } = WRITTEN;
  const [scalar, ...params] = WRITTEN.params;
  const cases: readonly (readonly [object, RegExp])[] = [
    [
      { ...others, blok: block },
      /^launch\.json: the document takes no 'blok': did you mean 'block'\?$/,
    ],
    [
      { ...WRITTEN, params: [{ ...scalar, values: 3 }, ...params] },
      /^launch\.json: 'params\[0\]' takes no 'values': did you mean 'value'\?$/,
    ],
    [
      { launches: [WRITTEN], block: [1] },
      /^launch\.json: the document takes no 'block': it takes \$schema, format, /,
    ],
    [
      { ...WRITTEN, memory: [] },
      /^launch\.json: the document takes no 'memory': it takes \$schema, /,
    ],
  ];
  for (const [document, message] of cases)
    assert.match(await outcomeOf(JSON.stringify(document)), message);
});

/** What only the PTX decides, or several members together: the schema cannot say it. */
const BEYOND_SCHEMA = new RegExp(
  [
    "'(params|parameters)' has \\d+ entries, the kernel has",
    'is not a multiple of the cluster',
    'has more than 1,024 threads',
    'bytes of static shared memory',
    "'cluster' has \\d+ blocks: more than 8",
    "'(grid|block)' has [\\d,]+ (blocks|threads) in [yz]",
    'in the field before',
    'is a struct, and',
    'has more than 16 blocks',
    'and the (parameter|buffer|box) has',
    'has more than the \\d+ bytes of the parameter',
    'the kernel has \\d+ parameters',
    'does not say how many bytes',
    'before it begins',
    'no kernel named',
    'which cannot be a name',
    "bytes' has to be a whole number from 1", // with writtenBy
    "left' has to be a whole number from 1",
  ].join('|'),
);

test('the reader takes a launch if and only if the schema does', async () => {
  const validator = new Validator(
    JSON.parse(readFileSync(SCHEMA, 'utf8')) as Schema,
    '2020-12',
    false,
  );
  const file = { file: 'kernel.ptx', text: TEXT };
  await fc.assert(
    fc.property(mutated, (text) => {
      const { valid, errors } = validator.validate(JSON.parse(text));
      try {
        ptxKernel({ ptx: file, launch: { file: 'launch.json', text } });
        assert.ok(valid, `only the reader takes ${text}: ${JSON.stringify(errors.at(-1))}`);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        if (!BEYOND_SCHEMA.test(error.message))
          assert.ok(!valid, `only the schema takes ${text}: ${error.message}`);
      }
    }),
    { seed: 20_261_128, numRuns: Number(process.env['RUNS'] ?? 1000) },
  );
});
