// The environment of an installed package: nothing in it leads to the sources of this repository.
import process from 'node:process';

/** The environment of this process without the condition under which packages find their sources. */
export function asInstalled(more: Readonly<Record<string, string | undefined>> = {}) {
  const options = (process.env['NODE_OPTIONS'] ?? '').replace(/--conditions=\S+/, '').trim();
  return { ...process.env, NODE_OPTIONS: options, ...more };
}
