// Explains why a module could not be imported, with the position in the user's source.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { InputError, positionInStack, type Position } from '@poundlock/core/internal/base';
import { messageOf, nameAndMessage, pathOf } from '@poundlock/core/internal/host';
import { failedImportOf, lastLoadedModule, type FailedImport } from './own-package.ts';

/** The head that Node prints above a stack: `file:line`, the source, carets below it. */
const HEAD = /^(?<file>(?:file:|\/|[A-Za-z]:\\|\[stdin\]).*?):(?<line>\d+)\r?\n/;
const CARETS = /^([^\S\n]*)\^+\s*$/m;

function headPosition(stack: string): Position | undefined {
  const { file, line } = HEAD.exec(stack)?.groups ?? {};
  if (file === undefined || line === undefined) return undefined;
  const column = (CARETS.exec(stack)?.[1]?.length ?? 0) + 1;
  return { file, line: Number(line), column };
}

/** V8 does not report where a module is malformed; Node's syntax check does. */
function malformedAt(): Position | undefined {
  const module = lastLoadedModule();
  if (module === undefined || module.source === '') return undefined;
  const type = /\.[cm]?ts$/.test(module.url) ? 'module-typescript' : 'module';
  const args = ['--no-warnings', '--check', `--input-type=${type}`, '-'];
  const { stderr } = spawnSync(process.execPath, args, {
    input: module.source,
    encoding: 'utf8',
  });
  const position = headPosition(stderr);
  return position && { ...position, file: module.url };
}

function syntaxError(error: Error): InputError {
  const position = headPosition(error.stack ?? '') ?? malformedAt();
  const file = position === undefined ? lastLoadedModule()?.url : undefined;
  const where = file === undefined ? '' : ` in ${pathOf(file)}`;
  const isLink = error.message.includes('does not provide an export named');
  return new InputError(`${isLink ? '' : 'syntax error: '}${messageOf(error)}${where}`, position);
}

/** Where `specifier` is written in the module that imports it. */
function specifierAt({ specifier, from }: FailedImport): Position | undefined {
  if (from === undefined || !from.startsWith('file:')) return undefined;
  const lines = readFileSync(pathOf(from), 'utf8').split('\n');
  const written = [`'${specifier}'`, `"${specifier}"`];
  for (const [index, text] of lines.entries()) {
    const at = Math.max(...written.map((one) => text.indexOf(one)));
    if (at >= 0) return { file: from, line: index + 1, column: at + 1 };
  }
  return { file: from, line: 1, column: 1 };
}

function unresolved(error: Error, failed: FailedImport): InputError {
  const { specifier } = failed;
  const notExported = 'code' in error && error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  const what = notExported
    ? `'${specifier}' is not exported by its package`
    : `cannot find '${specifier}'`;
  return new InputError(what, specifierAt(failed));
}

/** The module's own frame: the frames below those of the module loader belong to the importer. */
function thrownAt(error: Error): Position | undefined {
  return positionInStack(error.stack?.split('(node:internal/modules')[0]);
}

/** Describes what an import threw, as the user's mistake in one sentence. */
export function importFailure(thrown: unknown): InputError {
  if (!(thrown instanceof Error)) {
    return new InputError(`throws ${messageOf(thrown)} while it is loaded`);
  }
  const failed = failedImportOf(thrown);
  if (thrown instanceof InputError) {
    const at = thrown.position ?? (failed && specifierAt(failed)) ?? thrownAt(thrown);
    return new InputError(thrown.message, at);
  }
  if (failed !== undefined) return unresolved(thrown, failed);
  if ('code' in thrown && thrown.code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return new InputError('is not a TypeScript or JavaScript module');
  }
  const position = thrownAt(thrown);
  if (thrown instanceof SyntaxError && position === undefined) return syntaxError(thrown);
  return new InputError(`throws while it is loaded: ${nameAndMessage(thrown)}`, position);
}
