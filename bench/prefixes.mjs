// How large a piece of a search is if it is cut by schedule prefix, and how much pieces overlap.
//
//   node bench/prefixes.mjs [--kernels gemm,hand-over-hand] [--depths 4,8,16] [--max-states 60000]
//
// For each depth d: the distinct states after d moves (one piece starts at each), the states that each
// piece reaches, and the sum over all pieces by the states of one search, which is how much work is done
// twice where pieces share nothing. Prints a Markdown table.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Program, resolveParameters, Unfolding } from '@poundlock/core/internal/program';
import { copyState, newState, System } from '@poundlock/core/internal/system';
import { kernelOf } from './kernel-of.mjs';

const { values: options } = parseArgs({
  options: {
    kernels: { type: 'string', default: 'gemm,hand-over-hand' },
    set: { type: 'string', default: 'tiles=4' },
    depths: { type: 'string', default: '2,4,8,16,24' },
    'max-states': { type: 'string', default: '60000' },
    pieces: { type: 'string', default: '24' },
  },
});
/** More moves than any state has. */
const MAX_MOVES = 4096;
const most = Number(options['max-states']);

/** The states one move after a state, each once, as text. */
function successorsOf(system, words) {
  const moves = new Int32Array(MAX_MOVES);
  const count = system.moves(words, moves);
  return Array.from({ length: count }, (_, at) => {
    const next = newState(system.machine);
    copyState(system.machine, words, next);
    system.apply(next, moves[at], system.completions[at]);
    return next;
  });
}

const keyOf = (words) => String(words);

/** Everything that is reachable from some states; `null` beyond the bound. */
function reachable(system, starts) {
  const seen = new Map(starts.map((words) => [keyOf(words), words]));
  const queue = [...starts];
  while (queue.length > 0) {
    for (const next of successorsOf(system, queue.pop())) {
      const key = keyOf(next);
      if (seen.has(key)) continue;
      if (seen.size >= most) return null;
      seen.set(key, next);
      queue.push(next);
    }
  }
  return seen.size;
}

const spread = (values, count) =>
  values.length <= count
    ? values
    : Array.from({ length: count }, (_, at) => values[Math.floor((at * values.length) / count)]);

console.log('| kernel | states | depth | pieces | median piece | largest piece | work done |');
console.log('|---|---:|---:|---:|---:|---:|---:|');
for (const file of options.kernels.split(',')) {
  const kernel = await kernelOf(file);
  const [name, value] = options.set.split('=');
  const params = resolveParameters(kernel, name in kernel.defaults ? { [name]: value } : {});
  const program = Program.together(kernel, params);
  const system = new System(program, (_, machine) => new Unfolding(program, machine));
  const start = newState(system.machine);
  copyState(system.machine, system.initial(), start);
  const all = reachable(system, [start]);
  if (all === null) {
    console.log(`| ${file} | over ${most} | | | | | |`);
    continue;
  }
  let level = new Map([[keyOf(start), start]]);
  let depth = 0;
  for (const wanted of options.depths.split(',').map(Number)) {
    for (; depth < wanted && level.size > 0; depth++) {
      const next = [...level.values()].flatMap((words) => successorsOf(system, words));
      level = new Map(next.map((words) => [keyOf(words), words]));
    }
    if (level.size === 0) break;
    const pieces = spread([...level.values()], Number(options.pieces));
    const sizes = pieces.map((words) => reachable(system, [words])).toSorted((a, b) => a - b);
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    const work = (mean * level.size) / all;
    const median = sizes[sizes.length >> 1];
    const share = (size) => `${((size / all) * 100).toFixed(0)} %`;
    console.log(
      `| ${kernel.name} | ${all} | ${depth} | ${level.size} | ${share(median)} | ${share(sizes.at(-1))} | ${work.toFixed(1)}× |`,
    );
  }
}
process.exitCode = 0;
