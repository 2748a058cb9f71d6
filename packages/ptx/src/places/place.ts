// Where an instruction comes from: the user's line of its `.loc`, else the line of the PTX text.
import { INSTRUCTION } from '@poundlock/core/internal/base';
import type { Position } from '@poundlock/core/internal/base';
import type { Instruction, PtxModule, SourceLocation } from '../text/module.ts';

/** Where an instruction comes from. */
export interface Place {
  /** The user's source line if the kernel has line information, else the PTX line. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line in the PTX text. */
  readonly ptxLine: number;
  /** The PTX text, where the place is in another file. */
  readonly ptxFile?: string;
  readonly opcode: string;
  /** The number of the instruction; absent where only steps are known. */
  readonly index?: number;
}

/** Inlined calls that are followed to their caller. */
const MAX_FRAMES = 100;

/** The chain of an instruction's places, the innermost first. */
export function frames(location: SourceLocation | null): SourceLocation[] {
  const list: SourceLocation[] = [];
  for (let at = location; at !== null && list.length < MAX_FRAMES; at = at.inlinedAt)
    if (at.line > 0) list.push(at);
  return list;
}

/** The place of an instruction in the user's source: the outermost of its inlined calls. */
export function placeOf(module: PtxModule, instruction: Instruction): Place {
  const frame = frames(instruction.location).at(-1);
  const { line, column, opcode, index } = instruction;
  const file = frame === undefined ? undefined : module.files.get(frame.file);
  if (frame === undefined || file === undefined)
    return { file: module.file, line, column, ptxLine: line, opcode, index };
  const place = { file, line: frame.line, column: Math.max(1, frame.column) };
  return { ...place, ptxLine: line, ptxFile: module.file, opcode, index };
}

/** The place as a position of findings. */
export function positionOf({ file, line, column, ptxFile, ptxLine, index }: Place): Position {
  const ptx = ptxFile === undefined ? {} : { ptx: { file: ptxFile, line: ptxLine } };
  return { file, line, column, ...ptx, ...(index !== undefined && { [INSTRUCTION]: index }) };
}
