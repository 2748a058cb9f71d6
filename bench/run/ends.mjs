// CPU time of a tile on both ends together, in one thread that never waits, which is least sensitive
// to other load on the machine.
import { Crew, run } from '../../packages/poundlock/dist/run/index.js';
import { createRing } from '../../packages/ring/dist/ring/src/public.js';
import ends from './ends.ts';

const MODULE = new URL('./ends.ts', import.meta.url);
const TILES = 1_000_000;
const FORMS = [
  'for',
  'loop',
  'loop, new work with every tile',
  'loop, a tile is held for a round',
  'loop, `using`',
];

function plain() {
  const ring = createRing({ stages: 8, bytes: 64, threads: 1 });
  const [producer, consumer] = [ring.producer(), ring.consumer()];
  for (let number = 0; number < TILES; number++) {
    const slot = producer.acquireSync();
    const filled = slot.view(Int32Array);
    filled[0] = filled[15] = number;
    slot.release();
    const tile = consumer.acquireSync();
    const words = tile.view(Int32Array);
    if (words[0] !== number || words[15] !== number) throw new Error(`tile ${number} is lost`);
    tile.release();
  }
}

/** Nanoseconds of CPU for a tile. */
async function nanoseconds(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / TILES;
}

export async function measureEnds({ median, table, rounds }) {
  await using crew = new Crew();
  const options = { module: MODULE, crew, maxRecords: 0 };
  const faces = [
    ['plain ring', plain],
    ...FORMS.map((form) => [`kernel, ${form}`, () => run(ends, { tiles: TILES, form }, options)]),
  ];
  const found = faces.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [at, [, work]] of faces.entries()) {
      const one = await nanoseconds(work);
      if (round >= 0) found[at].push(one);
    }
  }
  return table(
    ['both ends in one thread', 'ns of CPU a tile', 'of the plain ring'],
    faces.map(([name], at) => {
      const times = median(found[at].map((one, round) => one / found[0][round]));
      return [name, median(found[at]).toFixed(0), `${times.toFixed(1)}×`];
    }),
  );
}
