// Files of this computer as a program: its first file, and a draft of a launch that is missing.
import {
  MAX_SHARED_FILES,
  type SharedFile,
} from '../../../packages/poundlock/src/explore/index.ts';

/** What the picker of files lists. */
export const ACCEPTED = '.ts,.mts,.js,.mjs,.ptx,.json,.jsonl,.cu,.cuh,.h,.hpp,.cpp,.py';

/** Files that were picked. */
export interface Picked {
  readonly files: readonly SharedFile[];
  /** Why they are not checked at once; empty where they are. */
  readonly note: string;
}

/** Reads the files, with the one first that the others belong to. */
export async function readPicked(picked: Iterable<File>): Promise<Picked> {
  const files = await Promise.all(
    [...picked].slice(0, MAX_SHARED_FILES).map(async (file): Promise<SharedFile> => {
      return { name: file.name, text: await file.text() };
    }),
  );
  return arranged(files);
}

/** The same files in their order, and with a launch. */
export function arranged(files: readonly SharedFile[]): Picked {
  const main = ORDER.map((isMain) => files.find(isMain)).find((file) => file !== undefined);
  if (main === undefined)
    return { files: [], note: 'no program (.ts), PTX or steps (.jsonl) among these files' };
  const rest = files.filter((file) => file !== main);
  const needsLaunch = isPtx(main) && !files.some(({ name }) => /\.json$/i.test(name));
  if (!needsLaunch) return { files: [main, ...rest], note: '' };
  const launch = { name: 'launch.json', text: launchDraft(main.text) };
  return { files: [main, launch, ...rest], note: DRAFTED };
}

const DRAFTED =
  'launch.json is a draft: write the grid, block and values of your launch into it, then run';

const isPtx = ({ name }: SharedFile): boolean => /\.ptx$/i.test(name);

/** What is the main file, the likeliest first. */
const ORDER: readonly ((file: SharedFile) => boolean)[] = [
  isPtx,
  ({ name }) => /\.jsonl$/i.test(name),
  ({ name, text }) => isProgram(name) && /^export default /m.test(text),
  ({ name }) => isProgram(name),
];

const isProgram = (name: string): boolean => /\.[cm]?[jt]s$/i.test(name);

const ENTRY = /\.entry\s+([\w$]+)\s*(?:\(([^)]*)\))?([^{;]*)\{/;
const PARAMETER = /\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+[^,[]*(?:\[(\d+)\])?/g;
const MAP_BYTES = 128;

/** A launch of the first kernel of a PTX text, whose numbers are there to be replaced. */
function launchDraft(ptx: string): string {
  const [, kernel = '', list = '', directives = ''] = ENTRY.exec(ptx) ?? [];
  const threads = /\.(?:max|req)ntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?/.exec(directives);
  const block = threads === null ? [128] : threads.slice(1).filter(Boolean).map(Number);
  const params = [...list.matchAll(PARAMETER)].map(([, type = '', length]) =>
    parameterDraft(type, Number(length ?? 1)),
  );
  const lines = params.map((one) => `    ${JSON.stringify(one)}`);
  const shown = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{
  "kernel": ${JSON.stringify(kernel)},
  "grid": [1],
  "block": ${JSON.stringify(block)},
  "dynamicSharedMemory": 0,
  "params": ${shown}
}
`;
}

function parameterDraft(type: string, length: number): object {
  if (type === 'b8' && length === MAP_BYTES) return { kind: 'tensormap', boxBytes: 16_384 };
  if (type.endsWith('64') && !type.startsWith('f')) return { kind: 'pointer', bytes: 65_536 };
  const isFloat = type.startsWith('f');
  return { kind: 'scalar', type: isFloat ? type : 'i32', value: isFloat ? 1 : 16 };
}
