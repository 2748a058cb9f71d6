// The module and the kernel that a text means.
import { InputError } from '@poundlock/core/internal/base';
import type { PtxFunction, PtxModule } from '../text/module.ts';

/** The module with the user's source files where they were found. */
export function withSources(
  module: PtxModule,
  resolve: ((file: string) => string) | undefined,
): PtxModule {
  if (resolve === undefined) return module;
  const files = [...module.files].map(([number, file]) => [number, resolve(file)] as const);
  return { ...module, files: new Map(files) };
}

/** The kernel of a module, by its whole name, a part of it, or because there is no other. */
export function findEntry(module: PtxModule, name: string): PtxFunction {
  const entries = [...module.functions.values()].filter(
    ({ isEntry, isDefined }) => isEntry && isDefined,
  );
  const list = entries.map((entry) => entry.name).join(', ');
  const start = { file: module.file, line: 1, column: 1 };
  if (entries.length === 0) throw new InputError('no kernel in this module', start);
  const exact = entries.find((entry) => entry.name === name);
  if (exact !== undefined) return exact;
  const matching = entries.filter((entry) => entry.name.includes(name));
  if (matching.length === 1) return matching[0]!;
  if (matching.length === 0)
    throw new InputError(`no kernel named '${name}': there are ${list}`, start);
  const which = name === '' ? 'several kernels' : `several kernels whose names contain '${name}'`;
  throw new InputError(`${which}: choose one of ${list} with --entry`, start);
}
