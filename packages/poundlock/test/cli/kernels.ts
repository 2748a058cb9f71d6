// Kernel texts for the tests of the command line.

/** Correct for every number of stages. */
export const RING = `import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel(
  'ring',
  { stages: 2, tiles: 3, tileBytes: 1024, fast: false, label: 'a', twice: (p) => p.stages * 2 },
  ({ stages, tiles, tileBytes }) => {
    const ab = pipeline('ab', { stages, bytes: tileBytes });
    return [
      role('load', function* () {
        for (let tile = 0; tile < tiles; tile++) {
          using slot = yield* ab.produce();
          tma.load(slot);
        }
      }),
      role('mma', function* () {
        for (let tile = 0; tile < tiles; tile++) {
          using full = yield* ab.consume();
          mma.issue(full);
          yield* mma.waitGroup(0);
        }
      }),
    ];
  },
);
`;

/** Deadlocks with one stage: a tile is kept while the next is waited for. */
export const KEEPER = `import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('keeper', { stages: 1, tiles: 2 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 1024, advance: 'acquire' });
  return [
    role('load', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
    }),
    role('mma', function* () {
      let previous = null;
      for (let tile = 0; tile < tiles; tile++) {
        const full = yield* ab.acquireConsumer();
        previous?.release();
        previous = full;
      }
      previous?.release();
    }),
  ];
});
`;
