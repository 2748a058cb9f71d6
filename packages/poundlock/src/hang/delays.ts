// A PTX text with sleeps that make a schedule likely on a GPU: one warp is late at some places.
import { InputError } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/ptx/internal/text/module';
import type { KernelText } from './kernel-text.ts';

/** A PTX text with sleeps. */
export interface DelayedText {
  readonly text: string;
  /** The lines of the original before which a warp sleeps. */
  readonly lines: readonly number[];
}

/**
 * Puts a sleep before each instruction that does what the one on a line does, at the same place of
 * the user's source, for one warp.
 *
 * @throws InputError where the line has no instruction.
 */
export function withDelays(
  text: KernelText,
  line: number,
  warp: number,
  nanoseconds: number,
): DelayedText {
  const late = text.at(line);
  if (late === undefined) throw new InputError(`line ${line} of the PTX has no instruction`);
  const lines = [...new Set(text.code.instructions.filter(isLike(text, late)).map(lineOf))];
  const sleeps = new Set(lines);
  const written = text.text.split('\n').flatMap((each, index) => {
    return sleeps.has(index + 1) ? [...sleep(warp, nanoseconds), each] : [each];
  });
  const where = lines.toSorted((a, b) => a - b).join(', ');
  const head =
    `// poundlock: warp ${warp} sleeps ${nanoseconds} ns before the instructions that were on ` +
    `lines ${where}; nothing else is changed`;
  return { text: [head, ...written].join('\n'), lines };
}

function lineOf({ line }: Instruction): number {
  return line;
}

/** Whether an instruction does what another one does, at the same place of the source. */
function isLike(text: KernelText, late: Instruction): (instruction: Instruction) => boolean {
  const source = text.sourceOf(late.line);
  return ({ line, effect }) => {
    if (source === undefined) return line === late.line;
    const own = text.sourceOf(line);
    const isSame = own?.file === source.file && own.line === source.line;
    return isSame && effect.kind === late.effect.kind;
  };
}

/** The instructions of a sleep, in a scope with registers of its own. */
function sleep(warp: number, nanoseconds: number): string[] {
  const r = (index: number): string => `%poundlock_r${index}`;
  return [
    '{',
    '.reg .pred %poundlock_p;',
    '.reg .b32 %poundlock_r<5>;',
    `mov.u32 ${r(0)}, %tid.x;`,
    `mov.u32 ${r(1)}, %tid.y;`,
    `mov.u32 ${r(2)}, %tid.z;`,
    `mov.u32 ${r(3)}, %ntid.x;`,
    `mov.u32 ${r(4)}, %ntid.y;`,
    `mad.lo.u32 ${r(1)}, ${r(2)}, ${r(4)}, ${r(1)};`,
    `mad.lo.u32 ${r(0)}, ${r(1)}, ${r(3)}, ${r(0)};`,
    `shr.u32 ${r(0)}, ${r(0)}, 5;`,
    `setp.eq.u32 %poundlock_p, ${r(0)}, ${warp};`,
    `@%poundlock_p nanosleep.u32 ${nanoseconds};`,
    '}',
  ];
}
