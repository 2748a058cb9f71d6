// Types with `@linear`: their values are proved in files of the default tier, too.
import type { FlowFinding } from '../flow/report.ts';
import type { LocatedFinding } from '../lint.ts';
import type { TypeOracle } from '../oracle.ts';
import type { ProjectWorld } from '../project/project.ts';
import { SoundTier, type SoundMode } from './tier.ts';

const COMMENT = /\/\*\*(?:[^*]|\*(?!\/))*\*\//g;

/** Whether a comment of documentation has `@linear` beside the tag that it belongs to. */
function tagsLinear(text: string): boolean {
  if (!text.includes('@linear')) return false;
  return (text.match(COMMENT) ?? []).some(
    (comment) => /@linear\b/.test(comment) && comment.includes('@mustRelease'),
  );
}

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
    const isNeeded = overlays.some(tagsLinear) || world.files.some(({ text }) => tagsLinear(text));
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
