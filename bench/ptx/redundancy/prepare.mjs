// What `poundlock advise` says of kernels, as copies of their PTX without the instructions: those
// that it calls unnecessary, and those that it calls necessary. A GPU runs them (harness.cu).
//
//   node --conditions=poundlock-source bench/ptx/redundancy/prepare.mjs FOLDER [CASES.json …]
//
// It needs nvcc and ptxas. FOLDER gets the copies as cubins and manifest.txt. A case has PTX and a
// launch file; `run` is the launch that the GPU runs. Without cases: those of cases.json. Each copy
// that is claimed to be right goes through `check` first, which has to certify it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { reviewSynchronization } from '../../../packages/poundlock/src/advise/synchronization/review.ts';
import { findEntry } from '@poundlock/ptx/internal/kernel/entry';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';
import {
  placesOf,
  verdictOf,
  withOpenGroups,
  withoutPlaces,
} from '../../../packages/poundlock/test/advise/synchronization/deletion.ts';
import { launchWords } from './launch-tokens.mjs';
import { variant } from './variants.mjs';

const HERE = import.meta.dirname;
const [folder, ...more] = process.argv.slice(2);
const ROOT = join(HERE, '..', '..', '..');
const ARCH = 'sm_90a';
const MILD = { odds: 8, bits: 11, isOfLanes: false };
const HARD = { odds: 2, bits: 14, isOfLanes: false };

/** The copy that shows whether a verdict is right. */
const ROLES = {
  unnecessary: 'single',
  alternative: 'single',
  necessary: 'needed',
  weaker: 'needed',
  practice: 'practice',
};

for (const each of ['cubin', 'reviews']) mkdirSync(join(folder, each), { recursive: true });
const ptxFile = join(folder, 'kernels.ptx');
execFileSync('nvcc', [
  `-arch=${ARCH}`,
  '-lineinfo',
  '-ptx',
  join(HERE, 'kernels.cu'),
  '-o',
  ptxFile,
]);
const manifest = [];
const claims = [];
const rechecked = { certified: 0, not: 0 };
for (const file of more.length > 0 ? more : [join(HERE, 'cases.json')])
  for (const [name, one] of Object.entries(JSON.parse(readFileSync(file, 'utf8'))))
    await prepared(name, one);
writeFileSync(join(folder, 'manifest.txt'), `${manifest.join('\n')}\n`);
writeFileSync(join(folder, 'claims.json'), `${JSON.stringify(claims, null, 1)}\n`);
console.log(
  `${manifest.length} copies of ${new Set(manifest.map((line) => line.split(' ')[1])).size} kernels, ` +
    `${rechecked.certified} certified without what is unnecessary, ${rechecked.not} not`,
);

/** The launch of a kernel of kernels.cu, and its parameters for the harness. */
function ownLaunch(name, { block, grid, cluster, third, outInts }) {
  const pointer = { kind: 'pointer', bytes: 1 << 18 };
  const scalar = { kind: 'scalar', type: 'i32', name: 'n', value: third };
  const params = [pointer, pointer, third === 'scratch' ? pointer : scalar];
  const launch = { kernel: name, grid: [grid, 1, 1], block, cluster: [cluster, 1, 1], params };
  const last = third === 'scratch' ? `buf:zero:${1 << 18}` : `i32:${third}`;
  const tokens = [`buf:int:${1 << 18}`, `buf:zero:${outInts * grid * 4}`, last];
  return { launch: { file: 'launch.json', text: JSON.stringify(launch) }, tokens };
}

/** A kernel that cannot be prepared leaves nothing behind but a line. */
async function prepared(name, one) {
  const before = manifest.length;
  try {
    await prepareKernel(name, one);
  } catch (error) {
    manifest.length = before;
    console.log(`${name}: left out: ${error.message.split('\n').slice(0, 2).join(' ')}`);
  }
}

/** The launch of a kernel, and how the harness makes it. */
function launchOf(name, { run = 0, ...one }) {
  if (one.ptx === undefined) return ownLaunch(name, one);
  const launch = { file: one.launch, text: readFileSync(resolve(ROOT, one.launch), 'utf8') };
  if (one.tokens !== undefined) return { ...one, launch };
  const { launches, ...only } = JSON.parse(launch.text);
  const words = launchWords(launches?.[run] ?? only);
  if (words === null) throw new Error('the harness cannot make its parameters');
  return { ...words, launch };
}

/** The groups that a weaker wait leaves open. */
function openOf({ change }) {
  return Number(/\d+/.exec(change)[0]);
}

async function prepareKernel(name, one) {
  const file = one.ptx === undefined ? ptxFile : resolve(ROOT, one.ptx);
  const text = readFileSync(file, 'utf8');
  const { launch, tokens, ...how } = { ...one, ...launchOf(name, one) };
  const entry = findEntry(parsePtx(text, 'kernels.ptx'), one.entry ?? name);
  const options = { ptx: { file: 'kernels.ptx', text }, launch, entry: entry.name };
  const review = await reviewOf(name, options);
  const isOfLanes = name === 'lanes';
  const delays = { other: { ...MILD, isOfLanes }, gone: { ...HARD, isOfLanes } };
  const add = (role, index, edits) => {
    const id = `${name}.${role}${index}`;
    compile(id, variant(text, entry.name, entry.instructions, edits));
    const { block, grid, cluster, shared = 0 } = how;
    const [blocks, clusters] = [grid, cluster].map((size) => [size].flat().join('x'));
    manifest.push(
      [id, name, entry.name, role, blocks, ...block, clusters, shared, ...tokens].join(' '),
    );
  };
  const recheck = async (role, without) => {
    const verdict = await verdictOf(options, without);
    rechecked[verdict === 'certified' ? 'certified' : 'not']++;
    if (verdict !== 'certified') console.log(`${name}.${role}: ${verdict} by check`);
  };
  const unnecessary = review.instructions.filter(({ verdict }) => verdict === 'unnecessary');
  const weaker = review.instructions.filter(({ verdict }) => verdict === 'weaker');
  const deleted = unnecessary.flatMap(placesWithPartners);
  const weakened = weaker.flatMap((each) =>
    placesWithPartners(each).map((place) => ({ ...place, open: openOf(each) })),
  );
  add('original', '', { delays });
  add('plain', '', {});
  if (deleted.length + weakened.length > 0) {
    let without = withoutPlaces(text, unnecessary.flatMap(placesOf));
    for (const each of weaker) without = withOpenGroups(without, placesOf(each), openOf(each));
    await recheck('set', without);
    add('set', '', { deleted, weakened, delays });
    add('plainset', '', { deleted, weakened });
  }
  for (const [index, each] of review.instructions.entries()) {
    const { verdict } = each;
    if (verdict === 'unreached') continue;
    claims.push(claimOf(name, index, each));
    const role = ROLES[verdict];
    if (role === 'single') await recheck(`single${index}`, withoutPlaces(text, placesOf(each)));
    if (role !== undefined) add(role, index, { deleted: placesWithPartners(each), delays });
  }
}

async function reviewOf(name, options) {
  const start = performance.now();
  const review = await reviewSynchronization(options, {
    now: () => performance.now(),
    isExplained: true,
  });
  const seconds = (performance.now() - start) / 1000;
  console.log(`${name}: ${seconds.toFixed(1)} s, ${review.instructions.length} lines`);
  writeFileSync(join(folder, 'reviews', `${name}.json`), JSON.stringify(review, null, 1));
  if (review.unjudged !== null) console.log(`${name}: ${review.unjudged}`);
  return review;
}

function compile(id, text) {
  const source = join(folder, 'cubin', `${id}.ptx`);
  const cubin = join(folder, 'cubin', `${id}.cubin`);
  writeFileSync(source, text);
  execFileSync('ptxas', [`-arch=${ARCH}`, source, '-o', cubin]);
  rmSync(source);
}

function claimOf(kernel, index, { verdict, opcode, line, ptxLine, partners, rule, why }) {
  const { length } = partners;
  return { kernel, index, verdict, opcode, line, ptxLine, partners: length, rule, why };
}

function placesWithPartners({ ptxLine, ptxColumn, partners }) {
  return [{ ptxLine, ptxColumn }, ...partners].map((each) => ({
    line: each.ptxLine,
    column: each.ptxColumn,
  }));
}
