// Demonstration: a correct kernel is certified, a broken one gets a counterexample.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'packages', 'poundlock', 'bin', 'poundlock.js');

const kernels = [
  { file: 'examples/gemm.ts', verdict: 'certified', exitCode: 0 },
  { file: 'examples/broken/one-stage.ts', verdict: 'a counterexample', exitCode: 1 },
];

for (const { file, verdict, exitCode } of kernels) {
  console.log(`$ poundlock check ${file}`);
  const { status } = spawnSync(process.execPath, [bin, 'check', file], {
    cwd: root,
    stdio: 'inherit',
  });
  console.log();
  if (status === exitCode) continue;
  console.error(`demo: expected ${verdict} for ${file} (exit ${exitCode}), got exit ${status}`);
  process.exitCode = 1;
}
