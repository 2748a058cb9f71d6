// Reads the text of one PTX kernel without a table of forms: instructions, variables, parameters.

/** An instruction; operands are as the text has them. */
export interface Instruction {
  /** The register of its guard; empty for none. */
  readonly guard: string;
  readonly isNegated: boolean;
  readonly opcode: string;
  /** The opcode in parts, as `mbarrier`, `try_wait`, `parity`. */
  readonly parts: readonly string[];
  readonly operands: readonly string[];
  /** The register that it writes; empty for none. */
  readonly target: string;
  /** The registers that it reads. */
  readonly sources: readonly string[];
  /** Whether it has an effect on others, or an answer from outside of its thread. */
  readonly isVisible: boolean;
}

/** A kernel. */
export interface KernelText {
  readonly parameters: readonly {
    readonly name: string;
    readonly size: number;
    readonly offset: number;
  }[];
  /** Addresses of shared variables. */
  readonly shared: ReadonlyMap<string, bigint>;
  readonly code: readonly Instruction[];
  readonly labels: ReadonlyMap<string, number>;
  /** Registers of each thread, if the text says how many; else 0. */
  readonly registers: number;
  /** Registers from which something visible follows. */
  readonly deciding: ReadonlySet<string>;
  /** Whether a value that is loaded decides something. */
  readonly readsData: boolean;
  /** For each instruction, the deciding registers whose values may still be read. */
  readonly live: readonly ReadonlySet<string>[];
}

/** Thrown where a kernel is beyond what is interpreted. */
export class OutOfScope extends Error {}

const SHARED_BASE = 0x400;
const VISIBLE = /^(st|atom|red|bar|mbarrier|cp|setmaxnreg|ld\.(?!param))\b/;
const UNKNOWN_SOURCE = /^%(clock|globaltimer|warpid|smid|nsmid|gridid)/;
const NO_TARGET =
  /^(st|red|bar|bra|ret|exit|cp|setmaxnreg|fence|membar|nanosleep|mbarrier\.(?!\w+_wait))\b/;
const LABEL = /^([\w$]+):\s*/;
const SHARED = /^\.shared\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(\w+)(?:\[(\d+)\])?$/;

export const bytesOf = (type: string): number => Number(/\d+$/.exec(type)?.[0] ?? 8) / 8;
export const isRegister = (operand: string): boolean => /^%[a-z]+\d+$/.test(operand);
const registersIn = (operands: readonly string[]): string[] =>
  operands.flatMap((each) => each.match(/%[a-z]+\d+/g) ?? []);

function instructionOf(text: string): Instruction {
  const [, not, guard = '', opcode = '', rest = ''] =
    /^(?:@(!?)(%\w+)\s+)?([\w.:]+)\s*([^]*)$/.exec(text) ?? [];
  const operands = rest.match(/\[[^\]]*\]|[^\s,[\]]+/g) ?? [];
  const target = NO_TARGET.test(opcode) ? '' : operands[0]!;
  const read = registersIn(operands.slice(target === '' ? 0 : 1));
  const sources = guard === '' ? read : [guard, ...read];
  const isVisible =
    VISIBLE.test(opcode) || (opcode.startsWith('mov') && UNKNOWN_SOURCE.test(operands[1]!));
  const parts = opcode.replaceAll('::', '_').split('.');
  return { guard, isNegated: not === '!', opcode, parts, operands, target, sources, isVisible };
}

/** The registers that something follows from, without regard to the flow of control. */
function decidingRegisters(
  code: readonly Instruction[],
): Pick<KernelText, 'deciding' | 'readsData'> {
  const deciding = new Set(code.map(({ guard }) => guard));
  deciding.delete('');
  let readsData = false;
  for (let size = -1; size !== deciding.size;) {
    size = deciding.size;
    for (const { opcode, target, sources, operands, isVisible } of code) {
      const isWanted = deciding.has(target);
      readsData ||= isWanted && isVisible && /^(ld|atom)/.test(opcode);
      if (!isWanted && !isVisible) continue;
      // What is stored decides something if what is loaded does.
      const isData = !readsData && /^(st|red)/.test(opcode);
      for (const each of isData ? registersIn(operands.slice(0, 1)) : sources) deciding.add(each);
    }
  }
  return { deciding, readsData };
}

function liveRegisters({ code, labels, deciding }: Omit<KernelText, 'live'>): Set<string>[] {
  const live = [...code, null].map(() => new Set<string>());
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (let at = code.length - 1; at >= 0; at--) {
      const { opcode, guard, target, sources, operands } = code[at]!;
      const isBranch = opcode.startsWith('bra');
      const isEnd = guard === '' && (isBranch || opcode === 'ret');
      const after = [
        ...(isBranch ? live[labels.get(operands[0]!)!]! : []),
        ...(isEnd ? [] : live[at + 1]!),
      ];
      const needed = after.filter((each) => guard !== '' || each !== target);
      const size = live[at]!.size;
      for (const each of [...needed, ...sources]) if (deciding.has(each)) live[at]!.add(each);
      isChanged ||= live[at]!.size !== size;
    }
  }
  return live;
}

/** Reads a text with one kernel. */
export function readKernel(source: string): KernelText {
  const text = source.replaceAll(/\/\/.*|\/\*[^]*?\*\/|^\s*\.(loc|file)\b.*$/gm, '');
  const head = /\.entry\s+\w+\s*\(([^)]*)\)[^{]*\{/.exec(text)!;
  let offset = 0;
  const parameters = [...head[1]!.matchAll(/\.param\s+\.(\w+)\s+(\w+)/g)].map(([, type, name]) => {
    const size = bytesOf(type!);
    offset = Math.ceil(offset / size) * size + size;
    return { name: name!, size, offset: offset - size };
  });
  const [shared, labels] = [new Map<string, bigint>(), new Map<string, number>()];
  const code: Instruction[] = [];
  let address = SHARED_BASE;
  const body = text.slice(head.index + head[0].length);
  for (const part of body.split(';')) {
    // Blocks are no scopes of names here.
    let statement = part.replace(/^[\s{}]+/, '').trim();
    for (let label = LABEL.exec(statement); label !== null; label = LABEL.exec(statement)) {
      labels.set(label[1]!, code.length);
      statement = statement.slice(label[0].length);
    }
    const variable = SHARED.exec(statement);
    if (variable !== null) {
      const [, align = '8', type = '', name = '', count = '1'] = variable;
      address = Math.ceil(address / Number(align)) * Number(align);
      shared.set(name, BigInt(address));
      address += bytesOf(type) * Number(count);
    } else if (statement !== '' && !statement.startsWith('.reg')) {
      if (/[{}]/.test(statement)) throw new OutOfScope(statement);
      code.push(instructionOf(statement));
    }
  }
  const registers = Number(/\.maxnreg\s+(\d+)/.exec(text)?.[1] ?? 0);
  const kernel = { registers, parameters, shared, code, labels, ...decidingRegisters(code) };
  return { ...kernel, live: liveRegisters(kernel) };
}
