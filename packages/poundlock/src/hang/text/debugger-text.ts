// Reads what cuda-gdb prints of a GPU that hangs: tables of warps, lanes and threads, and words.
import { InputError } from '@poundlock/core/internal/base';
import type { LaneGroup, StoppedBlock, StoppedGpu, StoppedGrid, Triple } from '../stopped.ts';
import { addressIn, cellsOf, titlesOf, tripleIn, type Cells } from './columns.ts';

/** A range of code that is a function, as `x/i` prints it. */
interface Symbol {
  readonly name: string;
  readonly base: bigint;
}

/** Lanes of a warp at one address. */
interface Found {
  readonly block: Triple;
  readonly warp: number;
  readonly pc: bigint;
  lanes: number;
  exception: number;
}

/** A line of the source that an address comes from. */
export interface NamedLine {
  readonly pc: bigint;
  readonly file: string;
  readonly line: number;
}

const WARP_LANES = 32;
/** `ring<<<(2,1,1),(96,1,1)>>>`. */
const LAUNCH =
  /([A-Za-z_][\w$]*)(?:<[^<]*>)?(?:\([^)]*\))?<<<(\([\d,]+\)),(\([\d,]+\))(?:,(\([\d,]+\)))?/;
/** `0x600: 0xfffff800001ffffe 0x7ffff800001ffffe`. */
const WORDS =
  /^\s*(?:\(?@shared[^)]*\)?\s*)?(0x[0-9a-f]+)(?:\s*<[^>]*>)?:((?:\s+0x[0-9a-f]{1,16})+)\s*$/i;
/** Functions are not larger. */
const MAX_FUNCTION = 1n << 24n;
/** The most threads of all ranges, and the most lines of a text. */
const MAX_THREADS = 1 << 20;
const MAX_LINES = 1 << 20;
const UNKNOWN: Triple = [0, 0, 0];

/**
 * Reads the output of a debugger.
 *
 * @throws InputError where no line shows a warp.
 */
export function readDebuggerText(text: string, file: string): StoppedGpu {
  const reader = new TextReader();
  for (const line of text.split(/\r?\n/, MAX_LINES)) reader.read(line);
  return reader.gpu(file);
}

/** Collects what lines show. */
class TextReader {
  #grid: Triple = UNKNOWN;
  #block: Triple = UNKNOWN;
  #cluster: Triple = [1, 1, 1];
  #invocation = '';
  #titles: readonly string[] | null = null;
  #focus: { readonly block: Triple; readonly thread: Triple } | null = null;
  /** Threads of all ranges. */
  #threads = 0;
  #errorPc: bigint | undefined;
  #exception = 0;
  readonly #rows: Cells[] = [];
  readonly #words = new Map<number, bigint>();
  readonly #registers = new Map<string, number>();
  #symbol: Symbol | null = null;
  readonly #lines: NamedLine[] = [];

  read(line: string): void {
    const titles = titlesOf(line);
    if (titles !== null) {
      this.#titles = titles;
      return;
    }
    this.#launch(line);
    this.#focused(line);
    this.#code(line);
    this.#memory(line);
    if (this.#titles === null) return;
    const cells = cellsOf(line, this.#titles);
    if (cells !== null) this.#row(cells);
  }

  #launch(line: string): void {
    const match = LAUNCH.exec(line);
    if (match === null) return;
    this.#invocation ||= match[1]!;
    this.#grid = tripleIn(match[2]) ?? this.#grid;
    this.#block = tripleIn(match[3]) ?? this.#block;
    this.#cluster = tripleIn(match[4]) ?? this.#cluster;
  }

  #focused(line: string): void {
    const focus = /block (\(\d+,\d+,\d+\)), thread (\(\d+,\d+,\d+\))/.exec(line);
    if (focus !== null) this.#focus = { block: tripleIn(focus[1])!, thread: tripleIn(focus[2])! };
    const exception = /CUDA_EXCEPTION_(\d+)/.exec(line);
    if (exception !== null) this.#exception = Number(exception[1]);
    const at = /exception was triggered at PC (0x[0-9a-f]+)/i.exec(line);
    if (at !== null) this.#errorPc = addressIn(at[1]);
  }

  /** `=> 0x7f178b7aca30 <_Z4ringPKiPiPjii+2096>:`. */
  #code(line: string): void {
    const match = /(0x[0-9a-f]+) <([\w$.]+)(?:\([^>]*\))?(?:\+(\d+))?>/i.exec(line);
    const pc = addressIn(match?.[1]);
    if (match === null || pc === undefined) return;
    this.#symbol ??= { name: match[2]!, base: pc - BigInt(match[3] ?? 0) };
  }

  /** `0x600:	0xfffff800001ffffe	0x7ffff800001ffffe`, and registers: `R3  0x618  1560`. */
  #memory(line: string): void {
    const words = WORDS.exec(line);
    if (words !== null) {
      const first = Number(addressIn(words[1]) ?? 0n) & 0xff_ffff;
      for (const [at, word] of words[2]!.trim().split(/\s+/).entries())
        this.#words.set(first + 8 * at, BigInt(word));
    }
    const register = /^\s*(U?R\d+)\s+0x([0-9a-f]{1,8})\b/.exec(line);
    if (register !== null) this.#registers.set(register[1]!, Number.parseInt(register[2]!, 16));
  }

  #row(cells: Cells): void {
    this.#grid = tripleIn(cells.get('GridDim')) ?? this.#grid;
    this.#block = tripleIn(cells.get('BlockDim')) ?? this.#block;
    const invocation = /^([\w$]+)/.exec(cells.get('Invocation') ?? '');
    if (invocation !== null) this.#invocation ||= invocation[1]!;
    if (pcOf(cells) === undefined) return;
    this.#rows.push(cells);
    const [file, line] = [cells.get('Filename'), Number(cells.get('Line'))];
    if (file !== undefined && line > 0) this.#lines.push({ pc: pcOf(cells)!, file, line });
  }

  gpu(file: string): StoppedGpu {
    const found = this.#groups();
    if (found.length === 0)
      throw new InputError(
        `${file} shows no warp: put in what "info cuda warps" or "info cuda threads" print`,
      );
    const symbol = this.#symbol;
    const grid: StoppedGrid = {
      id: '',
      entry: symbol?.base ?? 0n,
      grid: atLeastOne(this.#grid),
      block: atLeastOne(this.#block),
      cluster: this.#cluster,
      registers: 0,
      parameters: undefined,
    };
    const blocks = [...Map.groupBy(found, ({ block }) => block.join()).values()].map((own) =>
      this.#blockOf(grid, own),
    );
    return {
      file,
      architecture: '',
      blocks,
      grids: [grid],
      omitted: 'registers',
      kernelName: symbol?.name ?? this.#invocation,
      namedLines: this.#lines,
      codeAt: () => undefined,
      symbolAt: (pc) => {
        const offset = symbol === null ? -1n : pc - symbol.base;
        if (offset < 0n || offset >= MAX_FUNCTION) return undefined;
        return { name: symbol!.name, offset: Number(offset) };
      },
      memory: () => undefined,
      allocation: () => null,
    };
  }

  /** All lanes that are shown; a table of warps is more exact than one of threads. */
  #groups(): Found[] {
    const groups = new Map<string, Found>();
    const shown = new Set<string>();
    const add = (block: Triple, thread: number, lanes: number, pc: bigint, exception = 0): void => {
      const warp = Math.floor(thread / WARP_LANES);
      const key = `${block.join()} ${warp} ${pc}`;
      const known = groups.get(key) ?? { block, warp, pc, lanes: 0, exception };
      known.lanes = (known.lanes | lanes) >>> 0;
      known.exception ||= exception;
      groups.set(key, known);
    };
    for (const cells of this.#rows) {
      const block = tripleIn(cells.get('BlockIdx'));
      const thread = tripleIn(cells.get('First Active ThreadIdx'));
      const lanes = Number(addressIn(cells.get('Active Lanes Mask')) ?? 0n);
      if (block === undefined || thread === undefined || lanes === 0) continue;
      const number = this.#numberOf(thread);
      add(block, number, lanes, pcOf(cells)!);
      shown.add(`${block.join()} ${Math.floor(number / WARP_LANES)}`);
    }
    for (const cells of this.#rows)
      for (const [block, thread] of this.#threadsOf(cells))
        if (!shown.has(`${block.join()} ${Math.floor(thread / WARP_LANES)}`))
          add(block, thread, 1 << (thread % WARP_LANES), pcOf(cells)!);
    return [...groups.values()];
  }

  #numberOf([x, y, z]: Triple): number {
    const [width, height] = atLeastOne(this.#block);
    return x + width * (y + height * z);
  }

  /** The threads of a range from one to another, which may be of several blocks. */
  *#threadsOf(cells: Cells): Generator<readonly [Triple, number]> {
    const block = tripleIn(cells.get('BlockIdx'));
    const thread = tripleIn(cells.get('ThreadIdx'));
    if (block === undefined || thread === undefined || cells.has('Wp')) return;
    const count = Math.min(MAX_THREADS - this.#threads, Number(cells.get('Count') ?? 1) || 1);
    this.#threads += Math.max(0, count);
    const size = atLeastOne(this.#block).reduce((product, each) => product * each, 1);
    const [width, height] = atLeastOne(this.#grid);
    const first = this.#numberOf(thread);
    for (let at = first; at < first + count; at++) {
      const number =
        block[0] + width * (block[1] + height * block[2]) + Math.floor(at / Math.max(1, size));
      const own: Triple = [
        number % width,
        Math.floor(number / width) % height,
        Math.floor(number / (width * height)),
      ];
      yield [own, at % Math.max(1, size)];
    }
  }

  #blockOf(grid: StoppedGrid, own: readonly Found[]): StoppedBlock {
    const { block } = own[0]!;
    const isFocused = this.#focus === null || this.#focus.block.join() === block.join();
    const words = isFocused ? this.#words : new Map<number, bigint>();
    const [width, height] = grid.cluster;
    const within = block.map((each, axis) => each % grid.cluster[axis]!) as [
      number,
      number,
      number,
    ];
    const focused = this.#focus === null ? -1 : this.#numberOf(this.#focus.thread);
    return {
      grid,
      block,
      rank: within[0] + width * (within[1] + height * within[2]),
      exception: isFocused ? this.#exception : 0,
      sharedWord: (address) => words.get(address),
      sharedBytes: Math.max(0, ...[...words.keys()].map((each) => each + 8)),
      warps: [...Map.groupBy(own, ({ warp }) => warp)].map(([warp, groups]) => {
        const isOfFocus = isFocused && Math.floor(focused / WARP_LANES) === warp;
        return {
          warp,
          lanes: groups.reduce((mask, { lanes }) => (mask | lanes) >>> 0, 0),
          errorPc: isOfFocus ? this.#errorPc : undefined,
          groups: groups.map((group) => this.#groupOf(group, isOfFocus ? focused : -1)),
        };
      }),
    };
  }

  /** Registers are those of the thread in focus. */
  #groupOf({ lanes, pc, exception }: Found, focused: number): LaneGroup {
    const hasFocus = focused >= 0 && ((lanes >>> (focused % WARP_LANES)) & 1) === 1;
    const known = hasFocus ? this.#registers : new Map<string, number>();
    return {
      lanes,
      pc,
      exception: hasFocus ? this.#exception : exception,
      register: (index) => known.get(`R${index}`),
      uniform: (index) => known.get(`UR${index}`),
    };
  }
}

/** The address of the code of a row. */
function pcOf(cells: Cells): bigint | undefined {
  const titles = ['Active PC', 'PC', 'Virtual PC', 'Active Physical PC'];
  return titles.map((each) => addressIn(cells.get(each))).find((each) => each !== undefined);
}

function atLeastOne([x, y, z]: Triple): Triple {
  return [Math.max(1, x), Math.max(1, y), Math.max(1, z)];
}
