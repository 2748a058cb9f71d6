// Errors of the models on measured tables: bench/accuracy.mjs and bench/unfitted.mjs write this.

/** By model and table, in percent: the median and the 95th percentile over all rows. */
export const MEASURED_ERRORS = {
  h200: {
    two_role: [0.32, 3.59],
    three_role: [0.4, 2.67],
    release_order: [0.54, 3.73],
    tensor_core: [1.13, 6.34],
    tensor_core_2: [1.3, 6.97],
    tensormap: [1.7, 10.54],
    styles: [1.11, 8.86],
    store: [2.62, 11.45],
    multicast: [2.95, 11.49],
  },
  h100: {
    two_role: [0.28, 4.12],
    three_role: [0.47, 3.26],
    release_order: [0.6, 4.35],
    tensor_core: [1.19, 6.94],
    tensormap: [1.67, 9.56],
    styles: [1.74, 7.13],
    store: [2.5, 12.24],
    multicast: [2.24, 14.38],
    chain: [1.55, 5.31],
    diamond: [1.63, 5.37],
    attention: [3.24, 12.96],
    gemm: [2.9, 10.01],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
