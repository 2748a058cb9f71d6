// What Triton and Inductor write beside the PTX of a kernel: facts of its launch, as JSON.
import { readFileSync } from 'node:fs';
import { isThere } from '@poundlock/core/internal/host';
import { NOTHING_SUPPLIED } from '@poundlock/ptx/internal/infer/skeleton';
import type { SuppliedParts } from '@poundlock/ptx/internal/infer/skeleton';
import type { Dimensions } from '@poundlock/ptx/internal/launch/launch';

/** The fields of `NAME.json` that are read, of Triton 3.2 to 3.9. */
interface Metadata {
  readonly num_warps?: unknown;
  readonly num_ctas?: unknown;
  readonly cluster_dims?: unknown;
  readonly shared?: unknown;
  readonly launch_cooperative_grid?: unknown;
  readonly launch_pdl?: unknown;
  /** Of Triton from 3.4 on: what each tensor descriptor is encoded with. */
  readonly tensordesc_meta?: unknown;
}

const MAX_TEXT = 1 << 20;

/** The metadata beside a PTX file; `null` where there is none of Triton. */
function metadataOf(path: string): Metadata | null {
  const file = path.replace(/\.ptx$/i, '.json');
  if (file === path || !isThere(file)) return null;
  try {
    const text = readFileSync(file, 'utf8');
    const value: unknown = text.length > MAX_TEXT ? null : JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null;
    return isObject && 'num_warps' in value && 'shared' in value ? value : null;
  } catch {
    return null;
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
}

/** The cluster: of older versions by its dimensions, of newer ones by its number of blocks. */
function clusterOf({ cluster_dims: dims, num_ctas: ctas }: Metadata): Dimensions | null {
  if (Array.isArray(dims) && dims.length === 3 && dims.every((each) => countOf(each) !== null))
    return [Number(dims[0]), Number(dims[1]), Number(dims[2])];
  const count = countOf(ctas);
  return count === null ? null : [count, 1, 1];
}

/** The bytes of the boxes of tensor maps, in the order of the descriptors. */
function boxesOf({ tensordesc_meta: all }: Metadata): (number | null)[] {
  if (!Array.isArray(all)) return [];
  return all.map((each: unknown) => {
    const { block_size: sizes, elem_size: bytes } = Object(each) as Record<string, unknown>;
    const size = countOf(bytes);
    if (size === null || !Array.isArray(sizes)) return null;
    return sizes.reduce((product: number | null, extent: unknown) => {
      const count = countOf(extent);
      return product === null || count === null ? null : product * count;
    }, size);
  });
}

/** The parts of a launch that the metadata beside a PTX file gives; `null` without one. */
export function tritonFacts(path: string): SuppliedParts | null {
  const metadata = metadataOf(path);
  if (metadata === null) return null;
  const cluster = clusterOf(metadata);
  const { shared } = metadata;
  const isShared = typeof shared === 'number' && Number.isInteger(shared) && shared >= 0;
  return {
    ...NOTHING_SUPPLIED,
    isOfCompiler: true,
    ...(cluster === null ? {} : { cluster }),
    ...(isShared ? { sharedBytes: shared } : {}),
    ...(boxesOf(metadata).length === 0 ? {} : { boxesInOrder: boxesOf(metadata) }),
    ...(metadata.launch_cooperative_grid === true ? { isCooperative: true } : {}),
    ...(metadata.launch_pdl === true ? { isProgrammatic: true } : {}),
    ...(countOf(metadata.num_warps) === null ? {} : { warps: countOf(metadata.num_warps)! }),
  };
}
