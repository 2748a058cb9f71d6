// The fences: what each of them orders, as a small number for engines.

/** The kinds of fences: names as programs write them (F01, S13, I03, V02, T04, G04). */
export const Fence = {
  'proxy.async': 0,
  'mbarrier.init': 1,
  release: 2,
  acquire: 3,
  acq_rel: 4,
  sc: 5,
  'proxy.tensormap.release': 6,
  'proxy.tensormap.acquire': 7,
  'tcgen05.before': 8,
  'tcgen05.after': 9,
  wgmma: 10,
} as const;

/** The number of a fence. */
export type Fence = (typeof Fence)[keyof typeof Fence];

/** What a fence orders the accesses of: everything, shared or global memory. */
export const FenceSpace = { all: 0, shared: 1, global: 2 } as const;
export type FenceSpace = (typeof FenceSpace)[keyof typeof FenceSpace];
