// Asynchronous engines: what runs beside the roles and completes its work later.

/** An asynchronous engine of the GPU. Work that a role issues to it completes later. */
export interface Unit {
  /** Its name in findings and traces. */
  readonly name: string;
  /**
   * How the work of one role completes: `in-order` as on the tensor core, or `any-order` as for
   * bulk copies.
   */
  readonly order: 'in-order' | 'any-order';
}

/**
 * The asynchronous units: `tma` and `bulk` copy, `clc` fetches work items of the cluster launch
 * control, and `mma` is the tensor core. (The order fixes their letters in replay tokens.)
 */
export const UNITS = {
  tma: { name: 'tma', order: 'any-order' },
  mma: { name: 'mma', order: 'in-order' },
  bulk: { name: 'bulk', order: 'any-order' },
  clc: { name: 'clc', order: 'any-order' },
} as const satisfies Record<string, Unit>;
