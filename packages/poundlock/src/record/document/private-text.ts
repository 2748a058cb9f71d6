// PTX without what it says of the machine: paths of sources become relative, debug sections empty.
// Line numbers stay as they are.

/** `.file 1 "/home/me/project/kernel.cu"`, also with a time and a size. */
const FILE_LINE = /^(\s*\.file\s+\d+\s+")([^"\n]*)(".*)$/gm;
const DEBUG_SECTION = /^(\s*\.section\s+\.debug_\w+\s*\{)([^}]*)(\})/gm;

function relativePath(path: string, folder: string): string {
  const below = folder.endsWith('/') ? folder : `${folder}/`;
  if (path.startsWith(below)) return path.slice(below.length);
  // What is outside of the folder keeps its name alone.
  return path.startsWith('/') || path.includes('..') || /^[A-Za-z]:/.test(path)
    ? path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    : path;
}

/** The text with paths relative to a folder. */
export function withoutPaths(text: string, folder: string): string {
  return text
    .replace(FILE_LINE, (_, start: string, path: string, end: string) => {
      return start + relativePath(path, folder) + end.slice(0, 1);
    })
    .replace(DEBUG_SECTION, (_, start: string, body: string, end: string) => {
      return start + body.replaceAll(/[^\n]/g, '') + end;
    });
}
