// Errors of the models on measured tables: bench/accuracy.mjs and bench/unfitted.mjs write this.

/** By model and table, in percent: the median and the 95th percentile over all rows. */
export const MEASURED_ERRORS = {
  h200: {
    two_role: [0.32, 3.59],
    three_role: [0.72, 3.39],
    release_order: [0.54, 3.73],
    tensor_core: [1.24, 7.18],
    tensor_core_2: [1.39, 6.95],
    tensormap: [1.7, 10.54],
    styles: [1.11, 8.86],
    store: [2.75, 11.14],
    multicast: [2.1, 20.12],
  },
  h100: {
    two_role: [0.28, 4.12],
    three_role: [0.73, 3.42],
    release_order: [0.6, 4.35],
    tensor_core: [1.21, 6.89],
    tensormap: [1.67, 9.56],
    styles: [1.74, 7.13],
    store: [2.54, 12.24],
    multicast: [1.56, 13.24],
    chain: [1.55, 5.31],
    diamond: [1.63, 5.37],
    attention: [3.24, 12.96],
    gemm: [2.9, 10.01],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
