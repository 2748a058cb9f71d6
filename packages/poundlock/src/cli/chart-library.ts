// Reads the charting library as text, for self-contained pages.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The source of Chart.js as one script: its package exports the folder, not the file. */
export function chartLibrary(): string {
  const { resolve } = createRequire(import.meta.url);
  return readFileSync(join(dirname(resolve('chart.js')), 'chart.umd.min.js'), 'utf8');
}
