// input: everything that holds PTX as its texts, with the facts of a launch that are beside it.
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { atFile } from '@poundlock/core/internal/host';
import type { SuppliedParts } from '@poundlock/ptx/internal/infer/skeleton';
import { compileCuda } from './compile.ts';
import type { Compiling } from './compile.ts';
import { isImage, ptxOfImage } from './images.ts';
import { hasModule, modulesOf } from './modules.ts';
import { tritonFacts } from './triton.ts';

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
}

/** The most bytes of a file. */
const MAX_BYTES = 1 << 30;

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

/** The PTX texts of a file. @throws InputError with what to do where it has none. */
export function readInput(path: string, shown: string, compiling: Compiling): PtxInput[] {
  const folder = dirname(path);
  const unique = (list: readonly PtxInput[]): PtxInput[] => {
    return [...new Map(list.map((each) => [each.text, each])).values()];
  };
  if (isCuda(path)) {
    const text = compileCuda(path, shown, compiling);
    return unique(ofText(text, { folder, supplied: null, isText: false }));
  }
  const { size } = atFile(shown, () => statSync(path));
  if (size > MAX_BYTES) throw new InputError(`has more than ${MAX_BYTES} bytes`);
  const bytes = atFile(shown, () => readFileSync(path));
  if (!isImage(bytes))
    return unique(ofText(bytes.toString(), { folder, supplied: tritonFacts(path), isText: true }));
  const texts = ptxOfImage(bytes, architectureOf(compiling.gpu));
  return unique(texts.flatMap((text) => ofText(text, { folder, supplied: null, isText: false })));
}

/** The PTX texts of the standard input. */
export function readStream(text: string, cwd: string): PtxInput[] {
  return ofText(text, { folder: cwd, supplied: null, isText: false });
}
