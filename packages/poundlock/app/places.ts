// Where the roles are in the source: the lines of a state.
import type { SourceLocation } from '@poundlock/core/internal/finding';
import { nameOf } from '../src/report/diagram/index.ts';
import { findingsHere, type Exploration } from './exploration.ts';

/** A line of one or more roles. */
export interface Place {
  readonly line: number;
  readonly name: string;
  /** All roles, and what they do there. */
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

/** What a finding says of a line. */
export interface Note {
  readonly line: number;
  readonly text: string;
  /** Whether it is the line to look at first. */
  readonly isPrimary: boolean;
  readonly severity: string;
}

/** What the findings that show in this state say of the lines of a file. */
export function notesIn(exploration: Exploration, file: string): Note[] {
  return findingsHere(exploration).flatMap(({ primary, labels, severity }) => {
    // A program of others may answer in another form.
    const others: readonly SourceLocation[] = Array.isArray(labels) ? labels : [];
    return [primary, ...others].flatMap((at): Note[] => {
      const line = lineIn(at, file);
      const text = String(at.text ?? '');
      return line === undefined ? [] : [{ line, text, isPrimary: at === primary, severity }];
    });
  });
}

/** The last step, and the next operation of each role. */
export function placesIn({ now }: Exploration, file: string): Place[] {
  const last = now.trace.at(-1);
  const place = (at: At, name: string, text: string, isLast: boolean): Place[] => {
    const line = lineIn(at, file);
    return line === undefined ? [] : [{ line, name, text, isLast }];
  };
  const before = last === undefined ? [] : place(last, last.agent, last.text, true);
  const next = now.operations.flatMap((one) => place(one, one.role, one.text, false));
  return [...before, ...joined(next)];
}

/** Roles at one line as one place: many warps of a kernel are at the same one. */
function joined(places: readonly Place[]): Place[] {
  return [...Map.groupBy(places, ({ line }) => line)].map(([line, here]) => {
    const names = here.map(({ name }) => name);
    const doing = [...new Set(here.map((place) => place.text))];
    const text = [names.join(', '), ...doing].join('\n');
    return { line, name: nameOf(names), text, isLast: false };
  });
}

function lineIn({ file: own, line, ptx }: At, file: string): number | undefined {
  if (own === file) return line;
  return isPtx(file) ? ptx?.line : undefined;
}

interface At {
  readonly file?: string;
  readonly line?: number;
  readonly ptx?: { readonly line: number };
}
