// Incremental lint against lint from scratch: both report the same after any edit.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { LiveLint, type LocatedFinding } from '#src/index';
import { LiveSeven } from '#src/typescript/live-seven';
import config from './cases/poundlock.config.ts';
import { mutated, someMutations } from './mutation.ts';
import { lintFiles } from './programs.ts';
import { caseFiles } from './score.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-lint-live-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const HERE = import.meta.dirname;
const OPTIONS = { ...config.lint, strict: true };
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 4);
const SEED = process.env['FUZZ_SEED'] === 'random' ? Date.now() : 20_261_121;
const EVERY = 9;

const HELPERS = `import { Conn, open } from './conn.js';
export function make(): Conn { return open(); }
export function done(conn: Conn): void { conn.close(); }
export class Owner {
  #conn = open();
  close(): void { this.#conn.close(); }
}
export type Both = { one: Conn; other: Conn };
`;
const USERS = `import { make, done, Owner, type Both } from './helpers.js';
export function fine(): void { const conn = make(); done(conn); }
export function leak(): void { const owner = new Owner(); }
export function both(both: Both): void { done(both.one); }
export function late(): void { const conn = make(); conn.close(); done(conn); }
`;
const CONN = `/** @mustRelease close */
export declare class Conn { close(): void; use(): void }
export declare function open(): Conn;
`;

function write(name: string, text: string): string {
  const path = join(FOLDER, name);
  writeFileSync(path, text);
  return path;
}

const cases = [...caseFiles(join(HERE, 'cases')), ...caseFiles(join(HERE, 'idioms'))]
  .filter((_, index) => index % EVERY === 0)
  .map((file) => write(basename(file), readFileSync(file, 'utf8')));
write('prelude.d.ts', readFileSync(join(HERE, 'cases', 'prelude.d.ts'), 'utf8'));
write('conn.d.ts', CONN);
const helpers = write('helpers.ts', HELPERS);
const users = write('users.ts', USERS);
write(
  'tsconfig.json',
  JSON.stringify({ compilerOptions: { target: 'esnext', module: 'nodenext', strict: true } }),
);
const files = [...cases, helpers, users].sort();

/** The reported data of findings, in order. */
function flat(reported: readonly LocatedFinding[]): unknown[] {
  return reported.map(({ finding }) => finding);
}

function byFile(): Map<string, unknown[]> {
  const found = Map.groupBy(lintFiles(files, OPTIONS), ({ primary }) => primary.file);
  return new Map(files.map((file) => [file, found.get(file) ?? []]));
}

/** Opens all files as an editor does, and simulates typing. */
function session<T>(use: (type: (path: string, text: string) => void, editor: Editor) => T): T {
  const buffers = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const live = new LiveSeven(FOLDER, (path) => buffers.get(path));
  const lint = new LiveLint(OPTIONS);
  try {
    const project = live.open(files[0]!)!;
    const program = () => live.program(project, files)!;
    lint.settle(program());
    const type = (path: string, text: string): void => {
      buffers.set(path, text);
      writeFileSync(path, text);
      live.change({ changed: [path] });
    };
    return use(type, {
      follow: (path) => lint.follow(program(), path)!,
      settle: () => {
        live.forgetAnswers(project);
        return lint.settle(program());
      },
    });
  } finally {
    live.close();
  }
}

interface Editor {
  readonly follow: (path: string) => LocatedFinding[];
  readonly settle: () => Map<string, LocatedFinding[]>;
}

test('a file that no other imports: incremental lint reports the same', (t) => {
  t.diagnostic(`seed ${SEED}`);
  const edit = fc.tuple(fc.nat(cases.length - 1), fc.nat(cases.length - 1), someMutations);
  const originals = cases.map((file) => readFileSync(file, 'utf8'));
  fc.assert(
    fc.property(fc.array(edit, { minLength: 8, maxLength: 8 }), (edits) => {
      session((type, { follow, settle }) => {
        const reported = new Map<string, unknown[]>();
        for (const [at, other, mutations] of edits) {
          const path = cases[at]!;
          // The text of another file, mutated: classes and functions come, go and move.
          type(path, mutated(originals[other]!, mutations));
          reported.set(path, flat(follow(path)));
        }
        const fresh = byFile();
        for (const [path, found] of reported) assert.deepEqual(found, fresh.get(path), path);
        for (const [path, found] of settle()) assert.deepEqual(flat(found), fresh.get(path), path);
      });
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test('files that import one another: after a pause lint reports the same', (t) => {
  t.diagnostic(`seed ${SEED}`);
  const edit = fc.tuple(fc.constantFrom(helpers, users), someMutations);
  const originals = new Map([
    [helpers, HELPERS],
    [users, USERS],
  ]);
  fc.assert(
    fc.property(fc.array(edit, { minLength: 6, maxLength: 6 }), (edits) => {
      session((type, { follow, settle }) => {
        for (const [path, mutations] of edits) {
          type(path, mutated(originals.get(path)!, mutations));
          follow(path);
        }
        const fresh = byFile();
        for (const [path, found] of settle()) assert.deepEqual(flat(found), fresh.get(path), path);
      });
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test('a canceled analysis has no effect', () => {
  class Enough extends Error {}
  const buffers = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const live = new LiveSeven(FOLDER, (path) => buffers.get(path));
  let left = Infinity;
  const onCheckpoint = (): void => {
    if (--left < 0) throw new Enough();
  };
  const lint = new LiveLint({ ...OPTIONS, onCheckpoint });
  try {
    const project = live.open(files[0]!)!;
    const program = () => live.program(project, files)!;
    lint.settle(program());
    let interrupted = 0;
    for (const budget of [0, 10, 100, 1_000, 10_000]) {
      left = budget;
      live.forgetAnswers(project);
      try {
        lint.settle(program());
      } catch (error) {
        assert.ok(error instanceof Enough);
        interrupted++;
      }
      left = Infinity;
      assert.deepEqual(flat(lint.follow(program(), users)!), byFile().get(users));
    }
    assert.ok(interrupted >= 3);
  } finally {
    live.close();
  }
});
