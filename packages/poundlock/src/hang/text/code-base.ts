// Where a function begins whose addresses a debugger shows with lines of the source alone.
import { originAt, type Code, type Cubin } from '../dump/cubin.ts';
import { Row } from '../dump/row.ts';
import { INSTRUCTION_BYTES, isPadding } from '../dump/sass.ts';
import type { NamedLine } from './debugger-text.ts';

/** Functions begin at a multiple of this. */
const FUNCTION_ALIGN = 128n;

function lastPart(file: string): string {
  return file.split('/').at(-1) ?? file;
}

/**
 * The address of the code of a function at which each address comes from the line that is shown
 * for it; `undefined` where there is none, or several.
 */
export function baseOf(cubin: Cubin, code: Code, lines: readonly NamedLine[]): bigint | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const source = cubin.sourceOf(code);
  const bytes = new Row(code.bytes);
  const isAt = (offset: number, { file, line }: NamedLine): boolean => {
    if (isPadding(bytes, offset)) return false;
    const row = originAt(source, offset)?.row;
    return row !== undefined && row.line === line && lastPart(row.file) === lastPart(file);
  };
  const bases: bigint[] = [];
  for (let offset = 0; offset < code.bytes.length; offset += INSTRUCTION_BYTES) {
    if (!isAt(offset, first)) continue;
    const base = first.pc - BigInt(offset);
    if (base % FUNCTION_ALIGN !== 0n) continue;
    const fits = lines.every((each) => {
      const at = each.pc - base;
      return at >= 0n && at < BigInt(code.bytes.length) && isAt(Number(at), each);
    });
    if (fits) bases.push(base);
  }
  return bases.length === 1 ? bases[0] : undefined;
}
