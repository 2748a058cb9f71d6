// Names of addresses in shared memory: which variables of the PTX lie where.
import type { KernelText, SharedArray } from './kernel-text.ts';

/** An address that an instruction on an mbarrier used. */
export interface ObservedAddress {
  readonly address: number;
  /** The variables that the PTX lets it lie in; `null`: any that holds mbarriers. */
  readonly symbols: ReadonlySet<string> | null;
}

const SYSTEM_BYTES = 1024;
const BARRIER_BYTES = 8;
const DYNAMIC_ALIGN = 16;
/** The most variables whose orders are tried. */
const MAX_ORDERED = 7;
/** Variables that hold all of a kernel's shared memory: an offset in them is no index. */
const WHOLE = /^(smem|global_smem|dynamic|.*dynamic_smem.*)$/i;

/** Where variables lie. */
export interface SharedPlacement {
  readonly placed: readonly { readonly array: SharedArray; readonly at: number }[];
}

/** The name of an address: `full[1]`, `smem+64`; `undefined` where no variable is there. */
export function nameOfAddress({ placed }: SharedPlacement, address: number): string | undefined {
  const found = placed.findLast(({ array, at }) => {
    return address >= at && (array.isDynamic || address < at + Math.max(1, array.size));
  });
  if (found === undefined) return undefined;
  const offset = address - found.at;
  const { name, size, isOfWords } = found.array;
  // The names of the model: see `barrierName` of its lowering.
  if (isOfWords && size === BARRIER_BYTES) return name;
  const isIndex = (isOfWords || !WHOLE.test(name)) && offset % BARRIER_BYTES === 0;
  return isIndex ? `${name}[${offset / BARRIER_BYTES}]` : `${name}+${offset}`;
}

/** The variables one behind the other, in an order. */
function place(order: readonly SharedArray[]): SharedPlacement {
  let end = SYSTEM_BYTES;
  const fixed = order.filter(({ isDynamic }) => !isDynamic);
  const placed = fixed.map((array) => {
    const at = aligned(end, array.align);
    end = at + array.size;
    return { array, at };
  });
  const dynamic = order.filter(({ isDynamic }) => isDynamic);
  for (const array of dynamic)
    placed.push({ array, at: aligned(end, Math.max(DYNAMIC_ALIGN, array.align)) });
  return { placed };
}

/** The variables in the order of the PTX, which ptxas need not keep. */
export function placeInOrder({ arrays }: KernelText): SharedPlacement {
  return place(arrays.toSorted((a, b) => a.offset - b.offset));
}

function aligned(offset: number, align: number): number {
  return Math.ceil(offset / align) * align;
}

function* orders(arrays: readonly SharedArray[]): Generator<readonly SharedArray[]> {
  if (arrays.length <= 1) return void (yield arrays);
  for (const [index, first] of arrays.entries())
    for (const rest of orders(arrays.toSpliced(index, 1))) yield [first, ...rest];
}

/** Whether every address that was used lies in a variable that the PTX lets it lie in. */
function agrees(placement: SharedPlacement, observed: readonly ObservedAddress[]): boolean {
  return observed.every(({ address, symbols }) => {
    const found = placement.placed.find(({ array, at }) => {
      const isWithin = array.isDynamic || address < at + array.size;
      return address >= at && isWithin && (address - at) % BARRIER_BYTES === 0;
    });
    if (found === undefined) return false;
    return symbols === null ? found.array.hasBarriers : symbols.has(found.array.symbol);
  });
}

/**
 * Where the variables of a kernel lie, by the addresses that were used; `null` where none fits, or
 * several do that name an address differently.
 *
 * @param fits Whether what shared memory holds agrees with a placement.
 */
export function placeVariables(
  text: KernelText,
  observed: readonly ObservedAddress[],
  fits: (placement: SharedPlacement) => boolean = () => true,
): SharedPlacement | null {
  const isFit = (placement: SharedPlacement): boolean =>
    agrees(placement, observed) && fits(placement);
  const inOrder = text.arrays.toSorted((a, b) => a.offset - b.offset);
  const isSure = observed.every(({ symbols }) => symbols?.size === 1);
  const first = place(inOrder);
  // An order that each address confirms is the one of the text.
  if ((isSure || inOrder.length === 1) && isFit(first)) return first;
  if (inOrder.length > MAX_ORDERED) return isFit(first) && isSure ? first : null;
  const candidates: SharedPlacement[] = [];
  for (const order of orders(inOrder)) {
    const candidate = place(order);
    if (isFit(candidate)) candidates.push(candidate);
  }
  const [best] = candidates;
  if (best === undefined) return null;
  const isSame = observed.every(({ address }) => {
    const name = nameOfAddress(best, address);
    return candidates.every((each) => nameOfAddress(each, address) === name);
  });
  return isSame ? best : null;
}
