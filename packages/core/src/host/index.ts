// What every command line needs: files, globs, and errors as one line.
export { configFileOf } from './config-file.ts';
export { asInputError, failureLines, inputErrorText } from './failure.ts';
export { messageOf, nameAndMessage, oneLine } from './failure.ts';
export { commonFolder, fileName, fileNamer, pathOf } from './file-name.ts';
export { atFile, entriesOf, isThere, kindOf, readText, type FileKind } from './files.ts';
export { filesOfGlob, withoutGlobs } from './globs.ts';
export type { Host, LateFailure, Output } from './host.ts';
export { Progress, type Amount } from './progress.ts';
export { sourceText } from './source-text.ts';
export { systemMessage } from './system-error.ts';
export { mustBeWritable, replaceFile, writeAtomically } from './write-file.ts';
