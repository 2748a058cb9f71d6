// Resolves imported names to their initializers in other files of the project: the initializer of
// `gate` in `import { gate } from './locks'` identifies `gate.acquire()`.
import type { SymbolInfo } from '../oracle.ts';
import { walk } from '../syntax/children.ts';
import type { Name, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { passedOn, pathsOf } from './reexports.ts';

export interface Following {
  /** Whether a method of this name may acquire a handle. */
  readonly mayBeCalled: (name: string) => boolean;
  /** The file of a declaration, read if it was not. */
  readonly fileOf: (key: string) => SourceFile | undefined;
  /** The text of the first of these paths that the project has. */
  readonly text: (paths: readonly string[]) => string | undefined;
}

/** A use of each imported name of a file on which an acquiring method may be called. */
export function importedReceivers(file: SourceFile, by: Following): Name[] {
  const receivers = new Map<Variable, Name>();
  walk(file.body, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    if (object.kind !== 'name' || object.variable?.imported === undefined) return;
    if (by.mayBeCalled(name)) receivers.set(object.variable, object);
  });
  return [...receivers.values()];
}

/** Resolves imported names of a file to what other files declare. */
export function followImports(
  file: SourceFile,
  names: readonly Name[],
  symbolOf: (name: Name) => SymbolInfo | undefined,
  by: Following,
): void {
  for (const name of names) {
    const variable = name.variable!;
    const symbol = symbolOf(name);
    const [key] = symbol?.declarations ?? [];
    if (key === undefined) variable.meaning = passedOnBy(file, variable, by);
    if (key === undefined || symbol?.module !== undefined) continue;
    const named = by.fileOf(key)?.body.declares.find((each) => each.name === symbol?.name);
    if (named !== undefined && named.assignments === 0) variable.meaning = named;
  }
}

/** The original name of an import that another file of the project re-exports. */
function passedOnBy(file: SourceFile, variable: Variable, by: Following): Variable | undefined {
  const { imported } = variable;
  if (imported === undefined || !imported.module.startsWith('.')) return undefined;
  const text = by.text(pathsOf(file.path, imported.module));
  const origin = text === undefined ? undefined : passedOn(text, imported.imported);
  if (origin === undefined || origin.module.startsWith('.')) return undefined;
  return { ...variable, imported: { ...imported, ...origin } };
}
