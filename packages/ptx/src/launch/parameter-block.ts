// The parameter block of a kernel: bytes at the offsets of the PTX, and which of them are known.
import type { Parameter, PtxFunction } from '../text/module.ts';
import { BUFFER_WINDOW } from './windows.ts';

/** The most bytes that a parameter block may have. */
export const MAX_PARAMETER_BYTES = 32_764;

/** A parameter block that is being filled. */
export class ParameterBlock {
  readonly bytes: Uint8Array;
  readonly known: Uint8Array;
  readonly parameters: readonly Parameter[];

  constructor(entry: PtxFunction) {
    this.parameters = entry.parameters;
    const size = entry.parameters.reduce(
      (end, parameter) => Math.max(end, parameter.offset + parameter.size),
      0,
    );
    this.bytes = new Uint8Array(size);
    this.known = new Uint8Array(size);
  }

  /** Writes bytes at an offset of the block. */
  write(offset: number, bytes: Uint8Array): void {
    this.bytes.set(bytes.subarray(0, Math.max(0, this.bytes.length - offset)), offset);
    this.known.fill(1, offset, Math.min(this.known.length, offset + bytes.length));
  }

  /** Writes an integer in the width of a parameter. */
  writeInteger(offset: number, size: number, value: bigint): void {
    const bits = BigInt.asUintN(64, value);
    this.write(
      offset,
      Uint8Array.from({ length: size }, (_, byte) =>
        byte < 8 ? Number((bits >> BigInt(8 * byte)) & 0xffn) : 0,
      ),
    );
  }
}

/** The device address of a pointer that a launch does not record: a buffer of its own. */
export function bufferAddress(parameter: number): bigint {
  return (BigInt(BUFFER_WINDOW + parameter + 1) << 32n) | 0n;
}
