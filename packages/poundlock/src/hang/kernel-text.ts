// The PTX of a stopped kernel: its lines, the variables of its barriers, the waits at a line.
import { InputError } from '@poundlock/core/internal/base';
import { layout } from '@poundlock/ptx/internal/exec/machine/symbols';
import { accessSpace, isLoad } from '@poundlock/ptx/internal/isa/questions';
import { AddressOrigins } from '@poundlock/ptx/internal/flow/address-origin';
import { inlineCalls } from '@poundlock/ptx/internal/flow/inline';
import { Provenance } from '@poundlock/ptx/internal/flow/provenance';
import { placeOf } from '@poundlock/ptx/internal/places/place';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';
import type {
  Instruction,
  Operand,
  Parameter,
  PtxFunction,
  PtxModule,
} from '@poundlock/ptx/internal/text/module';
import { parameterName, readableName } from '@poundlock/ptx/internal/text/names';
import { loopsAround, pollAround, readsSharedWord, wordRead } from './poll-loop.ts';
import type { WordOfParameter } from './poll-loop.ts';

/** A variable in shared memory. */
export interface SharedArray {
  /** As the PTX names it. */
  readonly symbol: string;
  /** As the user's source does. */
  readonly name: string;
  readonly size: number;
  readonly align: number;
  /** Its offset in a block's shared memory, in the order of the text. */
  readonly offset: number;
  readonly isDynamic: boolean;
  /** Whether its elements have 64 bits. */
  readonly isOfWords: boolean;
  /** Whether an instruction on mbarriers may take an address in it. */
  readonly hasBarriers: boolean;
}

/** What a loop is named by, where it has several. */
const POLLS: readonly WaitOfText[] = ['mbarrier', 'word', 'nanosleep'];

/** A kernel of a PTX text. */
export class KernelText {
  readonly text: string;
  readonly code: PtxFunction;
  readonly entry: PtxFunction;
  readonly arrays: readonly SharedArray[];
  readonly #module: PtxModule;
  readonly #provenance: Provenance;
  readonly #lines: readonly string[];

  constructor(text: string, module: PtxModule, entry: PtxFunction) {
    this.text = text;
    this.entry = entry;
    this.#module = module;
    this.code = inlineCalls(module, entry);
    this.#lines = text.split('\n');
    this.#provenance = new Provenance(this.code);
    const named = new Set<string>();
    for (const instruction of this.code.instructions)
      if (instruction.effect.kind === 'mbarrier')
        for (const name of this.variablesOf(instruction) ?? []) named.add(name);
    const { shared } = layout(module, this.code, 0);
    this.arrays = shared.map(({ name, offset, size, variable }) => ({
      symbol: name,
      name: readableName(name),
      size,
      offset,
      align: variable?.align ?? 1,
      isDynamic: variable?.size === 0,
      isOfWords: variable?.type.bits === 64,
      hasBarriers: named.has(name),
    }));
  }

  /** The name of the kernel without its mangling. */
  get name(): string {
    return readableName(this.entry.name);
  }

  /** A line of the text, from 1. */
  line(number: number): string {
    return this.#lines[number - 1]?.trim() ?? '';
  }

  /** The instruction on a line. */
  at(line: number): Instruction | undefined {
    return this.code.instructions.find((each) => each.line === line);
  }

  /** Where the user's source has a line of the text; `undefined` where that is not known. */
  sourceOf(line: number): { readonly file: string; readonly line: number } | undefined {
    const instruction = this.at(line);
    const place = instruction && placeOf(this.#module, instruction);
    return place?.ptxFile === undefined ? undefined : { file: place.file, line: place.line };
  }

  /** What a warp that is at an instruction waits for: there, or in the small loop around it. */
  waitAround(instruction: Instruction): WaitOfText {
    const here = waitOfText(instruction);
    if (here !== 'running') return here;
    for (const { first, last } of loopsAround(this.code, instruction)) {
      const polled = new Set(this.code.instructions.slice(first, last + 1).map(pollOf));
      const found = POLLS.find((kind) => polled.has(kind));
      if (found !== undefined) return found;
    }
    return 'running';
  }

  /** The word that is polled on a line, or in the small loop around it; `null`: none is known. */
  polledWord(line: number): WordOfParameter | null {
    const poll = this.#pollAt(line);
    return poll === null ? null : wordRead(this.code, this.#provenance.definitions, poll.read);
  }

  /** Whether two lines are of one loop that polls a word. */
  areOfOnePoll(one: number, other: number): boolean {
    const poll = this.#pollAt(one);
    const index = this.at(other)?.index;
    return (
      poll !== null && index !== undefined && poll.loop.first <= index && index <= poll.loop.last
    );
  }

  #pollAt(line: number): ReturnType<typeof pollAround> {
    const instruction = this.at(line);
    return instruction === undefined ? null : pollAround(this.code, instruction);
  }

  /** The variables that the address of an instruction lies in; `null`: any. */
  variablesOf(instruction: Instruction): ReadonlySet<string> | null {
    return this.#provenance.variablesOfAll(instruction.operands, instruction.index);
  }

  /** Numbers of arrivals with which barriers in a variable are initialized; `null`: any. */
  countsOf(symbol: string): ReadonlySet<number> | null {
    const inits = this.code.instructions.filter((each) => {
      if (each.effect.kind !== 'mbarrier' || each.effect.op !== 'init') return false;
      const symbols = this.variablesOf(each);
      return symbols === null || symbols.has(symbol);
    });
    const counts = inits.map((each) => this.#numberOf(each.operands[1], each.index));
    return counts.includes(null) ? null : new Set(counts as number[]);
  }

  /** The number that an operand always has; `null` where it is computed. */
  #numberOf(operand: Operand | undefined, at: number): number | null {
    if (operand?.kind === 'immediate') return operand.value.low;
    if (operand?.kind !== 'register') return null;
    const definitions = this.#provenance.definitions.reaching(operand.register, at);
    const [definition] = definitions;
    const isMove = definition?.effect.kind === 'compute' && definition.effect.operation === 'mov';
    return definitions.length === 1 && isMove
      ? this.#numberOf(definition.operands[1], definition.index)
      : null;
  }

  /** Parameters that point to memory which the kernel reads, and does not write through them. */
  get readOnlyParameters(): readonly Parameter[] {
    const origins = new AddressOrigins(this.code);
    const read = new Set<string>();
    const written = new Set<string>();
    for (const instruction of this.code.instructions) {
      const { index, operands } = instruction;
      for (const operand of operands) {
        if (operand.kind !== 'address') continue;
        const pointers = origins.pointersOf(index, operand);
        const space = accessSpace(instruction);
        if (isLoad(instruction)) for (const name of pointers ?? []) read.add(name);
        else if (pointers !== null) for (const name of pointers) written.add(name);
        // A store to an address that is data may be anywhere.
        else if (space === 'global') return [];
      }
    }
    return this.entry.parameters.filter(({ name }) => read.has(name) && !written.has(name));
  }

  /** The name of a parameter by its number. */
  parameterName(parameter: Parameter): string {
    return parameterName(this.entry, parameter.name);
  }
}

/** Whether an instruction waits for the phase of an mbarrier. */
export function isPhaseWait({ effect }: Instruction): boolean {
  return effect.kind === 'mbarrier' && (effect.op === 'try' || effect.op === 'test');
}

/** What a warp may wait for, as far as the PTX shows it. */
export type WaitOfText =
  | 'mbarrier'
  | 'named'
  | 'cluster'
  | 'syncwarp'
  | 'word'
  | 'nanosleep'
  | 'registers'
  | 'unknown'
  | 'running';

/** What a warp that is at an instruction waits for; `running` where it does not wait. */
function waitOfText(instruction: Instruction): WaitOfText {
  const { effect } = instruction;
  if (isPhaseWait(instruction)) return 'mbarrier';
  if (effect.kind === 'barrier' && effect.op !== 'arrive')
    return effect.of === 'cluster' ? 'cluster' : 'named';
  if (effect.kind === 'lanes' && effect.op === 'join') return 'syncwarp';
  if (effect.kind === 'registers') return effect.op === 'inc' ? 'registers' : 'running';
  // The kernel before may be waited for without end.
  if (effect.kind === 'grid') return effect.op === 'wait' ? 'unknown' : 'running';
  return 'running';
}

/** What a loop around an instruction polls. */
function pollOf(instruction: Instruction): WaitOfText {
  const { effect } = instruction;
  if (isPhaseWait(instruction)) return 'mbarrier';
  if (readsSharedWord(instruction)) return 'word';
  return effect.kind === 'control' && effect.op === 'sleep' ? 'nanosleep' : 'running';
}

/**
 * Reads the kernel of a text.
 *
 * @throws InputError where the text cannot be read, or has no such kernel.
 */
export function readKernelText(text: string, file: string, name: string): KernelText {
  const module = parsePtx(text, file);
  const all = [...module.functions.values()];
  const kernels = all.filter(({ isEntry, isDefined }) => isEntry && isDefined);
  const entry = kernels.find((each) => each.name === name) ?? oneOf(kernels, name);
  if (entry === undefined) {
    const names = kernels.map((each) => each.name).join(', ');
    throw new InputError(`${file} has no kernel ${name}: it has ${names || 'none'}`);
  }
  return new KernelText(text, module, entry);
}

/** The only kernel, where the name of the one that ran is not known. */
function oneOf(kernels: readonly PtxFunction[], name: string): PtxFunction | undefined {
  const matching = kernels.filter((each) => name !== '' && each.name.includes(name));
  if (matching.length === 1) return matching[0];
  return name === '' && kernels.length === 1 ? kernels[0] : undefined;
}
