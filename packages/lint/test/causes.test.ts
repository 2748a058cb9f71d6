// The cause of a finding: an exception that happens after the handle was acquired.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lintFiles } from './programs.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-lint-causes-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

/** The findings in a program, with the lines of their labels. */
function labeled(text: string): [string, number, number[]][] {
  const file = join(FOLDER, 'case.ts');
  writeFileSync(file, text);
  return lintFiles([file]).map(({ rule, primary, labels }) => {
    return [rule, primary.line, labels.map(({ line }) => line)];
  });
}

test('an exception from before the acquisition is not the cause', () => {
  const text = `import { closeSync, openSync } from 'node:fs';
declare function work(): Promise<void>;
export async function last(isKept: boolean): Promise<void> {
  try {
    await work();
  } finally {
    const fd = openSync('x', 'r');
    if (!isKept) closeSync(fd);
  }
}
`;
  assert.deepEqual(labeled(text), [['leak', 7, []]]);
});

test('an exception in another function is attributed to the call that leads there', () => {
  const text = `declare function acquire(): Promise<Handle>;
/** @mustRelease close */
interface Handle { close(): void }
class Wait {
  static async until(isReady: () => boolean): Promise<void> {
    if (!isReady()) throw new Error('never');
  }
}
export async function ready(): Promise<void> {
  const handle = await acquire();
  await Wait.until(() => true);
  handle.close();
}
/** @returnsOwned */
declare function acquire(): Promise<Handle>;
`;
  for (const [, line, causes] of labeled(text)) {
    assert.equal(line, 10);
    assert.deepEqual(causes, [11]);
  }
});

test('several failing calls of a callback: each has its own cause', () => {
  const text = `import puppeteer from 'puppeteer';
declare function before(): Promise<void>;
declare function on(event: string, then: () => Promise<void>): Promise<void>;
export class Client {
  page: unknown;
  async inject(): Promise<void> {
    await on('x', async () => { await this.start(true); });
  }
  async start(isRemote: boolean): Promise<void> {
    await before();
    let browser = null;
    let page = null;
    if (isRemote) {
      browser = await puppeteer.connect({});
      page = await browser.newPage();
    } else {
      browser = await puppeteer.launch();
      page = (await browser.pages())[0];
    }
    this.page = page;
  }
}
`;
  for (const [, line, causes] of labeled(text)) for (const each of causes) assert.ok(each >= line);
});
