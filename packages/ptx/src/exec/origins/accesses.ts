// What loads and stores do to origins: how results are computed from the place of the block.
import {
  LOCAL_WINDOW,
  MODULE_WINDOW,
  PARAMETER_WINDOW,
  SHARED_WINDOW,
} from '../../launch/windows.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Origin } from '../../values/origin.ts';
import { LANES } from '../../values/register-file.ts';
import { mix } from '../../values/terms.ts';
import { set } from '../../values/wide.ts';
import type { Wide } from '../../values/wide.ts';
import { truncate } from '../warp/form.ts';
import { extend } from '../warp/access-form.ts';
import type { Form, Space } from '../warp/access-form.ts';
import { firstLane } from '../../values/lane-mask.ts';
import type { ReadAddress } from '../warp/lane.ts';
import { Status } from '../warp/program.ts';
import type { Machine } from '../machine/machine.ts';
import type { Warp } from '../warp/warp.ts';
import { isInWindow } from './block-decisions.ts';
import { snapshotOf } from './fixed.ts';
import { gathered, heldBefore, loaded, ofOthers, originOf, settle } from './expressions.ts';
import { unsettle } from './expressions.ts';

/** The high half of the generic addresses of a space whose own addresses have none. */
export const WINDOW_OF: Readonly<Record<Space, number>> = {
  shared: SHARED_WINDOW,
  local: LOCAL_WINDOW,
  param: PARAMETER_WINDOW,
  global: 0,
  const: MODULE_WINDOW,
  generic: 0,
};

const at: Wide = { low: 0, high: 0 };

/** Where the lanes of an access lie. */
interface Places {
  readonly addresses: readonly number[];
  /** The window of all of them; {@link MIXED} where they have several. */
  readonly window: number;
}

const MIXED = -2;

/** Whether a space is one of single threads: arguments of functions lie in local memory. */
function isOfThreads(space: Space): boolean {
  return space === 'local' || space === 'param';
}

/** An instruction that accesses memory in each lane. */
interface LaneAccess {
  readonly index: number;
  readonly form: Form;
  /** The register of the address, and what is added to it. */
  readonly register: number;
  readonly offset: number;
  readonly read: ReadAddress;
}

/** The origins of the results of an access. */
export class AccessOrigins {
  readonly #access: LaneAccess;

  constructor(access: LaneAccess) {
    this.#access = access;
  }

  /** Where a lane accesses its local memory decides what it finds there later. */
  decide(warp: Warp, mask: number): void {
    const { form, register, index } = this.#access;
    if (form.space === 'local' && warp.registers.depends[register] === 1)
      warp.machine.blocks?.address(warp, register, index, mask);
  }

  /** Executes the access, and says how its results are computed. */
  around(warp: Warp, mask: number, run: () => Status): Status {
    const { form, register: base } = this.#access;
    const { machine } = warp;
    const before = form.results.map((each) => heldBefore(warp, mask, each));
    const { registers } = warp;
    this.decide(warp, mask);
    const address = originOf(registers, base);
    // Where the lanes access, before a result replaces the address.
    const places = this.#places(warp, mask);
    const status = run();
    if (status !== Status.done) {
      for (const [element, register] of form.results.entries())
        unsettle(warp, register, before[element]!);
      return status;
    }
    for (const [element, register] of form.results.entries()) {
      const isAtomic = form.atomic !== '';
      const own = isAtomic ? null : this.#originOf(warp, register, element, address, places);
      const isOpen = (registers.known[register]! & mask) !== mask && this.#findsOthers(machine);
      const origin = own ?? (isOpen ? ofOthers(snapshotOf(registers, register)) : null);
      settle(warp, mask, register, origin, before[element]!);
    }
    return status;
  }

  /** Whether it reads or writes what is computed from something that is followed. */
  isFollowed({ registers, machine, local }: Warp): boolean {
    const { depends, isPicked } = registers;
    const { results, space } = this.#access.form;
    const isStored =
      (isOfThreads(space) || space === 'generic' ? local.hasOrigins : false) ||
      (space === 'shared' || space === 'generic' ? machine.memory.hasOrigins : false);
    const isOfBlock = depends[this.#access.register] === 1 || isPicked === 1 || isStored;
    return isOfBlock || results.some((each) => depends[each] === 1) || this.#findsOthers(machine);
  }

  /** Whether its results are what other threads have written, so that blocks find other values. */
  #findsOthers({ blocks }: Machine): boolean {
    const { form } = this.#access;
    return blocks !== null && form.results.length > 0 && form.kind !== 'plain';
  }

  /** The address of each lane, -1 where it is not known, and whether all lie in one window. */
  #places(warp: Warp, mask: number): Places {
    const { space } = this.#access.form;
    if (space === 'global' || space === 'const') return { addresses: [], window: WINDOW_OF[space] };
    const addresses: number[] = Array.from({ length: LANES }, () => -1);
    let window = -1;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const isKnown = this.#access.read(warp, lane, at);
      const isNear = isInWindow(at.high);
      const own = isOfThreads(space) && isKnown ? at.high : WINDOW_OF[space];
      const here = space === 'generic' ? (isNear ? at.high : 0) : own;
      window = window === -1 || window === here ? here : MIXED;
      if (isKnown) addresses[lane] = at.low;
    }
    return { addresses, window };
  }

  /** How a result is computed from the place of the block; `null`: it is not. */
  #originOf(
    warp: Warp,
    register: number,
    element: number,
    address: Origin,
    { addresses, window }: Places,
  ): Origin | null {
    const { bytes, kind, signBits } = this.#access.form;
    const { machine, local } = warp;
    const offset = this.#access.offset + element * bytes;
    if (window === MIXED) return OPAQUE;
    if (window === SHARED_WINDOW || window === LOCAL_WINDOW) {
      const isLocal = window === LOCAL_WINDOW;
      const stored = addresses.map((from, lane) => {
        const begin = from + element * bytes;
        if (from < 0) return null;
        return isLocal ? local.originAt(begin, lane, bytes) : machine.memory.originAt(begin, bytes);
      });
      return gathered(
        warp,
        register,
        stored,
        (out) => {
          if (bytes < 8) set(out, truncate(out.low, 8 * bytes), 0);
          extend(out, signBits, warp.program.bitsOf(register));
        },
        bytes,
      );
    }
    const isFixed = address.axes === 0 && warp.mode.picked === null;
    if (kind !== 'plain' || isFixed) return null;
    return loaded(address, (isKnown, lane, out) => {
      if (isKnown && bytes <= 8) {
        const sum = out.low + offset;
        const high = (out.high + Math.floor(sum / 2 ** 32)) >>> 0;
        const window = high === 0 ? WINDOW_OF[this.#access.form.space] : high;
        const isFound = machine.global.load(sum >>> 0, window, bytes, out);
        if (isFound) extend(out, signBits, warp.program.bitsOf(register));
        return isFound;
      }
      mix(out, this.#access.index, element + lane * LANES, isKnown ? 1 : 0);
      return false;
    });
  }
}
