// Which bytes of its parameters a kernel reads. The others are padding, which may hold anything
// that lay on the stack of the program.
import { accessOf } from '@poundlock/ptx/internal/isa/questions';
import type { Operand, PtxFunction } from '@poundlock/ptx/internal/text/module';

/** The symbols in an operand, with their offsets. */
function symbolsIn(operand: Operand): { readonly name: string; readonly offset: number }[] {
  switch (operand.kind) {
    case 'symbol':
      return [operand];
    case 'address':
      return [
        ...symbolsIn(operand.base).map(({ name, offset }) => {
          return { name, offset: offset + operand.offset };
        }),
        ...operand.more.flatMap(symbolsIn),
      ];
    case 'vector':
    case 'list':
      return operand.elements.flatMap(symbolsIn);
    case 'pair':
      return [...symbolsIn(operand.first), ...symbolsIn(operand.second)];
    case 'not':
      return symbolsIn(operand.operand);
    case 'register':
    case 'immediate':
    case 'special':
    case 'sink':
      return [];
  }
}

/** 1 for each byte of the parameter block that the kernel reads, or whose address it takes. */
export function bytesRead(entry: PtxFunction): Uint8Array {
  const size = Math.max(0, ...entry.parameters.map((each) => each.offset + each.size));
  const isRead = new Uint8Array(size);
  const byName = new Map(entry.parameters.map((each) => [each.name, each]));
  for (const instruction of entry.instructions) {
    const access = accessOf(instruction);
    const load = access?.op === 'load' && access.space === 'param' ? access : null;
    for (const { name, offset } of instruction.operands.flatMap(symbolsIn)) {
      const parameter = byName.get(name);
      if (parameter === undefined) continue;
      const start = parameter.offset + (load === null ? 0 : offset);
      const length = load === null ? parameter.size : load.bytes * load.width;
      isRead.fill(1, start, start + length);
    }
  }
  return isRead;
}
