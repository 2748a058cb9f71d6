// Writes what Astro builds the site of: the pages, their styles and public files, the sidebar.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIAGRAM_STYLE } from '../../../packages/poundlock/src/report/diagram/index.ts';
import { addressOf, markdownFiles } from './addresses.ts';
import { apiPages } from './api.ts';
import { examplePages } from './examples.ts';
import { frontPage } from './front.ts';
import { galleryPages } from './gallery.ts';
import { fileOf, pageOf, type Page } from './page.ts';
import { performancePage } from './performance.ts';
import { usePlayground, withLinks } from './playground.ts';
import { ROOT, textOf } from './repository.ts';
import { rulePages } from './rules.ts';
import { sidebarOf } from './sidebar.ts';

/** Where all of it is written; Git, the linter and the tests ignore `dist`. */
const STAGED = join(ROOT, 'tools', 'site', 'dist', 'staged');
/** The files of the playground, if it is built. */
export const PLAYGROUND = join(STAGED, 'playground');

export interface StageOptions {
  /** Only each nth bug of the gallery is checked. */
  readonly everyBug: number;
  /** Without the API reference, which takes longest, if it was written before. */
  readonly isDraft?: boolean;
}

/** Stages all pages; a file that did not change is not written again. */
export async function stage({ everyBug, isDraft = false }: StageOptions): Promise<readonly Page[]> {
  const hasPlayground = await bundlePlayground();
  usePlayground(hasPlayground ? PLAYGROUND : null);
  // TypeDoc has a process of its own, beside which this one checks the gallery.
  const api = apiPages(isDraft);
  api.catch(() => undefined);
  const pages: Page[] = [
    await frontPage(),
    performancePage(),
    ...markdownFiles().map((path) => pageOf(path, addressOf(path)!, textOf(path))),
    ...rulePages(),
    ...examplePages(),
    ...(await galleryPages((at) => at % everyBug === 0)),
    ...(await api),
  ];
  const files = new Map<string, string>();
  for (const page of pages) files.set(pathOf(page), await withLinks(fileOf(page)));
  files.set('style/diagram.css', DIAGRAM_STYLE);
  files.set('sidebar.json', JSON.stringify(sidebarOf(pages, hasPlayground), null, 1));
  if (!isDraft) rmSync(join(STAGED, 'pages'), { recursive: true, force: true });
  for (const [path, text] of files) write(path, text);
  cpSync(join(ROOT, 'tools', 'site', 'public'), join(STAGED, 'public'), { recursive: true });
  cpSync(join(ROOT, 'docs', 'pictures'), join(STAGED, 'public', 'pictures'), { recursive: true });
  return pages;
}

function pathOf({ address }: Page): string {
  return `pages/${address === '' ? 'index' : address}.md`;
}

/** Bundles the playground, if the repository has one. */
async function bundlePlayground(): Promise<boolean> {
  const script = join(ROOT, 'tools', 'playground', 'build.mjs');
  rmSync(PLAYGROUND, { recursive: true, force: true });
  if (!existsSync(script)) return false;
  const { bundlePlayground: bundle } = (await import(pathToFileURL(script).href)) as {
    bundlePlayground: (folder: string) => Promise<void>;
  };
  await bundle(PLAYGROUND);
  const page = join(PLAYGROUND, 'index.html');
  const text = readFileSync(page, 'utf8');
  const own = text.replace(/(<meta name="documentation" content=")[^"]*/, '$1../');
  if (own === text) throw new Error('the page of the playground names no documentation');
  writeFileSync(page, own);
  return true;
}

function write(path: string, text: string): void {
  const file = join(STAGED, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
