// Methods of one object that share a variable: each can see that another has released the handle.
import { closeSync, openSync, writeSync } from 'node:fs';

function draft(path: string) {
  let fd: number | undefined = openSync(path, 'w');
  return {
    abort() {
      if (fd === undefined) return;
      closeSync(fd);
      fd = undefined;
    },
    save() {
      if (fd === undefined) throw new Error('closed');
      closeSync(fd);
      fd = undefined;
      return path;
    },
  };
}
export function saved(path: string): string {
  const file = draft(path);
  try {
    return file.save();
  } finally {
    file.abort();
  }
}
function flagged(path: string) {
  const fd = openSync(path, 'w');
  let isOpen = true;
  return {
    end() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(fd);
    },
    write() {
      writeSync(fd, 'x');
    },
  };
}
export function endedTwice(path: string): void {
  const file = flagged(path);
  file.end();
  file.end();
}
function once(path: string) {
  const fd = openSync(path, 'w');
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    closeSync(fd);
  };
}
export function calledTwice(path: string): void {
  const end = once(path);
  end();
  end();
}
async function transaction(path: string) {
  const state = { fd: openSync(path, 'w'), isOpen: true };
  const end = (): void => {
    if (!state.isOpen) return;
    state.isOpen = false;
    closeSync(state.fd);
  };
  return { commit: async () => end(), rollback: end };
}
export async function committed(path: string): Promise<void> {
  const file = await transaction(path);
  try {
    await file.commit();
  } finally {
    file.rollback();
  }
}

function unguarded(path: string) {
  const fd = openSync(path, 'w');
  return { close: () => closeSync(fd), save: () => closeSync(fd) };
}
export function savedAndClosed(path: string): void {
  const file = unguarded(path);
  file.save();
  file.close(); // expect: double-release
}
function halfGuarded(path: string) {
  let fd: number | undefined = openSync(path, 'w');
  return {
    save() {
      if (fd !== undefined) closeSync(fd);
    },
    abort() {
      if (fd === undefined) return;
      closeSync(fd);
      fd = undefined;
    },
  };
}
export function abortedAfterSave(path: string): void {
  const file = halfGuarded(path);
  file.save();
  file.abort(); // expect: double-release
}
export function savedAfterAbort(path: string): void {
  const file = halfGuarded(path);
  file.abort();
  file.save();
}
export function lost(path: string, early: boolean): void {
  const file = flagged(path); // expect: leak
  if (early) return;
  file.end();
}
