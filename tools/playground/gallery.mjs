// The gallery of the playground: examples/ with their titles, in groups.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** The groups in their order, and the files of each. */
const GROUPS = [
  ['Correct programs', ['*.ts', 'models/*.ts']],
  ['Mistakes, one each', ['broken/*.ts']],
  ['Warnings', ['warnings/*.ts']],
  ['Known bugs of public kernels', ['bugs/[0-9]*.ts']],
  ['Structured kernels (Mojo)', ['sm100/*.ts']],
  ['CUTLASS and CuTe DSL', ['cute/*.ts', 'cute/broken/*.ts']],
  ['PTX', ['ptx/*.ptx']],
];
/** PTX that is larger is no text to read. */
const MAX_PTX = 256 * 1024;
const IMPORT = /from\s+'(\.[^']+)'/g;
const MAX_TITLE = 90;

/** Writes gallery.json and the files that it names. */
export function writeGallery(folder, examples) {
  const all = GROUPS.flatMap(([group, patterns]) => {
    const found = patterns.flatMap((pattern) => globSync(pattern, { cwd: examples }).toSorted());
    return found.flatMap((file) => {
      const path = file.replaceAll('\\', '/');
      const example = path.endsWith('.ptx')
        ? builtExample(examples, path)
        : programExample(examples, path);
      return example === null ? [] : [{ ...example, group }];
    });
  });
  for (const path of new Set(all.flatMap(({ files }) => files))) {
    mkdirSync(dirname(join(folder, 'gallery', path)), { recursive: true });
    cpSync(join(examples, path), join(folder, 'gallery', path));
  }
  writeFileSync(join(folder, 'gallery.json'), JSON.stringify(all));
}

/** A program with the files that it imports; `null` for a file that is no kernel. */
function programExample(examples, path) {
  const text = readFileSync(join(examples, path), 'utf8');
  if (!/^export default /m.test(text)) return null;
  const files = [path];
  for (const file of files) {
    const own = readFileSync(join(examples, file), 'utf8');
    if (/from '(?:node:|poundlock\/(?:run|ring|test))/.test(own)) return null;
    for (const [, specifier] of own.matchAll(IMPORT)) {
      const next = posix.join(posix.dirname(file), specifier);
      if (!files.includes(next)) files.push(next);
    }
  }
  const id = path.replace(/\.ts$/, '');
  return { id, title: `${posix.basename(id)}: ${titleOf(text)}`, files };
}

/** The first sentence of the header. */
function titleOf(text) {
  const [, header = ''] = /^((?:\/\/.*\n)+)/.exec(text) ?? [];
  const words = header
    .replaceAll(/^\/\/ ?/gm, '')
    .replaceAll('\n', ' ')
    .trim();
  const sentence = words.replace(/^(?:Bug|Warning): /, '').split(/(?<=[^.])\. |: (?=On )/)[0];
  if (sentence.length <= MAX_TITLE) return sentence.replace(/\.$/, '');
  return `${sentence.slice(0, MAX_TITLE).replace(/ \S*$/, '')} …`;
}

/** PTX with its launch file and its CUDA source, if they are here. */
function builtExample(examples, path) {
  const ptx = readFileSync(join(examples, path), 'utf8');
  if (ptx.length > MAX_PTX) return null;
  const folder = posix.dirname(path);
  const base = posix.basename(path).replace(/\.ptx$/, '');
  const launch = launchOf(examples, folder, base, ptx);
  if (launch === null) return null;
  const source = `${folder}/${base.replace(/\.sm\w+$/, '')}.cu`;
  const sources = globSync(source, { cwd: examples });
  return { id: path.replace(/\.ptx$/, ''), title: base, files: [path, launch, ...sources] };
}

/** The launch file of the same name, or the one of the folder if it is for this kernel. */
function launchOf(examples, folder, base, ptx) {
  const short = base.replace(/[.-]sm\w+$/, '');
  const names = [`${base}.launch.json`, `${short}.launch.json`, 'launch.json'];
  const found = names.find((name) => {
    if (globSync(`${folder}/${name}`, { cwd: examples }).length === 0) return false;
    const { kernel = '' } = JSON.parse(readFileSync(join(examples, folder, name), 'utf8'));
    return ptx.includes(kernel);
  });
  return found === undefined ? null : `${folder}/${found}`;
}
