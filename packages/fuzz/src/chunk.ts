// A chunk: some programs of each kind, drawn from one seed and looked at.
import type { Checker } from './checker.ts';
import type { DrawnAt } from './kind.ts';
import { kindNamed, type KindName } from './kinds.ts';
import { isDecided, type Looked } from './looked.ts';

/** Which programs are drawn. */
export interface Chunk {
  readonly kinds: readonly KindName[];
  /** Chunks of seeds in a row have different programs. */
  readonly seed: number;
  /** A part of the programs: from this one on, and before that one. */
  readonly from?: number;
  readonly to?: number;
}

/** Programs that were found before. */
export interface KnownPrograms {
  readonly known: readonly { readonly kind: KindName; readonly program: unknown }[];
}

/** A program of a chunk. */
export interface DrawnProgram extends DrawnAt {
  readonly kind: KindName;
  readonly program: unknown;
}

/** A program about which the checker and the truth disagree. */
export interface Disagreement extends DrawnAt {
  readonly schema: 'poundlock/disagreement@1';
  readonly kind: KindName;
  /** What they disagree about. */
  readonly fault: string;
  /** The smallest program found that shows it. */
  readonly program: unknown;
  /** The program as it was drawn, and what they disagreed about there. */
  readonly drawn: { readonly fault: string; readonly program: unknown };
}

/** Counts by name of kind and verdict. */
export type Answers = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What came of a chunk. */
export interface ChunkResult {
  /** Programs that were looked at. */
  readonly tried: number;
  /** Those that were decided: a bound that was hit has shown nothing. */
  readonly decided: number;
  readonly answers: Answers;
  readonly disagreements: readonly Disagreement[];
}

/** A checker that is this wrong needs no more: the rest of the chunk is left out. */
const MAX_DISAGREEMENTS = 5;

/** How many programs a whole chunk of these kinds has. */
export function chunkSize(kinds: readonly KindName[]): number {
  return kinds.reduce((sum, name) => sum + kindNamed(name).share, 0);
}

/** Draws the programs of a chunk. The kinds take turns, so that a part has some of each. */
export function drawChunk({ kinds, seed, from, to }: Chunk): DrawnProgram[] {
  const drawn = kinds.flatMap((kind) => {
    const { draw, share } = kindNamed(kind);
    return draw(seed, share).map((program, at) => ({ kind, seed, at, program, share }));
  });
  const placeOf = ({ at, share }: (typeof drawn)[number]): number => (at + 0.5) / share;
  return drawn
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .slice(from, to)
    .map(({ share: _share, ...one }) => one);
}

/** Looks at one program; what it throws is a fault. */
export async function lookAt(check: Checker, kind: KindName, program: unknown): Promise<Looked> {
  try {
    return await kindNamed(kind).look(check, program);
  } catch (error) {
    const { name, message } = error as Error;
    return { verdict: 'thrown', fault: `thrown: ${name}: ${message}` };
  }
}

/** A program that throws what is no error of a checker is none: a role that is joined is gone. */
const isThrown = ({ verdict }: Looked): boolean => verdict === 'thrown';

/** Makes a program that shows a disagreement as small as it gets. */
export async function minimizedDisagreement(
  check: Checker,
  { kind, seed, at, program }: DrawnProgram,
  first: Looked,
): Promise<Disagreement> {
  const shows = async (candidate: unknown): Promise<boolean> => {
    const looked = await lookAt(check, kind, candidate);
    if (isThrown(first) || isThrown(looked)) return looked.fault === first.fault;
    return looked.fault !== '';
  };
  const small = await kindNamed(kind).minimize(program, shows, { seed, at });
  const { fault } = await lookAt(check, kind, small);
  const drawn = { fault: first.fault, program };
  return { schema: 'poundlock/disagreement@1', kind, seed, at, fault, program: small, drawn };
}

/** The counts of several programs. */
class Counts {
  readonly answers: Record<string, Record<string, number>> = {};
  readonly disagreements: Disagreement[] = [];
  tried = 0;
  decided = 0;

  add(kind: KindName, looked: Looked): void {
    const counts = (this.answers[kind] ??= {});
    counts[looked.verdict] = (counts[looked.verdict] ?? 0) + 1;
    this.tried++;
    if (isDecided(looked)) this.decided++;
  }

  get result(): ChunkResult {
    const { tried, decided, answers, disagreements } = this;
    return { tried, decided, answers, disagreements };
  }
}

/** Looks at every program of a chunk. The result is a function of the chunk and the checker. */
export async function runChunk(
  check: Checker,
  chunk: Chunk,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<ChunkResult> {
  const counts = new Counts();
  for (const drawn of drawChunk(chunk)) {
    const looked = await lookAt(check, drawn.kind, drawn.program);
    counts.add(drawn.kind, looked);
    if (looked.fault !== '') {
      counts.disagreements.push(await minimizedDisagreement(check, drawn, looked));
      if (counts.disagreements.length >= MAX_DISAGREEMENTS) break;
    }
    await pause();
  }
  return counts.result;
}

/** Looks at programs that were found before, as they are. */
export async function lookAtKnown(
  check: Checker,
  { known }: KnownPrograms,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<ChunkResult> {
  const counts = new Counts();
  for (const { kind, program } of known) {
    const looked = await lookAt(check, kind, program);
    counts.add(kind, looked);
    if (looked.fault !== '') counts.disagreements.push(asDisagreement(kind, looked.fault, program));
    await pause();
  }
  return counts.result;
}

/** A disagreement about a program that was not drawn here, as it is. */
export function asDisagreement(kind: KindName, fault: string, program: unknown): Disagreement {
  const drawn = { fault, program };
  return { schema: 'poundlock/disagreement@1', kind, seed: 0, at: 0, fault, program, drawn };
}
