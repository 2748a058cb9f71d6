// `npm run fuzz:ptx`: compares `check` of random kernels as built with all of their schedules.
//
//   npm run fuzz:ptx -- [--count 2000] [--seed N] [--group launch,block,…] [--corpus FOLDER]
//
// Prints for each group how many verdicts agree. The smallest kernel that shows a disagreement of a
// group is written to the corpus folder, as PTX. Exit code 1 if there was a disagreement.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { compareGroup, DISAGREEMENTS, GROUPS } from '@poundlock/fuzz/internal/ptx';
import { check } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';

/** Kernels of a chunk have one seed; the next chunk has the next one. */
const CHUNK = 500;

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
    group: { type: 'string', default: GROUPS.join() },
    corpus: { type: 'string', default: 'fuzz-corpus' },
  },
});
const groups = options.group.split(',');
const unknown = groups.find((name) => !GROUPS.includes(name));
if (unknown !== undefined) {
  console.error(`--group takes ${GROUPS.join(', ')}, not "${unknown}"`);
  process.exit(2);
}

function checked(ptx, launch) {
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text: ptx },
    launch: { file: 'launch.json', text: launch },
  });
  return check(kernel, { now: () => performance.now(), timeoutMs: 10_000 });
}

console.log(`seed ${options.seed}`);
for (const group of groups) {
  const counts = {};
  const known = new Set();
  let [inconclusive, right] = [0, 0];
  let left = Math.ceil(Number(options.count) / groups.length);
  for (let seed = Number(options.seed); left > 0; seed++, left -= CHUNK) {
    const part = { seed, runs: Math.min(CHUNK, left), isShrinking: known.size === 0 };
    const result = await compareGroup(checked, group, part);
    for (const [name, count] of Object.entries(result.counts))
      counts[name] = (counts[name] ?? 0) + count;
    inconclusive += result.inconclusive;
    right += result.right;
    for (const [name, text] of result.examples) {
      if (known.has(name)) continue;
      known.add(name);
      mkdirSync(options.corpus, { recursive: true });
      const file = join(options.corpus, `${group}-${name.replace(' ', '-')}-${seed}.ptx`);
      writeFileSync(file, text);
      console.log(`${group}: ${name}: ${file}`);
      process.exitCode = 1;
    }
  }
  const list = ['agreed', ...DISAGREEMENTS, 'inconclusive', 'open'];
  const line = list.map((name) => `${name} ${counts[name] ?? 0}`).join(', ');
  console.log(`${group}: ${line}; ${inconclusive} of ${right} right ones are inconclusive`);
}
