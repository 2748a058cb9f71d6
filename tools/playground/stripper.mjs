// The WebAssembly that removes types as a file of its own, instead of base64 in its script.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const IN_SCRIPT = /'(?<base64>[A-Za-z0-9+/]+=*)',\s*'base64'/;

/** Writes it to a folder; an esbuild plugin that leaves it out of the script. */
export function stripperApart(root, folder) {
  const path = join(root, 'node_modules', '@swc', 'wasm-typescript', 'wasm.js');
  const script = readFileSync(path, 'utf8');
  const found = IN_SCRIPT.exec(script);
  if (found === null) throw new Error(`${path} has no WebAssembly as base64`);
  writeFileSync(join(folder, 'stripper.wasm'), Buffer.from(found.groups.base64, 'base64'));
  const contents = script.replace(IN_SCRIPT, '');
  return {
    name: 'stripper-apart',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]wasm-typescript[\\/]wasm\.js$/ }, () => ({ contents }));
    },
  };
}
