// Where variables lie: shared memory behind the system's own first KiB, the others in windows.
import { functionsByAddress, namesIn } from '../../flow/function-addresses.ts';
import { readableNames } from '../../text/names.ts';
import { LOCAL_WINDOW, MODULE_WINDOW, PARAMETER_WINDOW } from '../../launch/windows.ts';
import type { SharedVariable } from '../../steps/names.ts';
import type { PtxFunction, PtxModule, Variable } from '../../text/module.ts';

/** The first bytes of shared memory belong to the system since sm_90. */
export const SYSTEM_BYTES = 1024;
/** Dynamic shared memory begins at a multiple of this. */
const DYNAMIC_ALIGN = 16;

/** Functions have addresses of their own, so many bytes apart. */
const CODE_ALIGN = 16;

/** The address of a variable or a function. */
export interface Symbol {
  readonly name: string;
  /** The state space it lies in. */
  readonly space: 'shared' | 'module' | 'local' | 'parameter';
  /** The offset in its space: for shared memory that within a CTA. */
  readonly offset: number;
  readonly size: number;
  readonly variable: Variable | null;
}

/** All variables of a kernel, and the size of its shared and local memory. */
export interface Layout {
  readonly symbols: ReadonlyMap<string, Symbol>;
  /** Shared variables in the order of their addresses. */
  readonly shared: readonly Symbol[];
  /** Bytes of shared memory of a CTA. */
  readonly sharedBytes: number;
}

/** The high half of generic addresses of each space; that of shared memory has the rank below. */
export const WINDOWS: Readonly<Record<Symbol['space'], number>> = {
  shared: 0,
  module: MODULE_WINDOW,
  local: LOCAL_WINDOW,
  parameter: PARAMETER_WINDOW,
};

function aligned(offset: number, align: number): number {
  return Math.ceil(offset / align) * align;
}

/** Names of variables that the instructions of a kernel mention. */
function mentioned(code: PtxFunction): Set<string> {
  const names = new Set<string>();
  for (const { operands } of code.instructions)
    for (const name of operands.flatMap(namesIn)) names.add(name);
  return names;
}

/** Lays out the variables of a kernel, with `dynamicBytes` of dynamic shared memory. */
export function layout(module: PtxModule, code: PtxFunction, dynamicBytes: number): Layout {
  const names = mentioned(code);
  const symbols = new Map<string, Symbol>();
  const all = [...module.variables.filter(({ name }) => names.has(name)), ...code.variables];
  const ends = { shared: SYSTEM_BYTES, module: 0, local: 0, parameter: 0 };
  const place = (variable: Variable, space: Symbol['space'], align: number, size: number): void => {
    const offset = aligned(ends[space], align);
    symbols.set(variable.name, { name: variable.name, space, offset, size, variable });
    ends[space] = offset + size;
  };
  const shared = all.filter(({ space }) => space === 'shared');
  for (const variable of shared)
    if (variable.size > 0) place(variable, 'shared', variable.align, variable.size);
  const dynamic = shared.filter(({ size }) => size === 0);
  const dynamicStart = ends.shared;
  for (const variable of dynamic) {
    // All dynamic arrays begin at the same address.
    ends.shared = dynamicStart;
    place(variable, 'shared', Math.max(DYNAMIC_ALIGN, variable.align), dynamicBytes);
  }
  for (const variable of all) {
    if (variable.space === 'global' || variable.space === 'const')
      place(variable, 'module', variable.align, Math.max(1, variable.size));
    // Arguments of inlined calls are local memory.
    if (variable.space === 'local' || variable.space === 'param')
      place(variable, 'local', variable.align, variable.size);
  }
  for (const { name } of functionsByAddress(module)) {
    const offset = aligned(ends.module, CODE_ALIGN);
    ends.module = offset + CODE_ALIGN;
    symbols.set(name, { name, space: 'module', offset, size: CODE_ALIGN, variable: null });
  }
  for (const { name, offset, size } of code.parameters)
    symbols.set(name, { name, space: 'parameter', offset, size, variable: null });
  const sharedSymbols = [...symbols.values()].filter(({ space }) => space === 'shared');
  sharedSymbols.sort((a, b) => a.offset - b.offset);
  return {
    symbols,
    shared: sharedSymbols,
    sharedBytes: Math.max(ends.shared, dynamicStart + dynamicBytes),
  };
}

/** The variables in shared memory, as steps name them. */
export function sharedVariables({ shared }: Layout): SharedVariable[] {
  const names = readableNames(shared.map(({ name }) => name));
  return shared.map(({ offset, size, variable }, at) => {
    const element = variable?.type.bits === 64 ? 8 : 0;
    return { name: names[at]!, offset, size, element };
  });
}
