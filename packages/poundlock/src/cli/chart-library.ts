// The charting library as text, for pages that stand alone.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The source of Chart.js in one script. */
export function chartLibrary(): string {
  const { resolve } = createRequire(import.meta.url);
  return readFileSync(resolve('chart.js/dist/chart.umd.min.js'), 'utf8');
}
