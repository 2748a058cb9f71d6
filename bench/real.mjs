// How well `simulate` predicts recorded launches of real programs, beside times from a GPU.
//
//   node bench/real.mjs --plan RECORDED > plan.txt        what bench/cuda/time-launches.cu reads
//   node bench/real.mjs RECORDED TIMES --part NAME        a table of bench/results/real.md
//
// `--part unseen`, `pipelines`, `one-role` and `attention` are of launches that nothing was fitted to: they write the
// errors that `simulate` prints, too; `--part rank` and `spaces` compare the configurations of each problem. `--rows` prints each launch;
// `--seconds` is how long one is executed at most.
// RECORDED holds what `poundlock record --all` wrote, at any depth.
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/** The launch files below a folder, without those that say the same as one before. */
function launchesIn(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => /(^|\/)launch(-\d+)?\.json$/.test(file))
    .toSorted();
  const seen = new Set();
  return files.flatMap((file) => {
    const launch = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const scalars = launch.parameters.filter(({ size }) => size < 8);
    const { ptx, kernel, grid, block, dynamicSharedMemory } = launch;
    const maps = launch.tensorMaps.map(({ dimensions }) => dimensions);
    const what = [ptx.sha256, kernel, grid, block, dynamicSharedMemory, scalars, maps];
    const key = JSON.stringify(what);
    if (seen.has(key)) return [];
    seen.add(key);
    const name = file.replace(/\.json$/, '');
    return [{ name, file: join(folder, file), ptx: join(dirname(file), ptx.file), launch }];
  });
}

/** Memory that pointers reach, in pieces that do not overlap: [first, last] addresses. */
function buffersOf(pointers) {
  const pieces = [];
  const all = pointers.map(({ address, left }) => [
    BigInt(address),
    BigInt(address) + BigInt(left),
  ]);
  for (const [from, to] of all.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const last = pieces.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to > last[1] ? to : last[1];
    else pieces.push([from, to]);
  }
  return pieces;
}

const TYPES = 'u8 u16 u32 s32 u64 s64 f16 f32 f64 bf16 f32-ftz tf32 tf32-ftz'.split(' ');
const INTERLEAVES = ['none', '16', '32'];
const SWIZZLES = ['none', '32', '64', '128'];

/** The memory behind a tensor map, as that behind a pointer. */
function behindMap({ parameter, offset, address, dimensions, strides, elementBytes }) {
  const left = dimensions.at(-1) * (strides.at(-1) ?? elementBytes);
  return { parameter, offset, address, left };
}

/** What time-launches encodes: numbers of the driver, then four lists. */
function mapText(map, place) {
  const { elementType, interleave, swizzle, fill, dimensions, strides, box } = map;
  const numbers = [
    TYPES.indexOf(elementType),
    INTERLEAVES.indexOf(interleave),
    SWIZZLES.indexOf(swizzle),
    fill === 'zeros' ? 0 : 1,
    dimensions.length,
  ];
  return [place, ...numbers, ...dimensions, ...strides, ...box, ...map.elementStrides].join(':');
}

function planLine({ name, ptx, launch }) {
  const { kernel, grid, block, cluster, dynamicSharedMemory, parameters, pointers = [] } = launch;
  const { tensorMaps } = launch;
  const known = pointers.filter(({ left }) => left > 0);
  const buffers = buffersOf([...known, ...tensorMaps.map(behindMap)]);
  const values = parameters.map(({ size, bytes }) => bytes.padEnd(2 * size, '0'));
  const placeOf = ({ parameter, offset, address }) => {
    const at = BigInt(address);
    const buffer = buffers.findIndex(([from, to]) => from <= at && at < to);
    return [parameter, offset, buffer, at - buffers[buffer][0]].join(':');
  };
  return [
    name,
    ptx,
    kernel,
    ...[grid, block, cluster].map((sizes) => sizes.join(' ')),
    dynamicSharedMemory,
    buffers.map(([from, to]) => to - from).join(' '),
    values.join(' '),
    known.map(placeOf).join(' '),
    tensorMaps.map((map) => mapText(map, placeOf(map))).join(' '),
  ].join('\t');
}

/** By name: microseconds of a launch. */
async function timesIn(file) {
  const times = new Map();
  for await (const line of createInterface(createReadStream(file))) {
    const [name, time] = line.split(',');
    if (Number(time) > 0) times.set(name, Number(time));
  }
  return times;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    plan: { type: 'boolean' },
    model: { type: 'string' },
    part: { type: 'string' },
    rows: { type: 'boolean' },
    every: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const [recorded, times] = positionals;
if (recorded === undefined) throw new Error('usage: node bench/real.mjs RECORDED TIMES');
const launches = launchesIn(recorded);
if (values.plan === true) {
  const isTiled = ({ encoded, behind }) => encoded === 'tiled' && behind !== true;
  for (const each of launches)
    if (each.launch.tensorMaps.every(isTiled)) console.log(planLine(each));
} else {
  const { table } = await import('./real/table.mjs');
  table(launches, await timesIn(times), values);
}
