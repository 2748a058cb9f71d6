// Types are removed by what Node removes them with: lines and columns stay as they are.
import type * as Stripper from '@swc/wasm-typescript';
import { InputError } from '@poundlock/core/internal/base';
import { setStripperBytes } from './stripper-bytes.ts';

interface Thrown {
  readonly message?: unknown;
  readonly startLine?: unknown;
  readonly startColumn?: unknown;
}

/** As Node sets them. */
const AS_NODE = { mode: 'strip-only', deprecatedTsModuleAsError: true } as const;

let stripper: Pick<typeof Stripper, 'transformSync'> | null = null;

/** Makes `stripTypes` ready: PTX needs none of it. */
export async function loadStripper(bytes: Uint8Array): Promise<void> {
  setStripperBytes(bytes);
  stripper ??= await import('@swc/wasm-typescript');
}

/**
 * The JavaScript of a TypeScript text.
 *
 * @throws InputError with the position of what is no TypeScript, or needs more than that.
 */
export function stripTypes(text: string, file: string): string {
  try {
    return stripper!.transformSync(text, { ...AS_NODE, filename: file }).code;
  } catch (error) {
    const { message, startLine, startColumn } = error as Thrown;
    if (typeof startLine !== 'number' || typeof startColumn !== 'number') throw error;
    // Columns of the parser start at 0.
    const position = { file, line: startLine, column: startColumn + 1 };
    throw new InputError(`syntax error: ${String(message)}`, position);
  }
}
