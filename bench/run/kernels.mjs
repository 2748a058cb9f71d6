// The generator API compared with the plain one: the same work on the same sizes, alternately, with a
// `for` and with a `loop`.
import { Crew, run } from '../../packages/poundlock/dist/run/index.js';
import pipe, { rounds as pipeOfRounds } from './pipe.ts';

const MODULE = new URL('./pipe.ts', import.meta.url);
const CASES = [
  [64, false],
  [4096, true],
  [65536, true],
];

/** Tiles per second of one run of a kernel. */
async function kernelRate(kernel, name, crew, params) {
  const options = { module: MODULE, export: name, crew, maxRecords: 0 };
  return (await run(kernel, params, options)).itemsPerSecond;
}

/** `pass` runs a variant of bench/run.mjs once and answers its rate. */
export async function measureKernels({ median, table, short, rounds, ms, withThreads, figures }) {
  await using crew = new Crew();
  const rows = [];
  for (const [bytes, touches] of CASES) {
    await withThreads(async (plainRate) => {
      const variant = { peer: touches ? 'ring' : 'handle' };
      const faces = [
        (items) => plainRate(variant, bytes, items),
        (tiles) => kernelRate(pipe, 'default', crew, { tiles, bytes, touches }),
        (tiles) => kernelRate(pipeOfRounds, 'rounds', crew, { tiles, bytes, touches }),
      ];
      const sizes = [];
      for (const rate of faces) {
        await rate(20_000);
        sizes.push(Math.max(1000, Math.round(((await rate(20_000)) * ms) / 1000)));
      }
      const found = faces.map(() => []);
      for (let round = 0; round < rounds; round++) {
        for (const [at, rate] of faces.entries()) found[at].push(await rate(sizes[at]));
      }
      const [plain, straight, looped] = found;
      const times = (other) => median(plain.map((one, at) => one / other[at]));
      figures[`plain${bytes}`] = Math.max(times(straight), times(looped));
      figures[`straight${bytes}`] = median(straight);
      figures[`looped${bytes}`] = median(looped);
      const cell = (one) => `${short(median(one))} (${times(one).toFixed(2)}×)`;
      rows.push([
        `${bytes} B${touches ? '' : ', first and last word'}`,
        short(median(plain)),
        cell(straight),
        cell(looped),
      ]);
    });
  }
  return table(['tile', 'plain face', 'kernel, `for`', 'kernel, `loop`'], rows);
}
