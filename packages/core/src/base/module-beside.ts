// Names a module that lies beside another one, in the sources (.ts) and as compiled (.js) alike.

/**
 * The URL of the module `name` in the folder of the module at `url`, with the extension of that
 * module: threads started from sources run sources.
 *
 * @example
 * new Worker(moduleBeside('./role-thread', import.meta.url));
 */
export function moduleBeside(name: string, url: string): URL {
  return new URL(`${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url);
}
