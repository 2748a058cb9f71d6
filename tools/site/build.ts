// `npm run site`: builds the documentation site in tools/site/dist/html and checks its links.
//
//   --every-bug N   finds only each Nth bug of the gallery, which is faster
//   --root PATH     where the error page looks for its files; all other pages work under any path
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { astroBuild } from './astro.ts';
import { install } from './install.ts';
import { brokenLinks } from './stage/check-links.ts';
import { BASE, relocate } from './stage/relocate.ts';
import { PLAYGROUND, stage } from './stage/stage.ts';

const HTML = join(import.meta.dirname, 'dist', 'html');
/** Pages that Astro remembers, with styles that may be of another configuration. */
const CACHE = join(import.meta.dirname, 'dist', 'cache');

export interface BuildOptions {
  readonly everyBug: number;
  /** The path of the site for its error page, with a slash at its end. */
  readonly root: string;
}

/** Builds the site; returns its folder. */
export async function buildSite({ everyBug, root }: BuildOptions): Promise<string> {
  await stage({ everyBug });
  for (const old of [HTML, CACHE]) rmSync(old, { recursive: true, force: true });
  await astroBuild(BASE);
  relocate(HTML, root);
  if (existsSync(PLAYGROUND)) cpSync(PLAYGROUND, join(HTML, 'playground'), { recursive: true });
  return HTML;
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'every-bug': { type: 'string', default: '1' },
      root: { type: 'string', default: '/' },
    },
  });
  const failure = install();
  if (failure !== undefined) {
    process.stderr.write(`site: ${failure}\n`);
    return 2;
  }
  const everyBug = Math.max(1, Number.parseInt(values['every-bug'], 10) || 1);
  const root = values.root.replace(/\/*$/, '/');
  const folder = await buildSite({ everyBug, root });
  const broken = brokenLinks(folder);
  for (const line of broken) process.stderr.write(`site: ${line}\n`);
  if (broken.length === 0) process.stdout.write(`site: ${folder}, all links lead somewhere\n`);
  return broken.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await run();
