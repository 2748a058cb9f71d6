// Branches that TypeScript excludes: they are not reached, so nothing is lost there.
import { closeSync, openSync } from 'node:fs';

type Kind = 'p' | 'q';
type Shape = { kind: 'a'; width: number } | { kind: 'b'; text: string };

function assertNever(value: never): never {
  throw new Error(String(value));
}
function ignore(value: never): void {
  console.log(value);
}

export function annotated(kind: Kind): void {
  const fd = openSync('a', 'r');
  if (kind === 'p') closeSync(fd);
  else if (kind === 'q') closeSync(fd);
  else {
    const never: never = kind;
    console.log(never);
  }
}
export function asserted(kind: Kind): void {
  const fd = openSync('a', 'r');
  if (kind === 'p') closeSync(fd);
  else if (kind === 'q') closeSync(fd);
  else assertNever(kind);
}
export function passed(kind: Kind): void {
  const fd = openSync('a', 'r');
  if (kind === 'p') closeSync(fd);
  else if (kind === 'q') closeSync(fd);
  else ignore(kind);
}
export function satisfied(kind: Kind): void {
  const fd = openSync('a', 'r');
  switch (kind) {
    case 'p':
    case 'q':
      closeSync(fd);
      break;
    default:
      kind satisfies never;
  }
}
export function byType(kind: Kind): void {
  const fd = openSync('a', 'r');
  if (kind === 'p') closeSync(fd);
  else if (kind === 'q') closeSync(fd);
}
export function byProperty(shape: Shape): void {
  const fd = openSync('a', 'r');
  switch (shape.kind) {
    case 'a':
      closeSync(fd);
      break;
    case 'b':
      closeSync(fd);
  }
}
export function byNumber(count: 1 | 2): void {
  const fd = openSync('a', 'r');
  if (count === 1) closeSync(fd);
  else if (count === 2) closeSync(fd);
}

export function castTo(kind: Kind): void {
  const fd = openSync('a', 'r'); // expect: leak
  if (kind === 'p') closeSync(fd);
  else {
    const other = kind as never;
    console.log(other);
  }
}
export function castArgument(kind: Kind): void {
  const fd = openSync('a', 'r'); // expect: leak
  if (kind === 'p') closeSync(fd);
  else ignore(kind as never);
}
export function optional(kind?: Kind): void {
  const fd = openSync('a', 'r'); // expect: leak
  if (kind === 'p') closeSync(fd);
  else if (kind === 'q') closeSync(fd);
}
export function third(kind: Kind | 'r'): void {
  const fd = openSync('a', 'r'); // expect: leak
  if (kind === 'p') closeSync(fd);
  else if (kind === 'q') closeSync(fd);
}
export function anyText(kind: string): void {
  const fd = openSync('a', 'r'); // expect: leak
  if (kind === 'p') closeSync(fd);
  else if (kind === 'q') closeSync(fd);
}
