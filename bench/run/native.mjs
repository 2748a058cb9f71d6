// The same ring in C and in poundlock, every byte written and read, alternately, and postMessage
// with transferred buffers: an upper bound for the gain of shared memory. Needs gcc.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = new URL('./mbarrier.c', import.meta.url).pathname;
const SIZES = [64, 4096, 65_536, 1 << 20];

export async function measureNative({
  median,
  table,
  short,
  size,
  rounds,
  ms,
  withThreads,
  stagesOf,
  figures,
}) {
  const folder = mkdtempSync(join(tmpdir(), 'mbarrier-'));
  const program = join(folder, 'mbarrier');
  const built = spawnSync('gcc', ['-O3', '-pthread', '-o', program, SOURCE], { encoding: 'utf8' });
  if (built.status !== 0) {
    rmSync(folder, { recursive: true });
    return 'There is no gcc here: nothing to compare with.';
  }
  const rows = [];
  await withThreads(async (rate) => {
    for (const bytes of SIZES) {
      const native = (items) => {
        const argv = [bytes, stagesOf(bytes), items].map(String);
        return Number(spawnSync(program, argv, { encoding: 'utf8' }).stdout);
      };
      const ours = (items) => rate({ peer: 'ring' }, bytes, items);
      const transferred = (items) => rate({ peer: 'transfer' }, bytes, items);
      const work = async (one) => Math.max(200, Math.round(((await one(5000)) * ms) / 1000));
      const items = [await work(ours), await work(native), await work(transferred)];
      await ours(items[0]);
      const rates = [];
      for (let round = 0; round < rounds; round++) {
        rates.push([await ours(items[0]), native(items[1]), await transferred(items[2])]);
      }
      const ratio = (at, of) => median(rates.map((round) => round[at] / round[of]));
      figures[`native${bytes}`] = ratio(0, 1);
      rows.push([
        size(bytes),
        ...[0, 1, 2].map((at) => short(median(rates.map((round) => round[at])))),
        `${(ratio(0, 1) * 100).toFixed(0)} %`,
        ...[0, 1].map((at) => `${ratio(at, 2).toFixed(2)}×`),
      ]);
    }
  });
  rmSync(folder, { recursive: true });
  return table(
    ['tile', 'ring', 'the same in C', 'transfer', 'ring / C', 'ring / transfer', 'C / transfer'],
    rows,
  );
}
