// Heuristics of the default tier can be switched off one by one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { disposableOwner, type DisposableResult } from '#src/heuristics/disposables';
import { makeContract } from '#src/contract/contract';
import { TypeObligations } from '#src/obligations/from-type';
import type { TypeShape } from '#src/oracle';
import { HEURISTICS, type HeuristicId } from '#src/heuristics/index';
import { requireLintOptions } from '#src/lint';
import { lintFiles } from './programs.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-heuristics-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

test('a local that is ended on one path is owned on all, unless that is off', () => {
  const file = join(FOLDER, 'ended.ts');
  const link = 'interface Link { close(): void }\ndeclare function createLink(): Link;\n';
  const body = 'const link = createLink(); if (some) return; link.close();';
  writeFileSync(file, `${link}export function f(some: boolean): void { ${body} }`);
  const count = (on: boolean): number => {
    return lintFiles([file], { heuristics: { 'ended-locals': on } }).length;
  };
  assert.deepEqual([count(true), count(false)], [1, 0]);
});

test('what the entry drops lives as long as the process, unless that is off', () => {
  const file = join(FOLDER, 'entry.ts');
  const text =
    "import { watch } from 'node:fs';\nexport function main() { watch('a', () => {}); }\n";
  writeFileSync(file, text);
  const severityOf = (on: boolean): string[] => {
    const found = lintFiles([file], { heuristics: { 'process-lifetime': on } });
    return found.map(({ severity }) => severity);
  };
  assert.deepEqual([severityOf(true), severityOf(false)], [['note'], ['error']]);
});

test('what a library ends at the exit of the process is a note where the project asks for that', () => {
  const file = join(FOLDER, 'temporary.ts');
  const left = 'export async function left() { const made = await tmp.file(); save(made.path); }';
  const ended =
    'export async function ended(isBad: boolean) { const made = await tmp.file(); ' +
    "if (isBad) throw new Error('bad'); await made.cleanup(); }";
  const text = (setting: string): string => {
    const save = 'declare function save(path: string): void;';
    return `import tmp from 'tmp-promise';\n${setting}\n${save}\n${left}\n${ended}`;
  };
  const severities = (setting: string): string[] => {
    writeFileSync(file, text(setting));
    return lintFiles([file]).map(({ severity }) => severity);
  };
  assert.deepEqual(severities(''), ['error', 'error']);
  // The other function ends its file earlier on another path: so it has to on all.
  assert.deepEqual(severities('tmp.setGracefulCleanup();'), ['note', 'error']);
});

test('only a shown owner of what its class suggests is reported, unless that is off', () => {
  const file = join(FOLDER, 'shown.ts');
  const view = 'class View { [Symbol.dispose](): void {} }\ndeclare function keep(v: View): void;';
  const body = "const view = new View(); if (n < 0) throw new Error('n'); keep(view);";
  writeFileSync(file, `${view}\nexport function f(n: number): void { ${body} }`);
  const count = (on: boolean): number => {
    return lintFiles([file], { heuristics: { 'shown-ownership': on } }).length;
  };
  assert.deepEqual([count(true), count(false)], [0, 1]);
});

/** A result that a function binds, of a callee without a body. */
function ownerOf(name: string, properties: readonly string[], off?: HeuristicId): string {
  const call = { isNew: false, args: [], bound: {}, callee: { kind: 'name' } };
  const result = { names: [{ name: 'View' }], properties };
  const found = { call, within: 'module', target: { name }, result };
  return disposableOwner(found as unknown as DisposableResult, (id) => id !== off);
}

test('what is looked up has another owner, unless that is off', () => {
  assert.equal(ownerOf('getView', []), 'other');
  assert.equal(ownerOf('getView', [], 'lookup-verbs'), 'owned');
});

test('what reports its end is owned where a release shows that, unless that is off', () => {
  assert.equal(ownerOf('makeView', ['onDidDispose']), 'proven');
  assert.equal(ownerOf('makeView', ['onDidDispose'], 'self-ending'), 'owned');
});

test('a class owes nothing itself, as its objects do', () => {
  const contract = makeContract({ id: 'Server', typeName: 'Server', release: ['close'] });
  const no = (): undefined => undefined;
  const obligations = new TypeObligations({ overlay: no, tagged: () => contract, modeled: no });
  const kindOf = (properties: readonly string[]): string => {
    const names = [{ name: 'Server' }];
    const shape = { k: 'object', names, properties, values: [], disposal: [] };
    return obligations.of(shape as unknown as TypeShape).k;
  };
  assert.deepEqual([kindOf(['close']), kindOf(['prototype', 'close'])], ['handle', 'nothing']);
});

test('a name that no heuristic has is refused with the nearest one', () => {
  const wrong = { heuristics: { 'lookup-verb': false } } as object;
  assert.throws(() => requireLintOptions(wrong), /did you mean 'lookup-verbs'/);
  assert.equal(new Set(HEURISTICS.map(({ id }) => id)).size, HEURISTICS.length);
});

test('what is open is released, and what is not needs no release', () => {
  const file = join(FOLDER, 'open.ts');
  const client = 'interface Client { isOpen: boolean; connect(): Promise<void>; close(): void }\n';
  const create = 'declare function createClient(): Client;\n';
  const body = (end: string): string =>
    `const client = createClient(); try { await client.connect(); } finally { ${end} }`;
  const countOf = (end: string): number => {
    writeFileSync(
      file,
      `${client}${create}export async function f(some: boolean) { ${body(end)} }`,
    );
    return lintFiles([file]).length;
  };
  assert.equal(countOf('if (client.isOpen) client.close();'), 0);
  assert.equal(countOf('if (some) client.close();'), 1);
});
