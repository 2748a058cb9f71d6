// Reads the text of one PTX kernel without a table of forms: instructions, variables, parameters.

/** An instruction; operands are as the text has them. */
export interface Instruction {
  /** The register of its guard; empty for none. */
  readonly guard: string;
  readonly isNegated: boolean;
  /** The opcode in parts, as `mbarrier`, `try_wait`, `parity`. */
  readonly parts: readonly string[];
  readonly operands: readonly string[];
}

/** A parameter at its offset in the parameter block. */
export interface TextParameter {
  readonly name: string;
  readonly size: number;
  readonly offset: number;
}

/** A kernel. */
export interface KernelText {
  readonly name: string;
  readonly parameters: readonly TextParameter[];
  /** Addresses of shared variables. */
  readonly shared: ReadonlyMap<string, bigint>;
  readonly code: readonly Instruction[];
  readonly labels: ReadonlyMap<string, number>;
  /** For each instruction, the registers whose values may still decide what is executed. */
  readonly live: readonly ReadonlySet<string>[];
  /** Registers whose values decide something. */
  readonly deciding: ReadonlySet<string>;
  /** Whether a bit of a pointer decides something, beside being an address. */
  readonly hasPlaces: boolean;
}

const SHARED_BASE = 0x400;
/** What only orders memory, or takes time. */
const HARMLESS = new Set(['fence', 'membar', 'nanosleep']);
/** Instructions whose operands are data that is stored, from this operand on. */
const DATA_FROM: Readonly<Record<string, number>> = { st: 1, red: 1 };
/** Instructions that leave a pointer a pointer. */
const POINTER_WORK = new Set(['ld', 'st', 'cvta', 'add', 'mad', 'mul', 'mov', 'cp', 'red', 'atom']);

export const bytesOf = (type: string): number => Number(/\d+$/.exec(type)?.[0] ?? 8) / 8;
/** The registers of an operand: one, or that of an address. */
export const registersIn = (operand: string): string[] => operand.match(/%[a-z]+\d+/g) ?? [];

/** Whether an instruction has an effect on others, or an answer from outside of its thread. */
export function isVisible({ parts: [name = '', next = ''], operands }: Instruction): boolean {
  if (name === 'ld') return next !== 'param';
  if (name === 'mov') return /^%(clock|globaltimer|warpid|smid|nsmid|gridid)/.test(operands[1]!);
  const visible = ['st', 'atom', 'red', 'bar', 'barrier', 'mbarrier', 'cp', 'setmaxnreg'];
  return visible.includes(name);
}

/** The register that an instruction writes; empty for none. */
export function targetOf({ parts: [name = '', next = ''], operands }: Instruction): string {
  if (['st', 'red', 'bar', 'barrier', 'bra', 'ret', 'exit', 'cp', 'setmaxnreg'].includes(name))
    return '';
  if (name === 'mbarrier' && !/_wait$/.test(next)) return '';
  return HARMLESS.has(name) ? '' : operands[0]!;
}

function sourcesOf(one: Instruction): string[] {
  const from = targetOf(one) === '' ? 0 : 1;
  return [one.guard, ...one.operands.slice(from).flatMap(registersIn)].filter(
    (name) => name !== '',
  );
}

function instructionOf(text: string): Instruction {
  const [, not, guard = '', opcode = '', rest = ''] =
    /^(?:@(!?)(%\w+)\s+)?([\w.:]+)\s*([^]*)$/.exec(text) ?? [];
  const operands = rest.match(/\[[^\]]*\]|[^\s,[\]]+/g) ?? [];
  const parts = opcode.replaceAll('::', '_').split('.');
  return { guard, isNegated: not === '!', parts, operands };
}

/** Registers from which something visible follows, without regard to the flow of control. */
function decidingRegisters(code: readonly Instruction[]): Set<string> {
  const deciding = new Set<string>();
  let isDataRead = false;
  for (let size = -1; size !== deciding.size;) {
    size = deciding.size;
    for (const one of code) {
      const [name = ''] = one.parts;
      if (one.guard !== '') deciding.add(one.guard);
      const isWanted = deciding.has(targetOf(one));
      if (isWanted && ['ld', 'atom'].includes(name) && one.parts[1] !== 'param') isDataRead = true;
      const data = isDataRead ? Infinity : (DATA_FROM[name] ?? Infinity);
      if (!isWanted && !isVisible(one)) continue;
      for (const operand of one.operands.slice(targetOf(one) === '' ? 0 : 1, data))
        for (const register of registersIn(operand)) deciding.add(register);
    }
  }
  return deciding;
}

function liveRegisters(
  code: readonly Instruction[],
  labels: ReadonlyMap<string, number>,
  deciding: ReadonlySet<string>,
): Set<string>[] {
  const live = code.map(() => new Set<string>());
  live.push(new Set());
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (let at = code.length - 1; at >= 0; at--) {
      const one = code[at]!;
      const [name = ''] = one.parts;
      const after = new Set(live[at]);
      if (name === 'bra') for (const each of live[labels.get(one.operands[0]!)!]!) after.add(each);
      const isEnd = (name === 'bra' || name === 'ret') && one.guard === '';
      const target = one.guard === '' ? targetOf(one) : '';
      if (!isEnd) for (const each of live[at + 1]!) if (each !== target) after.add(each);
      for (const each of sourcesOf(one)) if (deciding.has(each)) after.add(each);
      isChanged ||= after.size !== live[at]!.size;
      live[at] = after;
    }
  }
  return live;
}

/** Whether an instruction that no address needs takes a register that follows from a pointer. */
function decidesPlaces(code: readonly Instruction[], deciding: ReadonlySet<string>): boolean {
  const pointers = new Set<string>();
  for (let size = -1; size !== pointers.size;) {
    size = pointers.size;
    for (const one of code) {
      const isPointer = one.parts.join('.') === 'ld.param.u64';
      if (!isPointer && !sourcesOf(one).some((each) => pointers.has(each))) continue;
      const target = targetOf(one);
      if (!POINTER_WORK.has(one.parts[0]!) && deciding.has(target)) return true;
      if (one.parts[0] !== 'ld' || isPointer) if (target !== '') pointers.add(target);
    }
  }
  return false;
}

/** Reads a text with one kernel. */
export function readKernel(source: string): KernelText {
  const text = source.replaceAll(/\/\/.*|\/\*[^]*?\*\/|^\s*\.(loc|file)\b.*$/gm, '');
  const head = /\.entry\s+(\w+)\s*\(([^)]*)\)[^{]*\{/.exec(text)!;
  let offset = 0;
  const parameters = [...head[2]!.matchAll(/\.param\s+\.(\w+)\s+(\w+)/g)].map(([, type, name]) => {
    const size = bytesOf(type!);
    offset = Math.ceil(offset / size) * size + size;
    return { name: name!, size, offset: offset - size };
  });
  const shared = new Map<string, bigint>();
  const labels = new Map<string, number>();
  const code: Instruction[] = [];
  let address = SHARED_BASE;
  const body = text.slice(head.index + head[0].length).replaceAll(/[{}]/g, ' ');
  for (const part of body.split(';')) {
    let statement = part.trim();
    for (let label = /^([\w$]+):\s*/.exec(statement); label !== null;) {
      labels.set(label[1]!, code.length);
      statement = statement.slice(label[0].length);
      label = /^([\w$]+):\s*/.exec(statement);
    }
    if (statement === '' || statement.startsWith('.reg')) continue;
    const variable = /^\.shared\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(\w+)(?:\[(\d+)\])?$/.exec(
      statement,
    );
    if (variable === null) {
      code.push(instructionOf(statement));
      continue;
    }
    const [, align = '8', type = '', name = '', count = '1'] = variable;
    address = Math.ceil(address / Number(align)) * Number(align);
    shared.set(name, BigInt(address));
    address += bytesOf(type) * Number(count);
  }
  const deciding = decidingRegisters(code);
  const live = liveRegisters(code, labels, deciding);
  const hasPlaces = decidesPlaces(code, deciding);
  return { name: head[1]!, parameters, shared, code, labels, live, deciding, hasPlaces };
}
