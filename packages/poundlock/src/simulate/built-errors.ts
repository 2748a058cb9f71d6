// Errors of predictions of kernels read from PTX: bench/ptx-accuracy.mjs writes this.

/** By model and table, in percent: the median and the 95th percentile over rows of it. */
export const BUILT_ERRORS = {
  h200: {
    two_role: [1.9, 4.82],
    three_role: [1.73, 7.13],
    release_order: [3.18, 14.8],
    styles: [2.78, 9.53],
    tensormap: [2.62, 17.7],
    multicast: [1.78, 7.49],
    store: [7.3, 14.6],
    cp_async: [2.1, 9.15],
    chain: [4.03, 12.57],
    diamond: [5.69, 11.22],
    tensor_core: [1.42, 33.8],
    attention: [3.9, 12.49],
    gemm: [2.9, 6.26],
  },
  h100: {
    two_role: [1.26, 12.08],
    three_role: [1.25, 6.84],
    release_order: [2.84, 11.01],
    styles: [2.77, 9.74],
    tensormap: [3.25, 15.45],
    multicast: [1.97, 9.62],
    store: [4.79, 14.12],
    cp_async: [2.08, 6.88],
    work: [14.12, 28.65],
    chain: [2.11, 11.04],
    diamond: [5.64, 10.89],
    tensor_core: [1.48, 14.95],
    attention: [3.65, 11.3],
    gemm: [2.62, 7.3],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
