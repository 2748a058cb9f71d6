// Matrix descriptors of wgmma and tcgen05: the bytes of shared memory that an operand reaches.

/** How a descriptor encodes the swizzle; the encodings of sm_90 and sm_100 differ. */
export type DescriptorKind = 'sm90' | 'sm100';

/** Bytes of a row of the swizzle atom by the layout field of a descriptor. */
const SPANS: Readonly<Record<DescriptorKind, Readonly<Record<number, number>>>> = {
  sm90: { 0: 16, 1: 128, 2: 64, 3: 32 },
  sm100: { 0: 16, 1: 128, 2: 128, 4: 64, 6: 32 },
};

/** Rows of a swizzle atom, and of a core matrix. */
const ATOM_ROWS = 8;
/** Bytes of an element of an operand along whose rows consecutive bytes run. */
const ELEMENT_BYTES = 2;
/** Bytes of a row of a core matrix. */
const CORE_BYTES = 16;

/** An operand in shared memory. */
export interface MatrixShape {
  /** Rows of A, or columns of B. */
  readonly rows: number;
  /** Bytes along K of one instruction. */
  readonly depthBytes: number;
  /** Whether consecutive bytes run along the rows, not along K. */
  readonly isRowMajor: boolean;
}

/**
 * The ranges that a descriptor with two halves reaches: whole rows of swizzle atoms, so a superset.
 * The swizzle exchanges the 16-byte parts of a row by the bits of its address, so an operand may
 * begin with any row of an atom, as tiles do that follow barriers without more than 128 bytes of
 * alignment: what lies before that row is not read.
 */
export function descriptorRanges(
  low: number,
  high: number,
  shape: MatrixShape,
  kind: DescriptorKind,
): number[] {
  const { rows, depthBytes, isRowMajor } = shape;
  const base = (low & 0x3fff) << 4;
  const leading = ((low >>> 16) & 0x3fff) << 4;
  const stride = (high & 0x3fff) << 4;
  const layout = kind === 'sm100' ? high >>> 29 : high >>> 30;
  const span = SPANS[kind][layout] ?? 128;
  const ranges: number[] = [];
  const add = (from: number, bytes: number): void => {
    ranges.push(from, from + bytes);
  };
  if (isRowMajor) {
    // The first row may lie within a row of an atom: then the operand is a part of it.
    const within = span === CORE_BYTES ? 0 : base % span;
    const start = base - within;
    const atoms = Math.ceil((within + rows * ELEMENT_BYTES) / span);
    const depths = Math.max(1, depthBytes / CORE_BYTES);
    for (let atom = 0; atom < atoms; atom++)
      for (let depth = 0; depth < depths; depth++)
        add(start + atom * leading + depth * stride, ATOM_ROWS * span);
    return ranges;
  }
  if (span === CORE_BYTES) {
    for (let group = 0; group < rows / ATOM_ROWS; group++)
      for (let core = 0; core < depthBytes / CORE_BYTES; core++)
        add(base + group * stride + core * leading, ATOM_ROWS * CORE_BYTES);
    return ranges;
  }
  // The offset along K lies within a row of the swizzle atom.
  const start = base - (base % span);
  for (let group = 0; group < rows / ATOM_ROWS; group++)
    add(start + group * stride, ATOM_ROWS * span);
  return ranges;
}
