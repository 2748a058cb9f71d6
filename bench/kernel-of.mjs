// Finds the kernel of a row of a table: in examples, or in bench if its name begins with bench/.

/** The address of a kernel's file. */
export function kernelUrl(name) {
  const path = name.startsWith('bench/') ? `../${name}.mjs` : `../examples/${name}.ts`;
  return new URL(path, import.meta.url);
}

/** The kernel. */
export async function kernelOf(name) {
  return (await import(kernelUrl(name))).default;
}
