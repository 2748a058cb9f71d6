// What the analysis followed: handles by the place that they are from, and where it gave up.
import type { Contract } from '../contract/contract.ts';
import type { SourceRange } from '../flow/state.ts';
import type { SoundCoverage } from '../sound/tier.ts';

/** What was followed, and what is proved. */
export interface Coverage {
  /** Handles that were followed. */
  readonly handles: number;
  /** The names of their contracts. */
  readonly kinds: readonly string[];
  /** The files that they are in. */
  readonly files: number;
  /** What the sound tier says of its files. */
  readonly sound: Omit<SoundCoverage, 'bounds'>;
  /** Functions with too many situations. */
  readonly bounds: number;
}

export class Followed {
  readonly #handles = new Set<string>();
  readonly #kinds = new Set<string>();
  readonly #files = new Set<string>();
  readonly bounds = new Set<unknown>();

  add({ id }: Contract, { file, start }: SourceRange): void {
    this.#handles.add(`${file.path}:${start}`);
    this.#kinds.add(id);
    this.#files.add(file.path);
  }

  /** With what the sound tier says of its files. */
  coverage({ bounds, ...sound }: SoundCoverage): Coverage {
    return {
      handles: this.#handles.size,
      kinds: [...this.#kinds],
      files: this.#files.size,
      sound,
      bounds: this.bounds.size + bounds,
    };
  }
}

/** The sum of what was followed in several projects. */
export function sumOfCoverage([first, ...others]: readonly Coverage[]): Coverage {
  const start = first ?? new Followed().coverage(NO_COVERAGE);
  return others.reduce(
    (sum, each) => ({
      handles: sum.handles + each.handles,
      kinds: [...new Set([...sum.kinds, ...each.kinds])],
      files: sum.files + each.files,
      sound: {
        files: sum.sound.files + each.sound.files,
        proved: sum.sound.proved + each.sound.proved,
        refused: sum.sound.refused + each.sound.refused,
        suppressed: sum.sound.suppressed + each.sound.suppressed,
      },
      bounds: sum.bounds + each.bounds,
    }),
    start,
  );
}

const NO_COVERAGE: SoundCoverage = {
  files: 0,
  proved: 0,
  refused: 0,
  suppressed: 0,
  bounds: 0,
};
