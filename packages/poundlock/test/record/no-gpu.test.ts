// tier: deep
// Recording without a GPU: the stand-in driver for programs of the driver, a hook for Triton.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { poundlock, type Outcome } from '../cli/fake-host.ts';
import { isSkipped, RING } from './stand-in.ts';

const HERE = import.meta.dirname;
const EXAMPLES = join(HERE, '..', '..', '..', '..', 'examples', 'ptx');
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A program that finds the driver by its own lookups, as NVRTC's users do. */
const PROGRAM = `
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int (*Call)();
static void *driver;
static Call find(const char *name) { return (Call)dlsym(driver, name); }
int main(int count, char **words) {
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == NULL || count < 3) return 9;
  FILE *file = fopen(words[1], "rb");
  static char image[1 << 20];
  if (fread(image, 1, sizeof image - 1, file) == 0) return 8;
  int device, major, shared, n = 4;
  void *context, *module, *function;
  unsigned long long a, b;
  unsigned words_of_b[4] = {1, 2, 3, 4};
  if (find("cuInit")(0) || find("cuDeviceGet")(&device, 0)) return 7;
  find("cuDeviceGetAttribute")(&major, 75, device);
  find("cuDeviceGetAttribute")(&shared, 97, device);
  if (find("cuDevicePrimaryCtxRetain")(&context, device) || find("cuCtxSetCurrent")(context)) return 6;
  if (find("cuModuleLoadData")(&module, image)) return 5;
  if (find("cuModuleGetFunction")(&function, module, words[2])) return 4;
  if (find("cuMemAlloc_v2")(&a, (size_t)65536) || find("cuMemAlloc_v2")(&b, (size_t)128)) return 3;
  find("cuMemsetD32_v2")(b, 7u, (size_t)32);
  find("cuMemcpyHtoD_v2")(b, words_of_b, (size_t)8);
  void *parameters[] = {&a, &b, &n};
  if (find("cuLaunchKernel")(function, 1, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL)) return 2;
  find("cuMemcpyDtoH_v2")(words_of_b, b, (size_t)16);
  Call missing;
  find("cuGetProcAddress_v2")("cuMulticastCreate", &missing, 13000, 0ull, NULL);
  printf("%d %d %u %u %d %d\\n", major, shared, words_of_b[1], words_of_b[3], missing(),
         find("cuMemcpyDtoH_v2")(words_of_b, b, (size_t)4096));
  return 0;
}
`;

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'poundlock-no-gpu-'));
  for (const name of ['tile-sum.sm90a.ptx', 'tile-sum-early-release.sm90a.ptx'])
    cpSync(join(EXAMPLES, name), join(folder, name));
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function record(
  options: readonly string[],
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome & { readonly out: string; readonly printed: string }> {
  const cwd = mkdtempSync(join(folder, 'run-'));
  const cache = join(tmpdir(), 'poundlock-test-cache');
  const words = ['record', '--no-gpu', ...options, '--', 'sh', '-c', `"$@" >printed 2>&1`, 'sh'];
  const outcome = await poundlock(cwd, [...words, ...command], {
    env: { PATH: process.env['PATH'], HOME: folder, XDG_CACHE_HOME: cache, ...env },
  });
  const printed = readFileSync(join(cwd, 'printed'), 'utf8');
  return { ...outcome, out: join(cwd, 'recorded'), printed };
}

type Launch = Readonly<Record<string, unknown>>;
function launchesOf(out: string): Launch[] {
  return readdirSync(out).flatMap((name) =>
    readdirSync(join(out, name))
      .filter((file) => file.endsWith('.json'))
      .toSorted()
      .map((file) => JSON.parse(readFileSync(join(out, name, file), 'utf8')) as Launch),
  );
}

describe('a program of the driver', { skip: isSkipped }, () => {
  let program: string;
  before(() => {
    program = join(folder, 'program');
    writeFileSync(`${program}.c`, PROGRAM);
    const { status, stderr } = spawnSync('cc', ['-w', '-o', program, `${program}.c`, '-ldl']);
    assert.equal(status, 0, String(stderr));
  });
  const image = (name: string): string[] => [program, join(folder, name), 'tile_sum'];

  test('finds a chip, memory that copies, and what is lacking is named', async () => {
    const { code, stderr, printed, out } = await record(
      ['--gpu', 'sm_120'],
      image('tile-sum.sm90a.ptx'),
    );
    assert.equal(code, 0, printed + stderr);
    assert.equal(printed, '12 101376 2 7 801 1\n');
    assert.match(stderr, /does not have cuMulticastCreate,/);
    assert.match(stderr, /note: nothing was executed: [^\n]*\n$/);
    const [launch, ...others] = launchesOf(out);
    assert.equal(others.length, 0);
    assert.deepEqual(
      [launch!['grid'], launch!['block']],
      [
        [1, 1, 1],
        [64, 1, 1],
      ],
    );
    const checked = await poundlock(out, ['check', '.']);
    assert.equal(checked.code, 0, checked.stdout);
  });

  test('with --check, the exit code of a wrong kernel', async () => {
    const wrong = await record(['--check'], image('tile-sum-early-release.sm90a.ptx'));
    assert.equal(wrong.code, 1, wrong.stdout + wrong.stderr);
    assert.equal(wrong.printed.split(' ')[0], '9');
  });

  test('without a compiler only Triton is recorded, and a line says so', async () => {
    const { code, stderr } = await record([], ['true'], {
      CC: 'no-such-compiler',
      XDG_CACHE_HOME: folder,
    });
    assert.equal(code, 0);
    assert.match(stderr, /note: only kernels of Triton are recorded: .*no-such-compiler/);
  });
});

test('what cannot be is one line and exit code 2', async () => {
  const line = async (...words: string[]) => {
    const { code, stderr } = await poundlock(folder, ['record', ...words, '--', 'true'], {
      env: {},
    });
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(
    await line('--no-gpu', '--gpu', 'sm_9'),
    /--gpu sm_9: no such GPU: did you mean sm_\d+\?/,
  );
  assert.match(await line('--gpu', 'sm_90'), /--gpu has no effect without --no-gpu/);
});

describe('a program of Triton', { skip: hasPython ? isSkipped : 'needs Python' }, () => {
  const run = (script: string, options: readonly string[] = [], more = {}) =>
    record(options, ['python3', '-c', script], {
      PYTHONPATH: join(HERE, 'python'),
      POUNDLOCK_TEST_PTX: EXAMPLES,
      ...more,
    });

  test('each launch that differs is a file, with names and sizes', async () => {
    const script = `
from kernels import *
for tiles in (4, 4, 8, 9): launch(tile_sum, tiles)
`;
    const { code, out, printed, stderr } = await run(script, ['--launches', '2']);
    assert.equal(code, 0, printed + stderr);
    assert.match(stderr, /2 launches, PTX of Triton for sm_90a/);
    const launches = launchesOf(out);
    assert.equal(launches.length, 2);
    const [launch] = launches;
    assert.deepEqual(
      [launch!['grid'], launch!['block']],
      [
        [1, 1, 1],
        [64, 1, 1],
      ],
    );
    assert.deepEqual(launch!['params'], [
      { kind: 'pointer', name: 'source', bytes: 65536 },
      { kind: 'pointer', name: 'sums', bytes: 128 },
      { kind: 'scalar', name: 'tiles', type: 'i32', value: 4 },
    ]);
    assert.equal((launch!['ptx'] as Launch)['from'], 'Triton');
    const checked = await poundlock(out, ['check', '.']);
    assert.equal(checked.code, 0, checked.stdout);
  });

  test('a grid of a function, clusters, and a warmup that is no launch', async () => {
    const script = `
from kernels import *
tile_sum.warmup(Tensor(4), Tensor(4), 4, BLOCK=64, grid=(1,))
tile_sum[lambda meta: (meta['BLOCK'] // 32, 3)](Tensor(16384), Tensor(32), tiles=4, BLOCK=64, num_ctas=2)
`;
    const launches = launchesOf((await run(script)).out);
    assert.deepEqual(
      launches.map(({ grid, cluster }) => [grid, cluster]),
      [
        [
          [4, 3, 1],
          [2, 1, 1],
        ],
      ],
    );
  });

  test('a descriptor is a map with its box, a shape and strides', async () => {
    writeFileSync(join(folder, 'map.ptx'), RING);
    const script = `
import os, triton
class Base: dtype = type('dtype', (), {'itemsize': 2})
class Descriptor: base = Base(); shape = [512]; strides = [1]; block_shape = [32, 128]
@triton.jit(os.environ['MAP'], signature={'data': 'tensordesc<fp16[32,64]>', 'out': '*i32'},
            tensordesc_meta=[{'block_size': [32, 64], 'elem_size': 2}])
def ring(data, a, out): pass
ring[(2,)](Descriptor(), 3, None)
`;
    const { out, printed } = await run(script, [], { MAP: join(folder, 'map.ptx') });
    assert.equal(printed, '');
    assert.deepEqual(launchesOf(out)[0]!['params'], [
      { kind: 'tensormap', name: 'data', boxBytes: 4096 },
      { kind: 'scalar', name: 'data.shape[0]', type: 'i32', value: 512 },
      { kind: 'scalar', name: 'data.strides[0]', type: 'i32', value: 1 },
      { kind: 'scalar', name: 'a', type: 'i32', value: 3 },
      { kind: 'pointer', name: 'out', bytes: 1 << 20 },
    ]);
  });

  test('the sitecustomize of the user runs, too', async () => {
    const own = mkdtempSync(join(folder, 'own-'));
    writeFileSync(join(own, 'sitecustomize.py'), "print('own')\n");
    const path = [own, join(HERE, 'python')].join(':');
    const { printed } = await run("print('program')", [], { PYTHONPATH: path });
    assert.equal(printed, 'own\nprogram\n');
  });

  test('a launch that cannot be written is a note, and the program goes on', async () => {
    const script = `
from kernels import *
tile_sum[lambda meta: 1 / 0](Tensor(4), Tensor(4), 4, BLOCK=64)
launch(tile_sum)
`;
    const { code, out, stderr } = await run(script);
    assert.equal(code, 0);
    assert.match(stderr, /note: a launch is missing: ZeroDivisionError/);
    assert.equal(launchesOf(out).length, 1);
  });

  test('a loop on results ends', async () => {
    const { code, stderr } = await run('from kernels import *\nwhile True: launch(tile_sum)\n');
    assert.equal(code, 0);
    assert.match(stderr, /note: the program was ended after [\d_]+ launches/);
  });
});
