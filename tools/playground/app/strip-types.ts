// Types are removed by what Node removes them with: lines and columns stay as they are.
import type * as Amaro from 'amaro';
import { InputError } from '@poundlock/core/internal/base';
import { setStripperBytes } from './stripper-bytes.ts';

interface Thrown {
  readonly message?: unknown;
  readonly startLine?: unknown;
  readonly startColumn?: unknown;
}

let amaro: Pick<typeof Amaro, 'transformSync'> | null = null;

/** Makes `stripTypes` ready: PTX needs none of it. */
export async function loadStripper(bytes: Uint8Array): Promise<void> {
  setStripperBytes(bytes);
  amaro ??= await import('amaro');
}

/**
 * The JavaScript of a TypeScript text.
 *
 * @throws InputError with the position of what is no TypeScript, or needs more than that.
 */
export function stripTypes(text: string, file: string): string {
  try {
    return amaro!.transformSync(text, { mode: 'strip-only', filename: file }).code;
  } catch (error) {
    const { message, startLine, startColumn } = error as Thrown;
    if (typeof startLine !== 'number' || typeof startColumn !== 'number') throw error;
    // Columns of the parser start at 0.
    const position = { file, line: startLine, column: startColumn + 1 };
    throw new InputError(`syntax error: ${String(message)}`, position);
  }
}
