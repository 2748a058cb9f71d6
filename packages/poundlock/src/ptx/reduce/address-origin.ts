// Which parameters of a kernel the address of an access to global memory may be derived from.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { destinationsOf } from '../warp/slots.ts';

/** Definitions that are followed before the search gives up. */
const MAX_DEFINITIONS = 4096;
/** Instructions that read memory: what they return may be an address. */
const LOADS = new Set(['ld', 'ldu', 'atom']);
const NARROW = /^[sub](8|16|32)$/;

/** Follows addresses back to the parameters and variables that they come from. */
export class AddressOrigins {
  readonly #definitions: readonly Instruction[][];
  readonly #found = new Map<number, ReadonlySet<string> | null>();

  constructor({ registers, instructions }: PtxFunction) {
    this.#definitions = registers.map(() => []);
    for (const instruction of instructions)
      for (const register of destinationsOf(instruction))
        this.#definitions[register]?.push(instruction);
  }

  /** Names of parameters and variables; `null` if the address may come from memory. */
  of(at: number, operand: Operand): ReadonlySet<string> | null {
    let names = this.#found.get(at);
    if (names === undefined) this.#found.set(at, (names = this.#follow(operand)));
    return names;
  }

  #follow(operand: Operand): ReadonlySet<string> | null {
    const names = new Set<string>();
    const isSeen = new Set<number>();
    const open: number[] = [];
    const visit = (each: Operand): void => {
      if (each.kind === 'symbol') names.add(each.name);
      else if (each.kind === 'register') open.push(each.register);
      else if (each.kind === 'address') visit(each.base);
      else if (each.kind === 'vector' || each.kind === 'list') each.elements.forEach(visit);
    };
    visit(operand);
    for (let register = open.pop(); register !== undefined; register = open.pop()) {
      if (isSeen.has(register)) continue;
      isSeen.add(register);
      if (isSeen.size > MAX_DEFINITIONS) return null;
      for (const definition of this.#definitions[register] ?? []) {
        const { parts, operands } = definition;
        const isParameter = parts[0] === 'ld' && (parts[1] ?? '').startsWith('param');
        if (LOADS.has(parts[0]!) && !isParameter) return null;
        carriedBy(parts, operands).forEach(visit);
      }
    }
    return names.size === 0 ? null : names;
  }
}

/** Operands whose value may be an address that the result is derived from. */
function carriedBy(parts: readonly string[], operands: readonly Operand[]): readonly Operand[] {
  const inputs = operands.slice(1);
  // What was widened from 32 bits is an index.
  if (parts[0] === 'cvt' && NARROW.test(parts.at(-1) ?? '')) return [];
  if (parts.includes('wide')) return inputs.slice(2);
  return inputs;
}
