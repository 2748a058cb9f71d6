// Launches that CUDA refuses: their sizes contradict the text of the kernel, or exceed the GPU.
import { grouped, InputError } from '@poundlock/core/internal/base';
import type { Operand, PtxFunction, PtxModule, Variable } from '../text/module.ts';
import { volume } from './launch.ts';
import type { Dimensions, Launch } from './launch.ts';
import { mostShared } from './shared-limits.ts';

/** Blocks of a cluster, unless the kernel opts in to more. */
const PORTABLE_CLUSTER = 8;
const MAX_Z = 64;
const MAX_GRID_YZ = 65_535;

/** The extents of a directive such as `.reqntid 16, 16`; `null` where the kernel has none. */
export function extentsOf({ directives }: PtxFunction, name: string): Dimensions | null {
  const numbers = directives.get(name);
  if (numbers === undefined) return null;
  return [numbers[0] ?? 1, numbers[1] ?? 1, numbers[2] ?? 1];
}

/** Names of variables in an operand. */
function namesIn(operand: Operand): string[] {
  switch (operand.kind) {
    case 'symbol':
      return [operand.name];
    case 'address':
      return namesIn(operand.base);
    case 'vector':
    case 'list':
      return operand.elements.flatMap(namesIn);
    case 'register':
    case 'immediate':
    case 'special':
    case 'not':
    case 'pair':
    case 'sink':
      return [];
  }
}

/** The variables in shared memory that the text of a kernel names. */
export function sharedVariables(module: PtxModule, entry: PtxFunction): Variable[] {
  const names = new Set(entry.instructions.flatMap(({ operands }) => operands.flatMap(namesIn)));
  const variables = [...module.variables, ...entry.variables];
  return variables.filter(({ space, name }) => space === 'shared' && names.has(name));
}

/** Bytes of shared memory that the text itself declares. */
export function staticShared(module: PtxModule, entry: PtxFunction): number {
  return sharedVariables(module, entry).reduce((end, { size, align }) => {
    return size > 0 ? Math.ceil(end / align) * align + size : end;
  }, 0);
}

/** A shape as the text writes it. */
export function shapeText([x, y, z]: Dimensions): string {
  return z > 1 ? `${x} x ${y} x ${z}` : y > 1 ? `${x} x ${y}` : `${x}`;
}

/**
 * Throws where CUDA refuses a launch.
 *
 * @throws InputError that names the field and what is right.
 */
export function requireLegal(module: PtxModule, entry: PtxFunction, launch: Launch): void {
  const why = whyIllegal(module, entry, launch);
  if (why !== null) throw new InputError(`${launch.file}: ${why}`);
}

function whyIllegal(module: PtxModule, entry: PtxFunction, launch: Launch): string | null {
  return (
    whyBlock(module, entry, launch) ?? whyGrid(entry, launch) ?? whyShared(module, entry, launch)
  );
}

function whyBlock(module: PtxModule, entry: PtxFunction, { block }: Launch): string | null {
  const at = `(${module.file}:${entry.line})`;
  const required = extentsOf(entry, 'reqntid');
  if (required !== null && shapeText(required) !== shapeText(block))
    return (
      `'block' is ${shapeText(block)}, and the kernel has ` +
      `.reqntid ${required.join(', ')} ${at}`
    );
  const most = extentsOf(entry, 'maxntid');
  if (most !== null && volume(block) > volume(most))
    return (
      `'block' is ${shapeText(block)}, and the kernel has .maxntid ${most.join(', ')}: ` +
      `at most ${volume(most)} threads ${at}`
    );
  if (block[2] > MAX_Z) return `'block' has ${block[2]} threads in z: at most ${MAX_Z}`;
  return null;
}

function whyGrid(entry: PtxFunction, launch: Launch): string | null {
  const { grid, cluster } = launch;
  for (const axis of [1, 2] as const)
    if (grid[axis] > MAX_GRID_YZ)
      return `'grid' has ${grouped(grid[axis])} blocks in ${'xyz'[axis]}: at most 65,535`;
  const required = extentsOf(entry, 'reqnctapercluster');
  if (required !== null && shapeText(required) !== shapeText(cluster))
    return (
      `'cluster' is ${shapeText(cluster)}, and the kernel has ` +
      `.reqnctapercluster ${required.join(', ')}`
    );
  if (volume(cluster) > PORTABLE_CLUSTER && launch.isPortable)
    return (
      `'cluster' has ${volume(cluster)} blocks: more than ${PORTABLE_CLUSTER} need ` +
      '"nonPortableCluster": true'
    );
  return null;
}

function whyShared(module: PtxModule, entry: PtxFunction, { sharedBytes }: Launch): string | null {
  const fixed = staticShared(module, entry);
  const most = mostShared(module.target);
  if (sharedBytes === 0 || fixed + sharedBytes <= most) return null;
  return (
    `'dynamicSharedMemory' is ${grouped(sharedBytes)}: with ${grouped(fixed)} bytes of static ` +
    `shared memory it is over the ${grouped(most)} of ${module.target}`
  );
}
