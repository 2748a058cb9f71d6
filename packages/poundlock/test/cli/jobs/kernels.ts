// Program texts of the tests of jobs.

/** A ring of `stages`, correct or without a release, which `broken` chooses. */
export const RING = `
import { count, kernel, mma, pipeline, role, tma } from 'poundlock';
import { TILES } from './sizes.ts';
export default kernel('ring', { stages: 2, bytes: 1024, broken: false }, ({ stages, bytes, broken }) => {
  const ab = pipeline('ab', { stages, bytes });
  const items = count(TILES);
  return [
    role('load', function* () {
      while (yield* items.more()) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
    }),
    role('mma', function* () {
      while (yield* items.more()) {
        const tile = yield* ab.consume();
        mma.issue(tile, [], { cycles: 128 });
        yield* mma.waitGroup(0);
        if (!broken) tile[Symbol.dispose]();
      }
    }),
  ];
});
`;

/** What the ring imports. */
export const SIZES = 'export const TILES = 6;\n';

/** Both files by name. */
export const RING_FILES = { 'ring.ts': RING, 'sizes.ts': SIZES };

/** The PTX of two warps that meet, and its launch; `meets` is how often. */
export function meeting(meets: number): { readonly ptx: string; readonly launch: string } {
  const ptx = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry meet() { ${'bar.sync 0; '.repeat(meets)}ret; }
`;
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };
  return { ptx, launch: JSON.stringify(launch) };
}
