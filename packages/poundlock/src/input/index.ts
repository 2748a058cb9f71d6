// input: everything that holds PTX as its texts, with the facts of a launch that are beside it.
import { dirname } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { SuppliedParts } from '@poundlock/ptx/internal/infer/skeleton';
import { compileCuda } from './compile.ts';
import type { Compiling } from './compile.ts';
import { blockOfSource, withParameterNames, type SourceBlock } from './cuda-source.ts';
import { inMemory, withFile, type ByteSource } from './byte-source.ts';
import { isImage, ptxOfImage, textsOfImage } from './images.ts';
import { hasModule, modulesOf } from './modules.ts';
import { tritonFacts } from './triton.ts';
import { filesOfZip, isZip } from './zip.ts';
import { MAX_TEXT } from '@poundlock/ptx/internal/text/tokens';

export type { Compiling } from './compile.ts';

/** A PTX text of an input. */
export interface PtxInput {
  readonly text: string;
  /** Whether the file is this text: its lines are those of the text. */
  readonly isText: boolean;
  /** Where the files that its line information names are looked for. */
  readonly folder: string;
  /** What a compiler says of its launch; `null`: nothing. */
  readonly supplied: SuppliedParts | null;
  /** The block that the source launches a kernel with, by the name of the entry. */
  readonly blockOf?: (entry: string) => SourceBlock | null;
}

/** Whether a file is a CUDA source. */
export function isCuda(path: string): boolean {
  return /\.cu$/i.test(path);
}

/** The architecture of a target such as `sm_90a`; `null` for none. */
function architectureOf(gpu: string | undefined): number | null {
  const number = /\d+/.exec(gpu ?? '')?.[0];
  return number === undefined ? null : Number(number);
}

const NO_TEXT = 'is no TypeScript or JavaScript module, no PTX and no steps file';

/** The texts of a stream or a text file. @throws InputError where it has none. */
function ofText(text: string, { folder, supplied, isText }: Omit<PtxInput, 'text'>): PtxInput[] {
  if (!hasModule(text)) throw new InputError(NO_TEXT);
  return modulesOf(text).map((each) => ({ text: each, folder, supplied, isText }));
}

/** Names that flags of a compiler define: `-DSTAGES=4`, `-D STAGES`. */
function definedBy(flags: readonly string[]): Set<string> {
  const names = flags.join(' ').matchAll(/(?:^|\s)(?:-D|--define-macro[=\s])\s*(\w+)/g);
  return new Set([...names].map(([, name = '']) => name));
}

/** The PTX texts of a file. @throws InputError with what to do where it has none. */
export function readInput(path: string, shown: string, compiling: Compiling): PtxInput[] {
  const folder = dirname(path);
  const unique = (list: readonly PtxInput[]): PtxInput[] => {
    return [...new Map(list.map((each) => [each.text, each])).values()];
  };
  if (isCuda(path)) {
    const source = withFile(path, shown, ({ size, read }) => {
      return new TextDecoder().decode(read(0, size));
    });
    const text = withParameterNames(compileCuda(path, shown, compiling), source);
    const defined = definedBy(compiling.flags);
    const blockOf = (entry: string) => blockOfSource(source, entry, defined);
    const inputs = ofText(text, { folder, supplied: null, isText: false });
    return unique(inputs).map((input) => ({ ...input, blockOf }));
  }
  const gpu = architectureOf(compiling.gpu);
  const found = withFile(path, shown, (source): readonly string[] | string => {
    const start = source.read(0, Math.min(source.size, 4));
    if (isZip(start)) return textsOfArchive(source, gpu);
    if (isImage(start)) return ptxOfImage(source, gpu);
    if (source.size > MAX_TEXT) throw new InputError(`has more than ${MAX_TEXT} bytes`);
    return new TextDecoder().decode(source.read(0, source.size));
  });
  if (typeof found === 'string')
    return unique(ofText(found, { folder, supplied: tritonFacts(path), isText: true }));
  return unique(found.flatMap((text) => ofText(text, { folder, supplied: null, isText: false })));
}

/** Files of an archive that may hold PTX. */
const OF_CODE = /\.(?:ptx|cubin|fatbin|o|pyd|so(?:\.\d+)*)$/i;

/** The PTX texts in an archive, such as a wheel: its files are unpacked one by one. */
function textsOfArchive(source: ByteSource, gpu: number | null): string[] {
  const files = filesOfZip(source).filter(({ name }) => OF_CODE.test(name));
  const texts = files.flatMap(({ name, read }) => {
    const bytes = read();
    if (isImage(bytes)) return textsOfImage(inMemory(bytes), gpu);
    const text = /\.ptx$/i.test(name) ? new TextDecoder().decode(bytes) : '';
    return hasModule(text) ? [text] : [];
  });
  if (texts.length > 0) return texts;
  throw new InputError('has no PTX in its files');
}

/** The PTX texts of the standard input. */
export function readStream(text: string, cwd: string): PtxInput[] {
  return ofText(text, { folder: cwd, supplied: null, isText: false });
}
