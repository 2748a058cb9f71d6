// What the roles of a program do, operation by operation, in words that tests can compare.
import { CATALOGUE, OpKind, Side, UNITS } from '@poundlock/core/internal/op';
import { Program, RecordingSteps, Unfolding } from '@poundlock/core/internal/program';
import type { RecordedStep } from '@poundlock/core/internal/program';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import { System } from '@poundlock/core/internal/system';
import type { Kernel } from 'poundlock';

/** The most moves of the run that is looked at. */
const MAX_MOVES = 20_000;

/** Operations outside the protocol: the start of a kernel, and silent operations. */
const SKIPPED: ReadonlySet<OpKind> = new Set<OpKind>([
  OpKind.init,
  OpKind.fence,
  OpKind.syncCluster,
  OpKind.more,
]);

/** What one role does, in order: `arrive input.full 1, 49152 B`. */
export function stepsOf(
  kernel: Kernel,
  role: string,
  params: Record<string, ParameterValue> = {},
): string[] {
  const program = new Program(kernel, params);
  const index = program.roles.findIndex(({ name }) => name === role);
  const list = recordedRun(program)[index]!;
  return list
    .filter(({ instruction }) => !SKIPPED.has(instruction!.kind))
    .map((step) => labelOf(program, step) + detailOf(program, step));
}

/** How many arrivals, which bytes, and which CTAs where it is not the role's own. */
function detailOf({ ctas }: Program, { instruction }: RecordedStep): string {
  const { kind, arrivals: each, lanes, bytes, barriers, cta, flights } = instruction!;
  const arrivals = kind === OpKind.arrive ? [` ${each * lanes}`] : [];
  const sized = bytes > 0 ? [` ${bytes} B`] : [];
  const reached = barriers.map((barrier) => barrier % ctas);
  const isOwn = reached.length === 0 || (reached.length === 1 && reached[0] === cta);
  const where = isOwn ? [] : [` @${reached.join()}`];
  const wide =
    flights.length > 1 && kind === OpKind.asyncCopy ? [` to ${flights.length} CTAs`] : [];
  return [...arrivals, ...sized, ...where, ...wide].join(',');
}

/** An operation by its name and what it is about, without the stage. */
export function labelOf(program: Program, { instruction }: RecordedStep): string {
  const { kind, target, barriers, writes, reads } = instruction!;
  const { declarations, ctas } = program;
  const { name } = CATALOGUE[kind]!;
  const of = (names: readonly { readonly name: string }[], id: number): string =>
    names[Math.floor(id / ctas)]!.name.replace(/\[\d+\]/, '');
  const about = (): string => {
    if (barriers.length > 0) return of(declarations.barriers, barriers[0]!);
    if (kind === OpKind.waitStage || kind === OpKind.step) return declarations.rings[target]!.name;
    if (kind === OpKind.wait || kind === OpKind.waitParity)
      return of(declarations.barriers, target);
    const touched = [...writes, ...reads][0];
    if (touched === undefined) return '';
    return declarations.buffers[Math.floor(touched / ctas)]!.replace(/\[\d+\].*/, '');
  };
  if (kind === OpKind.waitStage || kind === OpKind.step) {
    return `${name} ${about()} as ${instruction!.side === Side.produce ? 'producer' : 'consumer'}`;
  }
  const unit = Object.values(UNITS)[instruction!.unit]?.name ?? 'tcgen05.ld';
  if (kind === OpKind.waitGroup) return `${name} ${unit} ${instruction!.inFlight}`;
  return `${name} ${about()}`.trim();
}

/** One run to the end: every role's operations in order. */
export function recordedRun(program: Program): readonly (readonly RecordedStep[])[] {
  let recording: RecordingSteps | undefined;
  const system = new System(program, (_, machine) => {
    recording = new RecordingSteps(new Unfolding(program, machine), program.roles.length);
    return recording;
  });
  const words = system.initial();
  const moves = new Int32Array(1 << 12);
  for (let count = 0; count < MAX_MOVES && system.moves(words, moves) > 0; count++) {
    system.apply(words, moves[0]!);
  }
  if (!system.isFinal(words)) throw new Error(`${program.kernel.name} does not come to its end`);
  return recording!.lists;
}
