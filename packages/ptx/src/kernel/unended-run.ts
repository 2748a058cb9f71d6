// A run that did not end: how far it came, in which loop, and which number makes it shorter.
import { grouped } from '@poundlock/core/internal/base';
import type { PlacedText } from '@poundlock/core/internal/program';
import { list } from '@poundlock/core/internal/system';
import type { LoopReached } from '../exec/machine/loop-reached.ts';
import type { RunBoundError } from '../exec/machine/execute.ts';
import { Definitions } from '../flow/definitions.ts';
import { inlineCalls } from '../flow/inline.ts';
import { successors } from '../flow/successors.ts';
import { isSignal, readOf } from '../isa/questions.ts';
import { volume } from '../launch/launch.ts';
import type { LaunchFile } from '../launch/read-launch.ts';
import { scalarsOf } from '../launch/scalars.ts';
import { placeOf, positionOf } from '../places/place.ts';
import type { Instruction, Operand, PtxFunction, PtxModule } from '../text/module.ts';
import { roleName } from '../text/names.ts';

/** What was executed. */
export interface Executed {
  readonly module: PtxModule;
  readonly entry: PtxFunction;
  readonly file: LaunchFile;
  readonly options: { readonly launchIndex?: number | undefined };
}

/** The sentence of a run that a bound ended, at the loop that its busiest warp was in. */
export function unendedRun({ message, reached }: RunBoundError, executed: Executed): PlacedText {
  const { module, entry, file, options } = executed;
  const code = inlineCalls(module, entry);
  const [inner] = reached?.loops ?? [];
  if (reached === null || inner === undefined) return { text: message };
  const definitions = new Definitions(code);
  const numbersOf = (loop: LoopReached): string[] => {
    const names = namesBehind(code, loop, definitions);
    const scalars = scalarsOf(file, options.launchIndex ?? 0, entry);
    const isUsed = (number: number): boolean => names.has(entry.parameters[number]!.name);
    return scalars.filter(({ number }) => isUsed(number)).map(({ name }) => name);
  };
  // Where nothing makes the inner loop shorter, one around it may have fewer rounds.
  const loop = reached.loops.find((each) => numbersOf(each).length > 0) ?? inner;
  const numbers = numbersOf(loop);
  const ctas = volume(file.launch(options.launchIndex ?? 0, entry, {}).cluster);
  const warp = roleName(ctas, reached.cta, reached.warp);
  const where = `${warp} is in round ${grouped(loop.rounds)} of this loop`;
  const settings = numbers.map((each) => `--set ${each}=N`).join(' ');
  const hint =
    numbers.length === 0
      ? 'no number of the launch alone decides how many it has'
      : `it has fewer with a smaller ${list(numbers)}: ${settings}`;
  const position = positionOf(placeOf(module, code.instructions[loop.first]!));
  return { text: `${message}: ${where}, and ${hint}`, position, isOfSize: true };
}

/** Parameters that what ends a loop is computed from. */
function namesBehind(
  code: PtxFunction,
  { first, last }: LoopReached,
  definitions: Definitions,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = first; at <= last; at++) {
    const instruction = code.instructions[at]!;
    const { guard } = instruction;
    const isExit = successors(code, instruction).some((next) => next < first || next > last);
    if (guard === null || (!isExit && at !== last)) continue;
    const register: Operand = { kind: 'register', register: guard.register };
    const behind = definitions.behind(register, at, inputsOf);
    for (const name of behind?.names ?? []) names.add(name);
  }
  return names;
}

/** What decides a result: the parameter of a load of one, and nothing of another load. */
function inputsOf(instruction: Instruction): readonly Operand[] {
  const { operands, guard } = instruction;
  const space = readOf(instruction)?.space;
  if (isSignal(instruction) || (space !== undefined && space !== 'param')) return [];
  const condition: Operand[] =
    guard === null ? [] : [{ kind: 'register', register: guard.register }];
  return [...operands.slice(1), ...condition];
}
