// PTX without what it says of the machine: paths of sources become relative, debug sections lose
// their data. Labels of these sections stay, because lines of the code name them: ptxas takes the
// text as before. Line numbers stay as they are.

/** `.file 1 "/home/me/project/kernel.cu"`, also with a time and a size. */
const FILE_LINE = /^(\s*\.file\s+\d+\s+")([^"\n]*)(".*)$/gm;
const DEBUG_SECTION = /^(\s*\.section\s+(\.debug_\w+)\s*\{)([^}]*)(\})/gm;
/** Names of functions are in the code, too; paths of sources are not. */
const STRINGS = '.debug_str';

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
    .replace(DEBUG_SECTION, (_, start: string, name: string, body: string, end: string) => {
      return start + withoutData(body, name === STRINGS) + end;
    });
}

/** The body of a debug section: its labels, and of strings those that are no paths. */
function withoutData(body: string, isStrings: boolean): string {
  // The first part is what comes before the first label.
  return body
    .split(/^(?=[ \t]*[\w$]+:)/m)
    .map((part) => {
      const label = /^[ \t]*[\w$]+:/.exec(part)?.[0];
      if (label !== undefined && isStrings && !/[/\\]/.test(stringOf(part))) return part;
      // An empty string, so that what names the label has something to name.
      const data = label === undefined ? '' : `${label} .b8 0`;
      return data + part.replaceAll(/[^\n]/g, '');
    })
    .join('');
}

/** The text of the bytes of a string. */
function stringOf(part: string): string {
  const bytes = [...part.matchAll(/\.b8\s+([\d,\s]+)/g)].flatMap(([, list = '']) =>
    list.split(','),
  );
  return String.fromCharCode(...bytes.map(Number));
}
