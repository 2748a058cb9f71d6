// What `poundlock advise` says of kernels, as copies of their PTX without the instructions: those
// that it calls unnecessary, and those that it calls necessary. A GPU runs them (harness.cu).
//
//   node --conditions=poundlock-source bench/ptx/redundancy/prepare.mjs FOLDER [CASES.json …]
//
// It needs nvcc and ptxas. FOLDER gets the copies as cubins and manifest.txt.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { reviewSynchronization } from '../../../packages/poundlock/src/advise/synchronization/review.ts';
import { findEntry } from '../../../packages/poundlock/src/ptx/kernel.ts';
import { parsePtx } from '../../../packages/poundlock/src/ptx/text/parse.ts';
import { variant } from './variants.mjs';

const HERE = import.meta.dirname;
const [folder, ...more] = process.argv.slice(2);
const ROOT = join(HERE, '..', '..', '..');
const ARCH = 'sm_90a';
const MILD = { odds: 8, bits: 11, isOfLanes: false };
const HARD = { odds: 2, bits: 14, isOfLanes: false };

mkdirSync(join(folder, 'cubin'), { recursive: true });
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
for (const file of [join(HERE, 'cases.json'), ...more])
  for (const [name, one] of Object.entries(JSON.parse(readFileSync(file, 'utf8'))))
    await prepareKernel(name, one);
writeFileSync(join(folder, 'manifest.txt'), `${manifest.join('\n')}\n`);
writeFileSync(join(folder, 'claims.json'), `${JSON.stringify(claims, null, 1)}\n`);
console.log(
  `${manifest.length} copies of ${new Set(claims.map(({ kernel }) => kernel)).size} kernels`,
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

async function prepareKernel(name, one) {
  const isOwn = one.ptx === undefined;
  const file = isOwn ? ptxFile : resolve(ROOT, one.ptx);
  const text = readFileSync(file, 'utf8');
  const { launch, tokens } = isOwn
    ? ownLaunch(name, one)
    : {
        launch: { file: one.launch, text: readFileSync(resolve(ROOT, one.launch), 'utf8') },
        tokens: one.tokens,
      };
  const entry = findEntry(parsePtx(text, 'kernels.ptx'), one.entry ?? name);
  const review = await reviewSynchronization(
    { ptx: { file: 'kernels.ptx', text }, launch, entry: entry.name },
    { now: () => performance.now(), isExplained: true },
  );
  const { instructions } = entry;
  const isOfLanes = name === 'lanes';
  const delays = { other: { ...MILD, isOfLanes }, gone: { ...HARD, isOfLanes } };
  const add = (role, index, edits) => {
    const id = `${name}.${role}${index}`;
    const source = join(folder, 'cubin', `${id}.ptx`);
    const cubin = join(folder, 'cubin', `${id}.cubin`);
    writeFileSync(source, variant(text, entry.name, instructions, edits));
    execFileSync('ptxas', [`-arch=${ARCH}`, source, '-o', cubin]);
    const { block, grid, cluster, shared = 0 } = one;
    manifest.push(
      [id, name, entry.name, role, grid, ...block, cluster, shared, ...tokens].join(' '),
    );
  };
  const places = ({ ptxLine, ptxColumn, partners }) =>
    [{ ptxLine, ptxColumn }, ...partners].map((each) => ({
      line: each.ptxLine,
      column: each.ptxColumn,
    }));
  if (review.unjudged !== null) console.log(`${name}: ${review.unjudged}`);
  const unnecessary = review.instructions.filter(({ verdict }) => verdict === 'unnecessary');
  const weaker = review.instructions.filter(({ verdict }) => verdict === 'weaker');
  const deleted = unnecessary.flatMap(places);
  const weakened = weaker.flatMap((each) =>
    places(each).map((place) => ({ ...place, open: Number(/\d+/.exec(each.change)[0]) })),
  );
  add('original', '', { delays });
  add('plain', '', {});
  if (deleted.length + weakened.length > 0) {
    add('set', '', { deleted, weakened, delays });
    add('plainset', '', { deleted, weakened });
  }
  for (const [index, each] of review.instructions.entries()) {
    const { verdict, opcode, line, ptxLine, partners, rule, why } = each;
    if (verdict === 'unreached') continue;
    claims.push({
      kernel: name,
      index,
      verdict,
      opcode,
      line,
      ptxLine,
      partners: partners.length,
      rule,
      why,
    });
    if (verdict === 'unnecessary' || verdict === 'alternative')
      add('single', index, { deleted: places(each), delays });
    if (verdict === 'necessary' || verdict === 'weaker')
      add('needed', index, { deleted: places(each), delays });
    if (verdict === 'practice') add('practice', index, { deleted: places(each), delays });
  }
}
