// The parameters of a launch file written by hand, as words for the harness (harness.cu).

/** Bytes of an element of a tensor map, and what the harness calls it. */
const ELEMENTS = {
  f16: ['f16', 2],
  fp16: ['f16', 2],
  f32: ['f32', 4],
  fp32: ['f32', 4],
  fp8e4nv: ['u8', 1],
};
/** Elements of each dimension, by the number of dimensions: every map has at most 16 MiB. */
const DIMENSIONS = [0, 65_536, 1024, 64, 32];

/** How the harness launches a kernel; `null` if it cannot make a parameter. */
export function launchWords({
  grid,
  block,
  cluster = [1, 1, 1],
  sharedBytes = 0,
  cooperative = false,
  programmaticDependent = false,
  params,
}) {
  const tokens = params.map(wordOf);
  if (tokens.includes(null)) return null;
  if (cooperative) tokens.push('attribute:cooperative');
  if (programmaticDependent) tokens.push('attribute:dependent');
  return { grid, block, cluster, shared: sharedBytes, tokens };
}

function wordOf(param) {
  switch (param.kind) {
    case 'scalar':
      return `${param.type}:${param.value}`;
    case 'pointer': {
      if (param.content !== undefined) return null;
      // The harness compares words of 16 bytes at least.
      const bytes = Math.max(16, Math.ceil(param.bytes / 16) * 16);
      return param.int32 === undefined
        ? `buf:half:${bytes}`
        : `ints:${param.int32.join('x')}:${bytes}`;
    }
    case 'tensormap': {
      const { element, box, swizzle, boxBytes, mode = 'tiled' } = param;
      const [name, elementBytes] = ELEMENTS[element] ?? [];
      if (name === undefined || mode !== 'tiled') return null;
      const size = DIMENSIONS[box.length];
      const total = size ** box.length * elementBytes;
      if (box.reduce((a, b) => a * b) * elementBytes !== boxBytes) return null;
      // Triton and its launcher choose the swizzle by the bytes of a row.
      const row = box[0] * elementBytes;
      const swizzled = swizzle === 'none' ? 0 : Number.parseInt(swizzle ?? String(row), 10);
      const dimensions = box.map(() => size).join('x');
      return `map:${name}:${dimensions}:${box.join('x')}:${swizzled}:half:${total}`;
    }
    default:
      return null;
  }
}
