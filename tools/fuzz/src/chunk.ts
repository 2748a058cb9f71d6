// A chunk: some programs of each kind, drawn from one seed and looked at.
import type { Checker } from './checker.ts';
import type { DrawnAt } from './kind.ts';
import { kindNamed, type KindName } from './kinds.ts';
import { isDecided, type Looked } from './looked.ts';

/** Which programs are drawn. */
export interface Chunk {
  /** The kinds of programs that are drawn. */
  readonly kinds: readonly KindName[];
  /** Chunks of seeds in a row have different programs. */
  readonly seed: number;
  /** A part of the programs: from this one on. */
  readonly from?: number;
  /** The first program that is left out again. */
  readonly to?: number;
}

/** A program of a chunk. */
export interface DrawnProgram extends DrawnAt {
  /** Its kind. */
  readonly kind: KindName;
  /** Plain data, in the words of its kind. */
  readonly program: unknown;
}

/** A program about which the checker and the truth disagree. */
export interface Disagreement extends DrawnAt {
  /** The kind of the program. */
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
  /** How many programs of each kind have which verdict. */
  readonly answers: Answers;
  /** What the checker and the truth disagree about. */
  readonly disagreements: readonly Disagreement[];
}

/** A checker that is this wrong needs no more: the rest of the chunk is left out. */
const MAX_DISAGREEMENTS = 5;

/**
 * How many programs a whole chunk of these kinds has.
 *
 * @example
 * import { chunkSize } from '@poundlock/fuzz';
 *
 * console.log(chunkSize(['users', 'polls'])); // 60
 */
export function chunkSize(kinds: readonly KindName[]): number {
  return kinds.reduce((sum, name) => sum + kindNamed(name).share, 0);
}

/**
 * Draws the programs of a chunk. The kinds take turns, so that a part has some of each.
 *
 * @example
 * import { drawChunk } from '@poundlock/fuzz';
 *
 * const drawn = drawChunk({ kinds: ['users', 'isa'], seed: 1, to: 3 });
 * console.log(drawn.map(({ kind }) => kind).join()); // users,isa,users
 */
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

/**
 * Looks at one program; what it throws is a fault.
 *
 * @example
 * import { drawChunk, lookAt, type Checker } from '@poundlock/fuzz';
 * import { check } from 'poundlock/check';
 *
 * const checker: Checker = (kernel, { timeoutMs: _, ...options }) => check(kernel, options);
 * const [drawn] = drawChunk({ kinds: ['performed'], seed: 1 });
 * const { fault } = await lookAt(checker, drawn!.kind, drawn!.program);
 * console.log(fault === ''); // true
 */
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
async function minimizedDisagreement(
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
  return { kind, seed, at, fault, program: small, drawn };
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

/**
 * Looks at every program of a chunk. The result is a function of the chunk and the checker.
 *
 * @example
 * import { runChunk, type Checker } from '@poundlock/fuzz';
 * import { check } from 'poundlock/check';
 *
 * const checker: Checker = (kernel, { timeoutMs: _, ...options }) => check(kernel, options);
 * const chunk = { kinds: ['performed'], seed: 1, to: 5 } as const;
 * const { tried, disagreements } = await runChunk(checker, chunk);
 * console.log(tried, disagreements.length); // 5 0
 */
export async function runChunk(check: Checker, chunk: Chunk): Promise<ChunkResult> {
  const counts = new Counts();
  for (const drawn of drawChunk(chunk)) {
    const looked = await lookAt(check, drawn.kind, drawn.program);
    counts.add(drawn.kind, looked);
    if (looked.fault !== '') {
      counts.disagreements.push(await minimizedDisagreement(check, drawn, looked));
      if (counts.disagreements.length >= MAX_DISAGREEMENTS) break;
    }
  }
  return counts.result;
}
