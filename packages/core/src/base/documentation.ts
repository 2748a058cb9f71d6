// Where the documentation is: messages name pages by address, since no package contains them.

/** The address of a page or a schema, by its path below `docs/`. */
export function documentation(path: string): string {
  return `https://github.com/poundlock/poundlock/blob/main/docs/${path}`;
}
