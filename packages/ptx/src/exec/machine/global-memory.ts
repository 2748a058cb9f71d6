// Memory outside the CTAs that is known: parameters, constants of the module, recorded buffers.
import type { Launch } from '../../launch/launch.ts';
import { MODULE_WINDOW, PARAMETER_WINDOW, WORKSPACE_WINDOW } from '../../launch/windows.ts';
import type { InitialAddress, PtxModule } from '../../text/module.ts';
import { byteSize } from '../../isa/scalar-type.ts';
import { mix, start } from '../../values/terms.ts';
import { unsignedBig } from '../../values/wide.ts';
import type { Wide } from '../../values/wide.ts';
import type { Layout } from './symbols.ts';

/** Bytes at consecutive addresses, and which of them are known. */
interface Block {
  readonly bytes: Uint8Array;
  readonly known: Uint8Array;
}

/** Memory outside the CTAs. What the kernel stores into is not known any more. */
export class GlobalMemory {
  readonly #module: PtxModule;
  readonly #layout: Layout;
  readonly #parameters: Block;
  readonly #constants: Block;
  /** Instructions that access memory beyond a buffer, of which one access is reported. */
  readonly beyondBuffers = new Set<number>();
  readonly #buffers: readonly { readonly address: bigint; readonly block: Block }[];

  constructor(module: PtxModule, layout: Layout, launch: Launch) {
    this.#parameters = { bytes: launch.parameters, known: launch.knownParameters };
    this.#module = module;
    this.#layout = layout;
    this.#constants = initialValues(module, layout, 'const');
    this.#buffers = launch.memory.map(({ address, contents }) => {
      return {
        address,
        block: { bytes: contents, known: new Uint8Array(contents.length).fill(1) },
      };
    });
  }

  /** Whether the launch gives the contents of buffers. */
  get hasContents(): boolean {
    return this.#buffers.length > 0;
  }

  /** Reads so far of words that were overwritten. */
  #reads = 0;

  /** Reads 1 to 8 bytes at a generic address; whether all are known. Else `out` is a term. */
  load(low: number, high: number, bytes: number, out: Wide): boolean {
    if (high === PARAMETER_WINDOW)
      return read(this.#parameters, low, bytes, out) || unknown(out, low, high);
    if (high === MODULE_WINDOW)
      return read(this.#constants, low, bytes, out) || unknown(out, low, high);
    if (this.#buffers.length === 0) return unknown(out, low, high);
    const address = unsignedBig(low, high);
    for (const buffer of this.#buffers) {
      const offset = Number(address - buffer.address);
      if (offset < 0 || offset + bytes > buffer.block.bytes.length) continue;
      if (read(buffer.block, offset, bytes, out)) return true;
      // What was stored meanwhile is not the same each time.
      unknown(out, low, high);
      mix(out, ++this.#reads, 0, 0);
      return false;
    }
    return unknown(out, low, high);
  }

  /** What of the known contents was overwritten so far, as a text. */
  get text(): string {
    return [...this.#overwritten].toSorted().join(' ');
  }

  readonly #overwritten = new Set<string>();

  /** Reads what a variable of the module is declared with; the words of the driver hold 0. */
  loadDeclared(low: number, high: number, bytes: number, out: Wide): boolean {
    if (high === WORKSPACE_WINDOW) {
      out.low = 0;
      out.high = 0;
      return true;
    }
    this.#declared ??= initialValues(this.#module, this.#layout, 'global');
    return high === MODULE_WINDOW && read(this.#declared, low, bytes, out);
  }

  #declared: Block | undefined;

  /** Something is stored at a generic address: what is there now depends on when others look. */
  overwrite(low: number, high: number, bytes: number): void {
    if (this.#buffers.length === 0) return;
    const address = unsignedBig(low, high);
    for (const { address: begin, block } of this.#buffers) {
      const offset = Number(address - begin);
      if (offset + bytes <= 0 || offset >= block.known.length) continue;
      const from = Math.max(0, offset);
      if (!block.known.subarray(from, offset + bytes).includes(1)) continue;
      this.#overwritten.add(`${begin}+${offset}/${bytes}`);
      block.known.fill(0, from, offset + bytes);
    }
  }
}

function unknown(out: Wide, low: number, high: number): boolean {
  start(out, 0x6c64);
  mix(out, low, high, 1);
  return false;
}

/** Reads bytes of a block if all are known. */
function read({ bytes, known }: Block, offset: number, count: number, out: Wide): boolean {
  if (offset < 0 || offset + count > bytes.length) return false;
  let low = 0;
  let high = 0;
  for (let index = 0; index < count; index++) {
    if (known[offset + index] === 0) return false;
    const byte = bytes[offset + index]!;
    if (index < 4) low |= byte << (8 * index);
    else high |= byte << (8 * (index - 4));
  }
  out.low = low >>> 0;
  out.high = high >>> 0;
  return true;
}

/** The address of a function that a variable holds; `null` for other addresses. */
function functionAddress(
  { symbols }: Layout,
  { symbol, offset, isPart = false }: InitialAddress,
): { readonly low: number; readonly high: number } | null {
  const found = symbols.get(symbol);
  if (isPart || found?.space !== 'module' || found.variable !== null) return null;
  return { low: found.offset + offset, high: MODULE_WINDOW };
}

/** The initial values of variables: those of `.const` ones do not change before the launch. */
function initialValues(module: PtxModule, layout: Layout, space: 'const' | 'global'): Block {
  const symbols = [...layout.symbols.values()].filter(({ space }) => space === 'module');
  const size = symbols.reduce((end, symbol) => Math.max(end, symbol.offset + symbol.size), 0);
  const block = { bytes: new Uint8Array(size), known: new Uint8Array(size) };
  for (const symbol of symbols) {
    const { variable, offset } = symbol;
    if (variable === null || variable.space !== space || !module.variables.includes(variable))
      continue;
    const width = byteSize(variable.type);
    if (variable.initial.length === 0 && space === 'const') continue;
    block.known.fill(1, offset, offset + variable.size);
    for (const [index, initializer] of variable.initial.entries()) {
      const at = offset + index * width;
      const value = 'symbol' in initializer ? functionAddress(layout, initializer) : initializer;
      for (let byte = 0; byte < width; byte++) {
        if (value === null) block.known[at + byte] = 0;
        else
          block.bytes[at + byte] =
            (byte < 4 ? value.low >>> (8 * byte) : value.high >>> (8 * (byte - 4))) & 0xff;
      }
    }
  }
  return block;
}
