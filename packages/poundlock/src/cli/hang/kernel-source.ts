// Where the PTX and the code of a stopped kernel come from: the dump, or the file of `--ptx`.
import { InputError } from '@poundlock/core/internal/base';
import { fileName, type Host } from '@poundlock/core/internal/host';
import { resolve } from 'node:path';
import {
  baseOf,
  bytesInMemory,
  Cubin,
  isElf,
  readCoreDump,
  withSourceLines,
  type PlaceInCode,
  type StoppedGpu,
} from '../../hang/index.ts';
import { openFile } from './file-source.ts';

/** The most bytes of a PTX text or a cubin. */
const MAX_FILE = 1 << 28;
const HEAD = 64;
const CORE = 4;

/** What the file of `--ptx` is. */
export type PtxFile =
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'cubin'; readonly name: string; readonly cubin: Cubin }
  | { readonly kind: 'dump'; readonly name: string; readonly gpu: StoppedGpu };

/** Reads the file of `--ptx`: PTX, a cubin, or another dump. */
export function readPtxFile(argument: string, host: Pick<Host, 'cwd'>): PtxFile {
  const { source } = openFile(argument, host);
  const name = fileName(resolve(host.cwd, argument), host.cwd);
  const head = source.read(0, Math.min(HEAD, source.size));
  if (isElf(head)) {
    // A dump is read in parts, for as long as the process runs.
    if (head[16] === CORE) return { kind: 'dump', name, gpu: readCoreDump(source) };
    if (source.size > MAX_FILE) throw new InputError(`${name} has more than ${MAX_FILE} bytes`);
    const bytes = source.read(0, source.size);
    return { kind: 'cubin', name, cubin: new Cubin(bytesInMemory(name, bytes)) };
  }
  if (source.size > MAX_FILE) throw new InputError(`${name} has more than ${MAX_FILE} bytes`);
  const text = new TextDecoder().decode(source.read(0, source.size));
  if (!/^\s*\.version\s/m.test(text))
    throw new InputError(`${name} is neither PTX nor a cubin nor a core dump`);
  return { kind: 'text', name, text };
}

/** The PTX of a kernel, with the lines of the user's source. */
export interface FoundText {
  readonly text: string;
  /** What messages call it. */
  readonly file: string;
  /** Whether a file of that name has it. */
  readonly isFile: boolean;
}

/** The PTX of a kernel, or `undefined` where neither file has it. */
export function findText(
  gpu: StoppedGpu,
  kernel: string,
  place: PlaceInCode | undefined,
  ptx: PtxFile | undefined,
): FoundText | undefined {
  // Lines of the code are those of the text that it was compiled from.
  const own = place === undefined ? undefined : textOfPlace(place, gpu.file);
  if (own !== undefined || ptx === undefined) return own;
  if (ptx.kind === 'text') return { text: ptx.text, file: ptx.name, isFile: true };
  const texts = placesIn(ptx, kernel).map((each) => textOfPlace(each, ptx.name));
  return texts.find((each) => each !== undefined);
}

function textOfPlace({ cubin, code }: PlaceInCode, file: string): FoundText | undefined {
  if (cubin.ptx === undefined) return undefined;
  return { text: withSourceLines(cubin, code, cubin.ptx), file: `${file}.ptx`, isFile: false };
}

/** The code of a function in another file, by its name or a part of it. */
function placesIn(ptx: PtxFile, name: string): PlaceInCode[] {
  if (ptx.kind === 'text') return [];
  const all = ptx.kind === 'cubin' ? placesOf(ptx.cubin) : placesOfDump(ptx.gpu);
  const exact = all.filter(({ code }) => code.name === name);
  return exact.length > 0 ? exact : all.filter(({ code }) => code.name.includes(name));
}

function placesOf(cubin: Cubin): PlaceInCode[] {
  return cubin.code.map((code) => ({ cubin, code, offset: 0 }));
}

function placesOfDump(gpu: StoppedGpu): PlaceInCode[] {
  return gpu.grids.flatMap(({ entry }) => gpu.codeAt(entry) ?? []);
}

/** Where an address is in the file of `--ptx`, for code that was not saved with it. */
export function placeElsewhere(
  gpu: StoppedGpu,
  ptx: PtxFile | undefined,
  pc: bigint,
): PlaceInCode | undefined {
  if (ptx === undefined) return undefined;
  const named = gpu.symbolAt?.(pc);
  const [place] = placesIn(ptx, named?.name ?? gpu.kernelName ?? '');
  if (place === undefined) return undefined;
  const base = named === undefined ? baseOf(place.cubin, place.code, gpu.namedLines ?? []) : null;
  if (base === undefined) return undefined;
  const offset = base === null ? named!.offset : Number(pc - base);
  return offset >= 0 && offset < place.code.bytes.length ? { ...place, offset } : undefined;
}
