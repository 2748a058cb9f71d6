// Types with `@linear`: their values are proved in files of the default tier, too.
import type { FlowFinding } from '../flow/report.ts';
import type { LocatedFinding } from '../lint.ts';
import type { TypeOracle } from '../oracle.ts';
import type { ProjectWorld } from '../project/project.ts';
import { SoundTier, type SoundMode } from './tier.ts';

export class LinearTypes {
  readonly #world: ProjectWorld;
  readonly #tier: SoundTier | undefined;

  /** `overlays`: the texts of declarations that the compiler does not see. */
  constructor(
    world: ProjectWorld,
    oracle: TypeOracle,
    mode: SoundMode | undefined,
    overlays: readonly string[],
  ) {
    this.#world = world;
    const isTagged = (text: string): boolean => /@linear\b/.test(text);
    const isNeeded = overlays.some(isTagged) || world.files.some(({ text }) => isTagged(text));
    const choice = { mode, files: [], onlyLinear: true };
    this.#tier = isNeeded ? new SoundTier(world, oracle, choice) : undefined;
  }

  /** The findings of the default tier about other types. */
  others(findings: readonly FlowFinding[]): readonly FlowFinding[] {
    if (this.#tier === undefined) return findings;
    return findings.filter(({ instance }) => instance?.contract.isLinear !== true);
  }

  /** What is not proved of values of these types in a file. */
  reported(path: string): readonly LocatedFinding[] {
    const file = this.#world.files.find((candidate) => candidate.path === path);
    return file === undefined ? [] : (this.#tier?.report(file).reported ?? []);
  }
}
