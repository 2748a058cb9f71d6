// The version of this package, as its manifest says.
import { readFileSync } from 'node:fs';

/** `0.1.0`. */
export function version(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
