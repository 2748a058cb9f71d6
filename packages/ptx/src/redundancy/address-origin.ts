// Which parameters of a kernel the address of an access to global memory may be derived from.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { Definitions } from '../flow/definitions.ts';

/** Instructions that read memory: what they return may be an address. */
const LOADS = new Set(['ld', 'ldu', 'ldmatrix', 'atom', 'tex', 'suld', 'tcgen05']);
const NARROW = /^[sub](8|16|32)$/;

/** Follows addresses back to the parameters and variables that they come from. */
export class AddressOrigins {
  readonly #definitions: Definitions;
  readonly #found = new Map<number, ReadonlySet<string> | null>();

  constructor(code: PtxFunction) {
    this.#definitions = new Definitions(code);
  }

  /** Names of parameters and variables; `null` if the address may come from memory. */
  of(at: number, operand: Operand): ReadonlySet<string> | null {
    let names = this.#found.get(at);
    if (names === undefined) {
      const behind = this.#definitions.behind(operand, at, inputsOf);
      names = behind === null || behind.names.size === 0 ? null : behind.names;
      this.#found.set(at, names);
    }
    return names;
  }
}

/** Operands whose value may be an address that the result is derived from; `null` of a load. */
function inputsOf({ parts, operands }: Instruction): readonly Operand[] | null {
  const isParameter = parts[0] === 'ld' && (parts[1] ?? '').startsWith('param');
  if (LOADS.has(parts[0]!) && !isParameter) return null;
  const inputs = operands.slice(1);
  // What was widened from 32 bits is an index.
  if (parts[0] === 'cvt' && NARROW.test(parts.at(-1) ?? '')) return [];
  if (parts.includes('wide')) return inputs.slice(2);
  return inputs;
}
