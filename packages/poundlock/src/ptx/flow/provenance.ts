// Which shared variable an address of unknown value lies in: found by following definitions back.
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { destinationsOf } from '../warp/slots.ts';

/** Definitions that are followed before the search gives up. */
const MAX_DEFINITIONS = 4096;

/** Finds the variables that an address operand may be derived from. */
export class Provenance {
  readonly #definitions: readonly Instruction[][];
  readonly #code: PtxFunction;

  constructor(code: PtxFunction) {
    this.#code = code;
    const definitions: Instruction[][] = code.registers.map(() => []);
    for (const instruction of code.instructions)
      for (const register of destinationsOf(instruction)) definitions[register]?.push(instruction);
    this.#definitions = definitions;
  }

  /** Names of variables whose address reaches the operand; `null` if it may come from memory. */
  variablesOf(operand: Operand): ReadonlySet<string> | null {
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
      for (const { parts, operands } of this.#definitions[register] ?? []) {
        // What is loaded is an index or a value: the base of the address is elsewhere.
        if (!CARRIES_ADDRESS.has(parts[0]!)) continue;
        operands.slice(1).forEach(visit);
      }
    }
    const shared = [...names].filter((name) => this.#isVariable(name));
    return shared.length === 0 ? null : new Set(shared);
  }

  #isVariable(name: string): boolean {
    return !this.#code.parameters.some((parameter) => parameter.name === name);
  }
}

/** Mnemonics whose result may be an address derived from an input. */
const CARRIES_ADDRESS = new Set(
  'add sub mad or and xor mov cvta cvt selp shl mul lop3 mapa shfl min max'.split(' '),
);
