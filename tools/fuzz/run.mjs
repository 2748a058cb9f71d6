// `npm run fuzz`: compares `check` with independent searches on random programs, until a bound.
//
//   npm run fuzz -- [--seconds 60] [--count N] [--seed N] [--kind users,polls] [--corpus FOLDER]
//
// A disagreement is made as small as it gets, shown at once, and written to the corpus folder as a
// kernel that every command of poundlock takes. Equal seeds draw equal programs. Exit code 1 if
// there was a disagreement.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ASSUMPTION_NAMES as accept } from '@poundlock/core/internal/finding';
import { sourceText as sourceOf } from '@poundlock/core/internal/host';
import { chunkSize, KIND_NAMES, memoryOf, runChunk } from '@poundlock/fuzz';
import { check } from 'poundlock/check';

/** A checker that is this wrong needs no more. */
const MAX_DISAGREEMENTS = 20;

/** Seeds are those that fast-check takes as they are. */
const SEEDS = 2 ** 31;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * SEEDS)) },
    kind: { type: 'string', default: KIND_NAMES.join() },
    corpus: { type: 'string', default: 'fuzz-corpus' },
  },
});
const kinds = options.kind.split(',');
const unknown = kinds.find((name) => !KIND_NAMES.includes(name));
if (unknown !== undefined) {
  console.error(`--kind takes ${KIND_NAMES.join(', ')}, not "${unknown}"`);
  process.exit(2);
}

/** The clock of time-outs: what other processes do takes no time. */
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * `check`, which reads in the text of what runs the programs which tries are polls. That text proves
 * nothing more, and what rests on an assumption has to be true all the same.
 */
function checked(kernel, options) {
  return check({ ...kernel, sourceOf }, { now, accept, ...options });
}

/** Writes a disagreement as a kernel file, and says how it is checked. */
function keep({ kind, seed, at, fault, program }) {
  mkdirSync(options.corpus, { recursive: true });
  const file = join(options.corpus, `${kind}-${seed}-${at}.mjs`);
  const every = kind === 'every' ? ' --every n --accept single-values' : '';
  const command = `poundlock check ${file} --memory ${memoryOf(kind)} --accept loop-state${every}`;
  const lines = [
    ...fault.split('\n').map((line) => `// ${line}`),
    `//   ${command}`,
    "import { kernelOf } from '@poundlock/fuzz';",
    '',
    `export default kernelOf(${JSON.stringify({ kind, program }, null, 2)});`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  console.log(`disagreement ${kind}: ${fault}\n  ${command}`);
}

const most = Number(options.count ?? Infinity);
// Without a bound it runs for a minute.
const seconds = Number(options.seconds ?? (options.count === undefined ? 60 : Infinity));
const size = chunkSize(kinds);
const until = performance.now() + seconds * 1000;
let [tried, decided, disagreements] = [0, 0, 0];
for (let chunk = 0; tried < most && disagreements < MAX_DISAGREEMENTS; chunk++) {
  if (performance.now() >= until) break;
  const to = Math.min(size, most - tried);
  const part = { kinds, seed: (Number(options.seed) + chunk) % SEEDS, from: 0, to };
  const result = await runChunk(checked, part);
  for (const found of result.disagreements) keep(found);
  tried += result.tried;
  decided += result.decided;
  disagreements += result.disagreements.length;
}
console.log(
  `${tried} programs, ${decided} of them decided, from seed ${options.seed}: ` +
    `${disagreements} disagreement${disagreements === 1 ? '' : 's'}`,
);
process.exitCode = disagreements > 0 ? 1 : 0;
