// Where the roles are in the source: the lines of a state.
import { list } from '@poundlock/core/internal/system';
import type { Exploration } from './exploration.ts';

/** A line of one or more roles. */
export interface Place {
  readonly line: number;
  readonly name: string;
  readonly text: string;
  readonly isLast: boolean;
}

/** Whether a file is PTX. */
export function isPtx(file: string): boolean {
  return /\.ptx$/i.test(file);
}

/** The files that the schedule is in, the first one first; last the PTX. */
export function filesOf({ kernel, whole, now }: Exploration): string[] {
  const places = [...whole.trace, ...now.operations, ...now.moves];
  const files = places.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const own = files.length === 0 || isPtx(kernel.file) ? [kernel.file] : [];
  return [...new Set([...files, ...own])];
}

/** The last step, and the next operation of each role. */
export function placesIn({ now }: Exploration, file: string): Place[] {
  const lineOf = ({ file: own, line, ptx }: At): number | undefined => {
    if (own === file) return line;
    return isPtx(file) ? ptx?.line : undefined;
  };
  const last = now.trace.at(-1);
  const place = (at: At, name: string, text: string, isLast: boolean): Place[] => {
    const line = lineOf(at);
    return line === undefined ? [] : [{ line, name, text, isLast }];
  };
  const before = last === undefined ? [] : place(last, last.agent, last.text, true);
  const next = now.operations.flatMap((one) => place(one, one.role, one.text, false));
  return [...before, ...joined(next)];
}

/** Roles at one line as one place: many warps of a kernel are at the same one. */
function joined(places: readonly Place[]): Place[] {
  return [...Map.groupBy(places, ({ line }) => line)].map(([line, here]) => {
    const text = [...new Set(here.map((place) => place.text))].join('\n');
    return { line, name: list(here.map(({ name }) => name)), text, isLast: false };
  });
}

interface At {
  readonly file?: string;
  readonly line?: number;
  readonly ptx?: { readonly line: number };
}
