// Whether what a kernel reads of global memory stays the same while it runs.
import { isLoad, mayAccessGlobal } from '../../isa/questions.ts';
import { pointersAt, type PlacedCode } from './unknown-places.ts';

/**
 * Whether nothing that decides is read of global memory that the text may write: the pointers
 * differ. Then a weak load of a word has one value, as others may not change it meanwhile.
 */
export function readsConstants(executed: PlacedCode): boolean {
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
    if (touching === null || isOfMap) return false;
    // What is read in order to see what others write is no constant.
    const { isRead, isWrite, kind } = touching.effect;
    const names = isRead && kind !== 'plain' ? null : pointersAt(index, executed);
    if (names === null) return false;
    for (const name of names) {
      if (isRead) read.add(name);
      if (isWrite) written.add(name);
    }
  }
  return ![...read].some((name) => written.has(name));
}
