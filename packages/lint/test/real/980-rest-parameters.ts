// Helpers with a rest parameter release what is passed to it.
import { closeSync, fstatSync, openSync } from 'node:fs';

function closeAll(...fds: number[]): void {
  for (const fd of fds) closeSync(fd);
}
function closeEach(label: string, ...fds: (number | undefined)[]): void {
  fds.forEach((fd) => {
    if (fd !== undefined) closeSync(fd);
  });
  console.log(label);
}
function look(...fds: number[]): void {
  for (const fd of fds) fstatSync(fd);
}
function closeUnless(isBusy: boolean, ...fds: number[]): void {
  if (isBusy) return;
  for (const fd of fds) closeSync(fd);
}
/** @owned fds */
declare function take(...fds: number[]): void;

export function one(): void {
  const fd = openSync('a', 'r');
  closeAll(fd);
}
export function afterOthers(): void {
  const fd = openSync('a', 'r');
  closeEach('x', fd);
}
export function spread(): void {
  const fds = [openSync('a', 'r')];
  closeAll(...fds);
}
export function inClosure(): void {
  const close = (...fds: number[]): void => {
    for (const fd of fds) closeSync(fd);
  };
  const fd = openSync('a', 'r');
  close(fd);
}
export function tagged(): void {
  const fd = openSync('a', 'r');
  take(1, fd);
}

export function onlyLooked(): void {
  const fd = openSync('a', 'r'); // expect: leak
  look(fd);
}
export function onOnePath(isBusy: boolean): void {
  const fd = openSync('a', 'r'); // expect: leak
  closeUnless(isBusy, fd);
}
export function twice(): void {
  const fd = openSync('a', 'r');
  closeAll(fd);
  closeSync(fd); // expect: double-release
}
export function twiceInOne(): void {
  const fd = openSync('a', 'r');
  closeEach('x', fd, fd); // both releases are in another function
}
