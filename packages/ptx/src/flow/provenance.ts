// Which shared variable an address of unknown value lies in: found by following definitions back.
import type { Operation } from '../isa/operation.ts';
import { operationOf } from '../isa/questions.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import { Definitions, leavesOf, type Behind } from './definitions.ts';
import { FreeGuards } from './free-guard.ts';

/** Whose result may be an address derived from inputs that are added to each other. */
const COMBINES = new Set<Operation>([
  'add',
  'sub',
  'mad',
  'mul',
  'and',
  'or',
  'xor',
  'lop3',
  'shl',
]);
/** Whose result is one of their inputs, perhaps converted; so are `mapa` and `selp`. */
const CHOOSES = new Set<Operation>(['mov', 'cvta', 'cvt', 'min', 'max']);

function combines({ effect }: Instruction): boolean {
  if (effect.kind === 'compute') return COMBINES.has(effect.operation);
  return effect.kind === 'lanes' && effect.op === 'shuffle';
}

/** Finds the variables that an address operand may be derived from. */
export class Provenance {
  readonly definitions: Definitions;
  /** Guards that data decides alone. */
  readonly guards: FreeGuards;
  readonly #parameters: ReadonlySet<string>;
  readonly #ofAll = new Map<number, ReadonlySet<string> | null>();

  constructor(code: PtxFunction) {
    this.definitions = new Definitions(code);
    this.guards = new FreeGuards(code, this.definitions);
    this.#parameters = new Set(code.parameters.map(({ name }) => name));
  }

  /**
   * Names of variables, one of whose addresses each value of the operand at a place is derived
   * from; `null` if it may be an address that was loaded.
   */
  variablesOf(operand: Operand, at: number): ReadonlySet<string> | null {
    const behind = this.definitions.behind(operand, at, inputsOf);
    if (behind === null) return null;
    const names = [...behind.names].filter((name) => !this.#parameters.has(name));
    if (names.length === 0 || this.#mayBeData(operand, at, behind)) return null;
    return new Set(names);
  }

  /** The variables that the addresses of an instruction are derived from; `null`: any. */
  variablesOfAll(operands: readonly Operand[], at: number): ReadonlySet<string> | null {
    let known = this.#ofAll.get(at);
    if (known === undefined) this.#ofAll.set(at, (known = this.#variablesOfAll(operands, at)));
    return known;
  }

  #variablesOfAll(operands: readonly Operand[], at: number): ReadonlySet<string> | null {
    const addresses = operands.filter(({ kind }) => kind === 'address');
    const found = addresses.map((each) => this.variablesOf(each, at));
    if (found.length === 0 || found.includes(null)) return null;
    return new Set(found.flatMap((names) => [...names!]));
  }

  /** The `mapa` instructions that the address may have been another CTA's by. */
  mapsOf(operand: Operand, at: number): readonly Instruction[] {
    const { definitions = [] } = this.definitions.behind(operand, at, inputsOf) ?? {};
    return [...definitions].filter((each) => operationOf(each) === 'mapa');
  }

  /** Whether a value of the operand may consist of data alone, such as a pointer from memory. */
  #mayBeData(operand: Operand, at: number, { definitions }: Behind): boolean {
    const hasName = this.#named(definitions);
    const isData = new Set<Instruction>();
    const dataAlone = (each: Operand, place: number): boolean =>
      this.#behindOneOf(each, place, isData);
    const isBase = (each: Operand, place: number): boolean =>
      !dataAlone(each, place) &&
      (leavesOf(each).some((leaf) => this.#isVariable(leaf)) ||
        this.#behindOneOf(each, place, hasName));
    const yieldsData = (instruction: Instruction): boolean => {
      const inputs = inputsOf(instruction);
      if (inputs.length === 0) return true;
      // An index that is added to an address stays within the variable.
      const { index } = instruction;
      if (combines(instruction) && inputs.some((each) => isBase(each, index))) return false;
      return inputs.some((each) => dataAlone(each, index));
    };
    // What is data alone grows with each round until nothing is added.
    for (let size = -1; size < isData.size;) {
      size = isData.size;
      for (const each of definitions) if (yieldsData(each)) isData.add(each);
    }
    return dataAlone(operand, at);
  }

  /** Definitions that an address of a variable reaches. */
  #named(definitions: ReadonlySet<Instruction>): ReadonlySet<Instruction> {
    const named = new Set<Instruction>();
    for (let size = -1; size < named.size;) {
      size = named.size;
      for (const each of definitions)
        for (const input of inputsOf(each))
          if (
            leavesOf(input).some((leaf) => this.#isVariable(leaf)) ||
            this.#behindOneOf(input, each.index, named)
          )
            named.add(each);
    }
    return named;
  }

  /** Whether a register of an operand at a place may be defined by one of these. */
  #behindOneOf(operand: Operand, at: number, those: ReadonlySet<Instruction>): boolean {
    return leavesOf(operand).some(
      (leaf) =>
        leaf.kind === 'register' &&
        this.definitions.reaching(leaf.register, at).some((each) => those.has(each)),
    );
  }

  #isVariable(leaf: Operand): boolean {
    return leaf.kind === 'symbol' && !this.#parameters.has(leaf.name);
  }
}

/** Operands that the result may be an address derived from: none of a load. */
function inputsOf(instruction: Instruction): readonly Operand[] {
  const { operands } = instruction;
  const operation = operationOf(instruction);
  // The rank of a CTA, and the predicate that chooses, are no addresses.
  if (operation === 'mapa') return operands.slice(1, 2);
  if (operation === 'selp') return operands.slice(1, 3);
  const isChosen = operation !== null && CHOOSES.has(operation);
  return isChosen || combines(instruction) ? operands.slice(1) : [];
}
