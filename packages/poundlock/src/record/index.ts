// Recording of launches: compiles the library, collects what it wrote, says what that is.
export { collect, type Collected, type CollectOptions } from './collect.ts';
export { compileLibrary, type Machine } from './compile-library.ts';
export { copyWords, readCopies, type Copies } from './copies.ts';
export { privateFolder } from './recorded-folder.ts';
export { summaryLines } from './summary.ts';
