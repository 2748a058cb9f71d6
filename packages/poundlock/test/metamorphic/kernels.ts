// The kernels as built of this repository: those of examples, and those with known answers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CASES, readCases } from '../ptx/cases.ts';
import type { KernelFiles } from './transformations.ts';

/** A kernel, its name here, and the number that is proved for every value, if there is one. */
export interface NamedKernel extends KernelFiles {
  readonly name: string;
  readonly every?: string;
}

const EXAMPLES = join(import.meta.dirname, '../../../../examples/ptx');
/** Kernels of examples with their launch files. */
const LAUNCHES: readonly (readonly [ptx: string, launch: string])[] = [
  ['tile-sum.sm90a.ptx', 'launch.json'],
  ['tile-sum-early-release.sm90a.ptx', 'launch.json'],
  ['pipe.sm90a.ptx', 'pipe.launch.json'],
  ['ring.sm90a.ptx', 'pingpong.launch.json'],
  ['ring.sm90a.ptx', 'coop.launch.json'],
  ['ring.sm100a.ptx', 'blackwell.launch.json'],
];

function filesOf(folder: string, ptx: string, launch: string): KernelFiles {
  const text = readFileSync(join(folder, launch), 'utf8');
  return { ptx: readFileSync(join(folder, ptx), 'utf8'), launch: JSON.parse(text) };
}

/** Kernels in which each block has a part of a buffer of its own. */
const OF_ANY_GRID: ReadonlySet<string> = new Set(['glob-apart.ptx']);

/** Kernels with known answers. */
export function caseKernels(): NamedKernel[] {
  return readCases().map(({ file, args }) => {
    const files = filesOf(CASES, file, file.replace(/ptx$/, 'launch.json'));
    const isOfAnyGrid = OF_ANY_GRID.has(file);
    return { name: file, ...files, isOfAnyGrid, ...(args[0] === '--every' && { every: args[1]! }) };
  });
}

/** Kernels of examples. */
export function exampleKernels(): NamedKernel[] {
  const bugs = join(EXAMPLES, 'bugs');
  const folders = readdirSync(bugs, { withFileTypes: true }).filter((each) => each.isDirectory());
  return [
    ...LAUNCHES.map(([ptx, launch]) => ({
      name: launch === 'launch.json' ? ptx : launch,
      ...filesOf(EXAMPLES, ptx, launch),
    })),
    ...folders.flatMap(({ name }) =>
      ['bug', 'fix'].map((kind) => ({
        name: `${name}/${kind}`,
        ...filesOf(join(bugs, name), `${kind}.ptx`, 'launch.json'),
      })),
    ),
  ];
}
