// An exception is the cause of a leak only if it happens while the handle is held.
import { closeSync, openSync } from 'node:fs';
import puppeteer from 'puppeteer';

declare function work(): Promise<void>;

export async function acquiredInFinally(isKept: boolean): Promise<void> {
  try {
    await work();
  } finally {
    const fd = openSync('x', 'r'); // expect: leak
    if (!isKept) closeSync(fd);
  }
}
export async function releasedInFinally(): Promise<void> {
  try {
    await work();
  } finally {
    const fd = openSync('x', 'r');
    closeSync(fd);
  }
}
export class Client {
  browser: unknown;
  async start(isRemote: boolean): Promise<void> {
    await work();
    const browser = isRemote ? await puppeteer.connect({}) : await puppeteer.launch();
    this.browser = browser;
    await work();
  }
}
