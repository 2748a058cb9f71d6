// Nothing below cli reads arguments, environment, clock or chance, or writes to a stream.
import { faultAt, type Fault, type Source } from './source.ts';

const AMBIENT =
  /(?<![\w$.])(?:globalThis\.)?(?:(?:process|performance|console)\.\w+|Date\.now|Math\.random|new Date\b)/g;

export function ambientFaults(file: Source): Fault[] {
  if (file.path.startsWith('cli/')) return [];
  return [...file.code.matchAll(AMBIENT)].map((match) =>
    faultAt(file, match.index, `uses ${match[0]}: it is injected by cli, randomness is a seed`),
  );
}
