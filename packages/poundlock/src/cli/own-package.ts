// Resolves imports of kernel files: `poundlock` is always the instance that runs them.
import { registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { isOwnModule } from '@poundlock/core/internal/base';
import { noteImport } from './module-graph.ts';
import { admitModule, secureProcess } from './realm/secure.ts';

/** A module as it was read, before compilation. */
export interface LoadedModule {
  readonly url: string;
  readonly source: string;
}

/** An import that could not be resolved. */
export interface FailedImport {
  readonly specifier: string;
  readonly from: string | undefined;
}

const failedImports = new WeakMap<object, FailedImport>();
let lastLoaded: LoadedModule | undefined;
let registered = false;

/** The import that an error of the module loader is about. */
export function failedImportOf(error: object): FailedImport | undefined {
  return failedImports.get(error);
}

/** The module that was read last: a syntax error without a position is in it. */
export function lastLoadedModule(): LoadedModule | undefined {
  return lastLoaded;
}

/** A package resolves itself by name: from here, that is the running instance. */
function fromHere(specifier: string): boolean {
  return /^poundlock(?:\/.*)?$/.test(specifier);
}

/** TypeScript outside of packages is an ES module, regardless of the nearest package.json. */
function isOwnTypeScript(url: string): boolean {
  return /\.m?ts(?:\?.*)?$/.test(url) && isOfProject(url);
}

/** Whether a module is a file of the user, and in no package. */
function isOfProject(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !isOwnModule(url);
}

/** How often programs were loaded: a module that was read before may have changed since. */
let generation = 0;

/** From now on, modules of the user are read again, as others than those that are loaded. */
export function forgetPrograms(): void {
  generation++;
}

/** The address under which a module of the user is loaded now. */
export function freshUrl(url: string): string {
  if (generation === 0 || !isOfProject(url) || /[?&]run=/.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}run=${generation}`;
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  const from = context.parentURL;
  const parentURL = fromHere(specifier) ? import.meta.url : from;
  try {
    const { url, ...others } = next(specifier, { ...context, parentURL });
    const found = { ...others, url: freshUrl(url) };
    if (from !== undefined) noteImport(from, found.url);
    if (found.url.startsWith('node:') && isOfProgram(from)) admitModule(found.url);
    return isOwnTypeScript(found.url) ? { ...found, format: 'module-typescript' } : found;
  } catch (error) {
    const known = typeof error === 'object' && error !== null;
    if (known) failedImports.set(error, { specifier, from });
    throw error;
  }
};

const load: LoadHookSync = (url, context, next) => {
  lastLoaded = { url, source: '' };
  const loaded = next(url, context);
  lastLoaded = { url, source: String(loaded.source ?? '') };
  return loaded;
};

/** Whether a module is neither poundlock's own nor Node's. */
function isOfProgram(url: string | undefined): boolean {
  return url === undefined || !(url.startsWith('node:') || isOwnModule(url));
}

/** From now on, kernel files resolve this package by its name, wherever they are. */
export function provideOwnPackage(): void {
  if (registered) return;
  registered = true;
  registerHooks({ resolve, load });
}

/** From now on, kernel files are loaded in this process. */
export function prepareForPrograms(): void {
  provideOwnPackage();
  secureProcess();
}
