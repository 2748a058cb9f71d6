// Recording of launches: compiles the library, collects what it wrote, says what that is.
export { chipOf } from './chips.ts';
export { collect, type Collected, type CollectOptions } from './collect.ts';
export { compileDriver, compileLibrary, type Machine } from './compile-library.ts';
export { copyWords, readCopies, type Copies } from './copies.ts';
export { privateFolder } from './recorded-folder.ts';
export { collectPython, merged, PYTHON_FOLDER } from './python-launches.ts';
export { summaryLines } from './summary.ts';
