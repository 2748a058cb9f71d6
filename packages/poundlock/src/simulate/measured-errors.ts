// Errors of the models on measured tables: bench/accuracy.mjs and bench/unfitted.mjs write this.

/** By model and table, in percent: the median and the 95th percentile over all rows. */
export const MEASURED_ERRORS = {
  h200: {
    two_role: [0.31, 3.56],
    three_role: [0.4, 2.67],
    release_order: [0.54, 3.73],
    tensor_core: [1.13, 5.61],
    tensor_core_2: [1.41, 6.71],
    tensormap: [1.65, 10.52],
    styles: [1.09, 8.86],
    store: [2.6, 11.31],
    multicast: [2.91, 11.49],
  },
  h100: {
    two_role: [0.27, 4.08],
    three_role: [0.47, 3.26],
    release_order: [0.6, 4.35],
    tensor_core: [1.23, 6.9],
    tensormap: [1.6, 9.28],
    styles: [1.52, 7.03],
    store: [2.54, 12.24],
    multicast: [2.61, 13.76],
    chain: [1.54, 5.18],
    diamond: [1.6, 5.02],
    attention: [3.22, 12.96],
    gemm: [2.44, 9.75],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
