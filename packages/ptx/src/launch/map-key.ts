// Tensor maps: their size, and the key of an address: `parameter+OFFSET` or a hexadecimal number.
import { PARAMETER_WINDOW } from './windows.ts';

/** Bytes of a tensor map. */
export const MAP_BYTES = 128;

/** The key of an address; `unknown` where it is not known. */
export function mapKey(isKnown: boolean, low: number, high: number): string {
  if (!isKnown) return 'unknown';
  if (high === PARAMETER_WINDOW) return `parameter+${low}`;
  return `0x${high.toString(16)}${low.toString(16).padStart(8, '0')}`;
}
