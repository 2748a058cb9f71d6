// tier: deep
// The PTX of examples/ptx/bugs is what nvcc makes of the CUDA beside it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { KERNELS } from '../../../../examples/ptx/bugs/about.ts';
import { compile, DIGESTS, digests, ptxFile } from '../../../../examples/ptx/bugs/compile.ts';

const HINT = 'run node examples/ptx/bugs/compile.ts';
/** The compiler whose output is committed. */
const RELEASE = 'release 13.0';

test('no source has changed since it was compiled', () => {
  assert.equal(readFileSync(DIGESTS, 'utf8'), digests(), HINT);
});

test('no PTX has a path of the machine that compiled it', () => {
  for (const name of Object.keys(KERNELS))
    for (const fixed of [false, true])
      assert.doesNotMatch(readFileSync(ptxFile(name, fixed), 'utf8'), /"\/|INTERNAL/);
});

/** Why nvcc is not asked, or `false`. */
function withoutNvcc(): string | false {
  const { stdout } = spawnSync('nvcc', ['--version'], { encoding: 'utf8' });
  return stdout?.includes(RELEASE) ? false : `nvcc ${RELEASE} is not on this machine`;
}

/** One kernel for each architecture, or all where the environment asks for them. */
const all = process.env['POUNDLOCK_NVCC'] === 'all';
const chosen = Object.keys(KERNELS).filter((name, index, names) => {
  const { arch } = KERNELS[name]!;
  return all || names.findIndex((other) => KERNELS[other]!.arch === arch) === index;
});

for (const name of chosen) {
  test(`nvcc makes the PTX of ${name}`, { skip: withoutNvcc() }, async () => {
    for (const fixed of [false, true])
      assert.equal(await compile(name, fixed), readFileSync(ptxFile(name, fixed), 'utf8'), HINT);
  });
}
