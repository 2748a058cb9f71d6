// Errors of the models on measured tables: bench/accuracy.mjs and bench/unfitted.mjs write this.

/** By model and table, in percent: the median and the 95th percentile over all rows. */
export const MEASURED_ERRORS = {
  h200: {
    two_role: [0.32, 3.59],
    three_role: [0.4, 2.67],
    release_order: [0.63, 4.76],
    tensor_core: [0.73, 6.02],
    tensor_core_2: [1.53, 6.72],
    tensormap: [1.7, 10.54],
    styles: [1.15, 8.86],
    store: [5.5, 16.39],
    multicast: [3.82, 35.19],
  },
  h100: {
    two_role: [0.28, 4.12],
    three_role: [0.47, 3.26],
    release_order: [0.87, 6.15],
    tensor_core: [1.55, 8.22],
    tensormap: [1.67, 9.56],
    styles: [1.5, 7.13],
    store: [6.65, 16.37],
    multicast: [5.93, 33.46],
    chain: [4.24, 12.25],
    diamond: [4.92, 12.2],
    attention: [3.64, 22.22],
    gemm: [4.16, 123.19],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;
