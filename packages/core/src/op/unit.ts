// Asynchronous engines: what runs beside the roles and completes its work later.
import {
  closed,
  currentPosition,
  InputError,
  option,
  optionTable,
  requireOptions,
  type OptionsOf,
} from '../base/index.ts';

/** What a unit is described by. */
const UNIT = optionTable({
  /** Its name in findings and traces. */
  name: option.text,
  /**
   * How the work of one role completes: `in-order` as on the tensor core, or `any-order` as for
   * bulk copies.
   */
  order: option.oneOf('in-order', 'any-order'),
  /**
   * How its work reaches shared memory: as threads do, or through the async proxy; `async` unless
   * specified. Work of a `tensor` unit uses tensor memory alone.
   */
  proxy: option.oneOf('generic', 'async', 'tensor'),
  /** Whether each of its operations closes a group of its own. */
  groups: option.oneOf('each'),
  /** Whether its groups belong to the thread that commits, or to all warps of the role (H4). */
  owner: option.oneOf('thread', 'team'),
});

/** An asynchronous engine of the GPU. Work that a role issues to it completes later. */
export interface Unit extends OptionsOf<typeof UNIT, 'name' | 'order'> {}

/**
 * The asynchronous units: `tma` and `bulk` copy, `clc` fetches work items of the cluster launch
 * control, and `mma` is the tensor core. `wgmma` and `tcgen05` are the tensor core of Hopper and of
 * Blackwell; `tcgen05Ld` and `tcgen05St` load and store tensor memory, and each of their operations
 * is a group. `cpAsync` copies without bulk, through the generic proxy. (The order fixes their
 * letters in replay tokens.)
 */
export const UNITS = closed('UNITS', {
  tma: { name: 'tma', order: 'any-order' },
  mma: { name: 'mma', order: 'in-order' },
  bulk: { name: 'bulk', order: 'any-order' },
  clc: { name: 'clc', order: 'any-order' },
  wgmma: { name: 'wgmma', order: 'in-order', owner: 'team' },
  tcgen05: { name: 'tcgen05', order: 'in-order' },
  tcgen05Ld: { name: 'tcgen05.ld', order: 'any-order', proxy: 'tensor', groups: 'each' },
  tcgen05St: { name: 'tcgen05.st', order: 'any-order', proxy: 'tensor', groups: 'each' },
  cpAsync: { name: 'cp.async', order: 'any-order', proxy: 'generic' },
} as const satisfies Record<string, Unit>);

/** The units that were accepted before. */
const KNOWN = new WeakSet<Unit>(Object.values(UNITS));

/** Throws unless `unit` describes a unit; `call` is what it is passed to. */
export function requireUnit(call: string, unit: Unit): void {
  if (KNOWN.has(unit)) return;
  if (typeof unit !== 'object' || unit === null) {
    throw new InputError(`${call} needs a unit, such as UNITS.tma`, currentPosition());
  }
  requireOptions('a unit', UNIT, unit);
  if (unit.name === undefined || unit.order === undefined) {
    throw new InputError('a unit needs a name and an order', currentPosition());
  }
  KNOWN.add(unit);
}
