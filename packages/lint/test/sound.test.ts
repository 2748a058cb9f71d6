// The sound tier on programs with known answers: right ones have no finding, and without one of
// their releases each has one.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { applyEdits } from '#src/fix';
import { lintProgram } from '#src/index';
import { lintFiles, withPrograms, type Backend } from './programs.ts';

const FOLDER = join(import.meta.dirname, 'real', 'sound');
const NAMES = ['straight', 'classes', 'values'];
const TEMPORARY = mkdtempSync(join(tmpdir(), 'poundlock-sound-'));
after(() => rmSync(TEMPORARY, { recursive: true, force: true }));
const OPTIONS = { target: 'esnext', lib: ['esnext', 'dom'], module: 'nodenext', strict: true };
writeFileSync(join(TEMPORARY, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }));

function copied(name: string, change: (text: string) => string = (text) => text): string {
  const file = join(TEMPORARY, `${name}.ts`);
  writeFileSync(file, change(readFileSync(join(FOLDER, `${name}.ts`), 'utf8')));
  return file;
}

for (const name of ['stage', 'linear']) copied(name);

for (const backend of ['seven', 'six'] satisfies Backend[]) {
  test(`${backend}: right programs are proved`, () => {
    const files = NAMES.map((name) => copied(name));
    const findings = lintFiles(files, { tier: 'calls' }, backend);
    assert.deepEqual(
      findings.map(({ rule, primary }) => `${primary.file}:${primary.line} ${rule}`),
      [],
    );
  });
}

const RELEASE = /([\w.[\]!?#]*[\w\])!?])\??\.(?:close|release|abort)\(\)/g;

/** The file with each program once for each of its releases, without that one. */
function withoutReleases(text: string): string {
  const wrong = text.split('\n').flatMap((line) => {
    if (!line.startsWith('export ') || line.includes('// LENDS')) return [];
    return [...line.matchAll(RELEASE)].map(({ index, 0: call, 1: object = '' }, number) => {
      const rest = `void ${object.replace(/\?$/, '')}${line.slice(index + call.length)}`;
      const program = line.slice(0, index) + rest;
      return program.replace(/(function\*?|class) (\w+)/, `$1 $2_${number} /* wrong */ `);
    });
  });
  return `${text}\n${wrong.join('\n')}\n`;
}

for (const name of NAMES) {
  test(`${name}: a program without one of its releases has a finding`, () => {
    const file = copied(name, withoutReleases);
    const found = new Set(lintFiles([file], { tier: 'calls' }).map(({ primary }) => primary.line));
    const lines = readFileSync(file, 'utf8').split('\n');
    const missed = lines.filter((line, index) => /\/\* wrong/.test(line) && !found.has(index + 1));
    assert.ok(lines.filter((line) => line.includes('/* wrong')).length > 10);
    assert.deepEqual(missed, []);
  });
}

const UNKNOWN = `'poundlock/linear';
import { p, type Stage } from './stage.js';
declare function unknown(s: Stage): void;
export function f() { const s = p.acquireStage(); unknown(s); }
`;

test('the directive refuses what is unknown, with the word that is missing', () => {
  const file = join(TEMPORARY, 'unknown.ts');
  writeFileSync(file, UNKNOWN);
  const [finding] = lintFiles([file]);
  assert.equal(finding?.rule, 'refused');
  assert.match(finding.helps[0] ?? '', /@owned.*@borrowed/);
  assert.deepEqual(
    finding.fixes.map(({ title }) => title),
    ['say `@borrowed` at the parameter', 'say `@owned` at the parameter'],
  );
  writeFileSync(file, applyEdits(UNKNOWN, finding.fixes.slice(1)).text);
  assert.deepEqual(lintFiles([file]), []);
  writeFileSync(file, UNKNOWN.replace("'poundlock/linear';", ''));
  assert.deepEqual(lintFiles([file]), []);
});

test('a file is proved where nothing is refused or suppressed', () => {
  const [right, refused] = ['proved', 'suppressed'].map((name) => join(TEMPORARY, `${name}.ts`));
  const proved = UNKNOWN.replace(
    'declare function unknown(s',
    'declare function unknown(/** @owned */ s',
  );
  writeFileSync(right!, proved);
  writeFileSync(
    refused!,
    UNKNOWN.replace('export', '// poundlock-ignore-next-line refused -- ours\nexport'),
  );
  const [result] = withPrograms('seven', [right!, refused!], (programs) =>
    programs.map((program) => lintProgram(program)),
  );
  const { files, proved: handles, suppressed } = result!.coverage.sound;
  assert.deepEqual({ files, handles, suppressed }, { files: 2, handles: 1, suppressed: 1 });
});

test('values of a type with `@linear` are proved in any file', () => {
  const file = join(TEMPORARY, 'linear-type.ts');
  const program = (tag: string): string => `/** @mustRelease close
 * ${tag} */
interface Ticket { close(): void }
/** @nothrow @returnsOwned */
declare function ticket(): Ticket;
declare class Desk { take(t: Ticket): void }
export function give(desk: Desk): void { desk.take(ticket()); }
export function right(): void { ticket().close(); }
`;
  writeFileSync(file, program('@linear'));
  assert.deepEqual(
    lintFiles([file]).map(({ rule, primary }) => [rule, primary.line]),
    [['refused', 7]],
  );
  writeFileSync(file, program(''));
  assert.ok(lintFiles([file]).every(({ rule }) => rule !== 'refused'));
});
