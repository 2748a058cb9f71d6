// Addresses as the PTX ISA asks for them: multiples of the size of the access, or of a unit.
import { SHARED_WINDOW } from '../../launch/windows.ts';
import type { Warp } from './warp.ts';

const NATURAL = 'an address is a multiple of the size of the access, that of its whole vector';

/**
 * Reports an address with two halves that is no multiple of a power of two. Where its variable
 * promises less, that is assumed of where the variable lies.
 *
 * @param rule What the ISA asks for.
 */
export function checkAlignment(
  warp: Warp,
  low: number,
  high: number,
  needed: number,
  rule = NATURAL,
): void {
  const { machine, instruction } = warp;
  const { placement } = machine;
  if (low % needed === 0 && needed <= placement.leastPromise(high)) return;
  if (warp.ahead.look !== null) return;
  const { index, opcode } = instruction;
  switch (placement.fit(low, high, needed)) {
    case 'aligned':
      return;
    case 'unpromised':
      return machine.assumeLayout(
        index,
        `${placement.variableAt(low, high)!.name} lies at a multiple of ${needed}`,
      );
    case 'never':
      return machine.misuse(
        'misaligned',
        index,
        `${opcode} at an address that is no multiple of ${needed}`,
        rule,
        warp,
      );
  }
}

/** The same of an address in shared memory. */
export function checkShared(warp: Warp, address: number, needed: number, rule?: string): void {
  checkAlignment(warp, address, SHARED_WINDOW, needed, rule);
}
