// The same ring in C beside ours, every byte written and read, in turns. Needs gcc.
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
      const work = async (one) => Math.max(200, Math.round(((await one(5000)) * ms) / 1000));
      const items = [await work(ours), await work(native)];
      await ours(items[0]);
      const rates = [];
      for (let round = 0; round < rounds; round++) {
        rates.push([await ours(items[0]), native(items[1])]);
      }
      const ratio = median(rates.map(([one, other]) => one / other));
      figures[`native${bytes}`] = ratio;
      const shown = [0, 1].map((at) => short(median(rates.map((pair) => pair[at]))));
      rows.push([size(bytes), ...shown, `${(ratio * 100).toFixed(0)} %`]);
    }
  });
  rmSync(folder, { recursive: true });
  return table(['tile', 'ring', 'the same in C', 'ring / C'], rows);
}
