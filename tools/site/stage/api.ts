// The API reference: TypeDoc's Markdown as pages of the site.
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { hrefOf } from './addresses.ts';
import { eachProseLine } from './links.ts';
import { plain, type Page } from './page.ts';
import { ROOT } from './repository.ts';

const FOLDER = join(ROOT, 'tools', 'site', 'dist', 'api');

/** Runs TypeDoc in a process of its own, and reads what it wrote; a draft takes what is there. */
export async function apiPages(isDraft: boolean): Promise<Page[]> {
  if (!isDraft || !existsSync(join(FOLDER, 'index.md'))) await typeDoc();
  const files = globSync('**/*.md', { cwd: FOLDER }).map((file) => file.split(sep).join('/'));
  return files.toSorted().map((file) => apiPage(file, readFileSync(join(FOLDER, file), 'utf8')));
}

function typeDoc(): Promise<void> {
  const script = join(ROOT, 'scripts', 'api-docs.mjs');
  const child = spawn(process.execPath, [script, '--markdown', FOLDER], { cwd: ROOT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the API reference: ${output}`));
    });
  });
}

function addressOf(file: string): string {
  const path = file.replace(/\.md$/, '').replace(/(^|\/)index$/, '');
  return path === '' ? 'api' : `api/${path}`;
}

function apiPage(file: string, text: string): Page {
  const [, heading = 'API reference', body = text] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  const isIndex = file === 'index.md';
  const name = plain(heading).replaceAll('\\', '');
  return {
    address: addressOf(file),
    title: isIndex ? 'API reference' : name,
    description: isIndex ? 'Every import of every package.' : `Every export of ${name}.`,
    body: withAddresses(file, body),
    more: { prev: false, next: false, tableOfContents: { maxHeadingLevel: 3 } },
  };
}

/** Links between files of TypeDoc, as links between pages. */
function withAddresses(file: string, body: string): string {
  return eachProseLine(body, (line) =>
    line.replaceAll(/\]\(([^()\s]+?\.md)(#[^()\s]+)?\)/g, (_, to: string, anchor = '') => {
      const path = posix.normalize(posix.join(posix.dirname(file), to));
      return `](${hrefOf(addressOf(path))}${anchor})`;
    }),
  );
}
