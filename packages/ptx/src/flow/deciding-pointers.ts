// Pointers to integers that decide what a kernel does: flags, counters, offsets, tables.
// They are in the text: a branch, an address or a copy depends on what a load returns.
import { isSignal, readOf } from '../isa/questions.ts';
import type { Instruction, Operand, PtxFunction, PtxModule } from '../text/module.ts';
import { Definitions, leavesOf } from './definitions.ts';
import { inlineCalls } from './inline.ts';

/** A pointer: the number of its parameter, and where it lies in it. */
export interface DecidingPointer {
  readonly parameter: number;
  readonly offset: number;
}

/** The pointers of a kernel whose memory decides branches, addresses or copies. */
export function decidingPointers(module: PtxModule, entry: PtxFunction): DecidingPointer[] {
  const code = inlineCalls(module, entry);
  const definitions = new Definitions(code);
  const loads = new Set<Instruction>();
  for (const instruction of code.instructions)
    for (const operand of deciding(instruction))
      for (const each of definitions.behind(operand, instruction.index, untilLoads)?.definitions ??
        [])
        if (isGlobalLoad(each)) loads.add(each);
  const found = new Map<string, DecidingPointer>();
  const names = entry.parameters.map(({ name }) => name);
  for (const load of loads)
    for (const { name, offset } of pointersOf(load, definitions)) {
      const parameter = names.indexOf(name);
      if (parameter >= 0) found.set(`${parameter}+${offset}`, { parameter, offset });
    }
  return [...found.values()].toSorted((a, b) => a.parameter - b.parameter || a.offset - b.offset);
}

/** Operands that decide what happens: the guard of a branch, addresses, coordinates of a copy. */
function deciding({ guard, operands }: Instruction): Operand[] {
  const condition: Operand[] =
    guard === null ? [] : [{ kind: 'register', register: guard.register }];
  // Coordinates of a copy are part of its address.
  const addresses = operands.flatMap((each) =>
    each.kind === 'address' ? [each.base, ...each.more] : [],
  );
  return [...condition, ...addresses];
}

function isGlobalLoad(instruction: Instruction): boolean {
  const space = readOf(instruction)?.space;
  return space === 'global' || space === 'generic';
}

/** What a value is computed from, up to what loads return. */
function untilLoads(instruction: Instruction): readonly Operand[] {
  const { operands, guard } = instruction;
  if (isSignal(instruction) || readOf(instruction) !== null) return [];
  const condition: Operand[] =
    guard === null ? [] : [{ kind: 'register', register: guard.register }];
  return [...operands.slice(1), ...condition];
}

/** The places in parameters that the address of an access is computed from. */
export function pointersOf(access: Instruction, definitions: Definitions) {
  const address = access.operands.find(({ kind }) => kind === 'address');
  if (address === undefined) return [];
  const behind = definitions.behind(address, access.index, untilLoads);
  return [...(behind?.definitions ?? [])].flatMap((each) => {
    if (readOf(each)?.space !== 'param') return [];
    const from = each.operands[1];
    if (from?.kind !== 'address') return [];
    return leavesOf(from).flatMap((leaf) =>
      leaf.kind === 'symbol' ? [{ name: leaf.name, offset: leaf.offset + from.offset }] : [],
    );
  });
}
