// Tensor maps of a launch file: what one copy through each moves.
import type { RawLaunch, RawTensorMap } from '../raw/raw-launch.ts';
import { addressText, type Allocations } from './allocations.ts';
import { placeOf, type spansOf } from './parameters.ts';

/** CUtensorMapDataType: the names of the element types, and their bytes. */
const TYPES: readonly (readonly [name: string, bytes: number])[] = [
  ['u8', 1],
  ['u16', 2],
  ['u32', 4],
  ['s32', 4],
  ['u64', 8],
  ['s64', 8],
  ['f16', 2],
  ['f32', 4],
  ['f64', 8],
  ['bf16', 2],
  ['f32-ftz', 4],
  ['tf32', 4],
  ['tf32-ftz', 4],
  ['u4x16', 0.5],
  ['u4x16p', 1],
  ['u6x16', 0.75],
];
const INTERLEAVES = ['none', '16', '32'];
const SWIZZLES = ['none', '32', '64', '128'];

function mapDocument(map: RawTensorMap, allocations: Allocations): object {
  const [elementType, elementBytes] = TYPES[map.type] ?? [`type ${map.type}`, 0];
  const { box, lower, upper, channels, pixels } = map;
  const address = allocations.renumber(map.address);
  // A copy of im2col moves so many pixels of so many channels.
  const elements =
    map.encoded === 'im2col' ? channels * pixels : box.reduce((size, length) => size * length, 1);
  return {
    encoded: map.encoded,
    elementType,
    elementBytes,
    ...(address !== undefined && { address: addressText(address) }),
    dimensions: map.dimensions,
    strides: map.strides,
    ...(map.encoded === 'tiled' ? { box } : { lower, upper, channels, pixels }),
    boxBytes: elements * elementBytes,
    elementStrides: map.elementStrides,
    interleave: INTERLEAVES[map.interleave] ?? String(map.interleave),
    swizzle: SWIZZLES[map.swizzle] ?? String(map.swizzle),
    fill: map.fill === 0 ? 'zeros' : 'nan',
  };
}

/** The tensor maps in parameters, and those that pointers lead to. */
export function tensorMapDocuments(
  raw: RawLaunch,
  spans: ReturnType<typeof spansOf>,
  allocations: Allocations,
): object[] {
  return raw.tensorMaps.flatMap((map) => {
    const place = placeOf(spans, map.at);
    if (place === undefined) return [];
    const behind = map.isBehindPointer ? { behind: true } : {};
    return [{ ...place, ...behind, ...mapDocument(map, allocations) }];
  });
}
