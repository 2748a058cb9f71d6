// `npm run site:dev`: serves the site, and stages its pages again when a file changes.
import { watch } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { astro } from './astro.ts';
import { install } from './install.ts';
import { ROOT } from './stage/repository.ts';
import { stage } from './stage/stage.ts';

/** Folders whose files are pages. */
const WATCHED = ['docs', 'packages/core/rules', 'examples', 'bench/results'];
/** An editor writes a file in several steps. */
const QUIET_MS = 300;
/** Bugs of the gallery are not checked while one writes. */
const NO_BUG = Number.MAX_SAFE_INTEGER;

const failure = install();
if (failure === undefined) serve();
else {
  process.stderr.write(`site: ${failure}\n`);
  process.exitCode = 2;
}

function serve(): void {
  let timer: NodeJS.Timeout | undefined;
  void restage().then(() => {
    for (const folder of WATCHED) {
      watch(join(ROOT, folder), { recursive: true }, () => {
        clearTimeout(timer);
        timer = setTimeout(() => void restage(), QUIET_MS);
      });
    }
    astro(['dev'], {}, 'inherit').on('close', (code) => process.exit(code ?? 1));
  });
}

async function restage(): Promise<void> {
  try {
    await stage({ everyBug: NO_BUG, isDraft: true });
  } catch (error) {
    process.stderr.write(`site: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
