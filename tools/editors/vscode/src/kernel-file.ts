// Which files `poundlock check` is run on when they are saved.

/** A program exports a kernel by default; PTX is one by its name. */
export function isKernelFile(name: string, text: string): boolean {
  if (/\.ptx$/i.test(name)) return true;
  if (!/\.[cm]?[jt]s$/.test(name)) return false;
  return /from\s+['"]poundlock['"]/.test(text) && /^export default\b/m.test(text);
}
