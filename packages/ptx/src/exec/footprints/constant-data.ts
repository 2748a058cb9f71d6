// Whether what a kernel reads of global memory stays the same while it runs.
import { isLoad, mayAccessGlobal } from '../../isa/questions.ts';
import type { Constancy } from '../../steps/run.ts';
import { pointersAt, type PlacedCode } from './unknown-places.ts';

/**
 * What the text writes of the global memory that it reads to decide. Where that is nothing, a weak
 * load of a word has one value, as others may not change it meanwhile.
 */
export function constancyOf(executed: PlacedCode): Constancy {
  const { program } = executed;
  const read = new Set<string>();
  const written = new Set<string>();
  for (const instruction of program.code.instructions) {
    if (!mayAccessGlobal(instruction)) continue;
    const { effect, index } = instruction;
    if (isLoad(instruction) && program.slice?.isData(instruction) === true) continue;
    const touching = program.touchings[index]!;
    // The bytes behind a tensor map are those of some pointer.
    const isOfMap = effect.kind === 'copy' && effect.op === 'tensor';
    if (touching === null || isOfMap) return 'open';
    // What is read in order to see what others write is no constant.
    const { isRead, isWrite, kind } = touching.effect;
    const names = isRead && kind !== 'plain' ? null : pointersAt(index, executed);
    if (names === null) return 'open';
    for (const name of names) {
      if (isRead) read.add(name);
      if (isWrite) written.add(name);
    }
  }
  if (written.size === 0) return 'never written';
  return [...read].some((name) => written.has(name)) ? 'open' : 'written elsewhere';
}
