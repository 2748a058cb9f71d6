// Errors of predictions of kernels read from PTX: bench/ptx-accuracy.mjs writes this.

/** By model and table, in percent: the median and the 95th percentile over rows of it. */
export const BUILT_ERRORS = {
  h200: {
    two_role: [2.12, 4.82],
    three_role: [1.73, 7.13],
    release_order: [3.18, 14.8],
    styles: [2.79, 9.53],
    tensormap: [3.19, 17.87],
    multicast: [2.49, 7.1],
    store: [7.3, 15.04],
    tensor_core: [1.27, 33.8],
  },
  h100: {
    two_role: [1.92, 12.08],
    three_role: [1.25, 6.84],
    release_order: [2.84, 11.01],
    styles: [2.96, 9.74],
    tensormap: [3.79, 15.63],
    multicast: [2.53, 6.62],
    store: [4.66, 14.12],
    cp_async: [1.54, 7.11],
    work: [14.13, 28.67],
    chain: [2.11, 11.04],
    diamond: [5.77, 9.87],
    tensor_core: [1.61, 14.72],
    attention: [3.65, 11.3],
    gemm: [2.46, 7.3],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
