// Asynchronous engines, which run beside the roles and complete their work later.

/**
 * An asynchronous engine. `order` is the order of completion: `in-order` like a tensor core, where
 * only the oldest flight of a role can complete next, or `any-order` like bulk copies.
 */
export interface Unit {
  readonly name: string;
  readonly order: 'in-order' | 'any-order';
}

/** The units that the library brings; their order fixes their letters in replay tokens. */
export const UNITS = {
  tma: { name: 'tma', order: 'any-order' },
  mma: { name: 'mma', order: 'in-order' },
  bulk: { name: 'bulk', order: 'any-order' },
  clc: { name: 'clc', order: 'any-order' },
} as const satisfies Record<string, Unit>;
