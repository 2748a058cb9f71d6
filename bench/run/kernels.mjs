// The generator face beside the plain one: the same work on the same sizes, in turns.
import { Crew, run } from '../../packages/poundlock/dist/run/index.js';
import pipe from './pipe.ts';

const MODULE = new URL('./pipe.ts', import.meta.url);
const CASES = [
  [64, false],
  [4096, true],
  [65536, true],
];

/** `pass` runs a variant of bench/run.mjs once and answers its rate. */
export async function measureKernels({ median, table, short, rounds, ms, withThreads, figures }) {
  await using crew = new Crew();
  const rows = [];
  for (const [bytes, touches] of CASES) {
    const kernelRate = async (tiles) => {
      const params = { tiles, bytes, touches };
      const { itemsPerSecond } = await run(pipe, params, { module: MODULE, crew, maxRecords: 0 });
      return itemsPerSecond;
    };
    await withThreads(async (plainRate) => {
      const variant = { peer: touches ? 'ring' : 'handle' };
      const sizeOf = async (rate) => {
        await rate(20_000);
        return Math.max(1000, Math.round(((await rate(20_000)) * ms) / 1000));
      };
      const plain = (items) => plainRate(variant, bytes, items);
      const [plainItems, kernelItems] = [await sizeOf(plain), await sizeOf(kernelRate)];
      const rates = [];
      for (let round = 0; round < rounds; round++) {
        rates.push([await plain(plainItems), await kernelRate(kernelItems)]);
      }
      const ratio = median(rates.map(([one, other]) => one / other));
      figures[`plain${bytes}`] = ratio;
      figures[`generator${bytes}`] = median(rates.map(([, other]) => other));
      rows.push([
        `${bytes} B${touches ? '' : ', first and last word'}`,
        short(median(rates.map(([one]) => one))),
        short(median(rates.map(([, other]) => other))),
        `${ratio.toFixed(2)}×`,
      ]);
    });
  }
  return table(['tile', 'plain face', 'generator text', 'plain / generator'], rows);
}
