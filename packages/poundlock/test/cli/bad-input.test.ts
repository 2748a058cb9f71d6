import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvariantError } from '../../../core/src/base/index.ts';
import { folder, poundlock } from './fake-host.ts';
import { RING } from './kernels.ts';

interface Case {
  readonly what: string;
  readonly argv: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** The one line on stderr, after `poundlock: `. */
  readonly line: RegExp;
}

/** A kernel whose only role has this body. */
const role = (body: string, head = 'function*') =>
  `import { kernel, role } from 'poundlock';\nexport default kernel('k', {}, () => [\n` +
  `  role('load', ${head} () {\n    ${body}\n  }),\n]);\n`;
const ring = { 'ring.ts': RING };
const check = (text: string) => ({ argv: ['check', 'k.ts'], files: { 'k.ts': text } });

const FILES: Case[] = [
  {
    what: 'more stages than there is room for',
    argv: ['check', 'ring.ts', '--set', 'stages=1000000000'],
    files: ring,
    line: /^ring\.ts:\d+:\d+: a kernel declares more than 50000 barriers, buffers and cells: are/,
  },
  { what: 'no file', argv: ['check', 'gone.ts'], line: /^gone\.ts: no such file$/ },
  { what: 'a directory', argv: ['check', '.'], line: /^\.: has no PTX and no launch file in it/ },
  {
    what: 'no module',
    argv: ['check', 'notes.md'],
    files: { 'notes.md': 'hello' },
    line: /^notes\.md: is no TypeScript or JavaScript module, no PTX and no steps file$/,
  },
  { what: 'no default export', ...check('export const a = 1;'), line: /^k\.ts: has no default ex/ },
  {
    what: 'a function as default export',
    ...check('export default () => 1;'),
    line: /^k\.ts: its default export is a function, not a kernel: write `export default kernel/,
  },
  { what: 'a number', ...check('export default 42;'), line: /is the number 42, not a kernel/ },
  { what: 'a list', ...check('export default [];'), line: /is an array, not a kernel/ },
  { what: 'null', ...check('export default null;'), line: /is null, not a kernel/ },
  {
    what: 'a syntax error in TypeScript',
    ...check('// 1\nconst a: number = = 3;\n'),
    line: /^k\.ts:2:19: syntax error: Expression expected$/,
  },
  {
    what: 'a syntax error that only V8 sees',
    ...check('const a = 1;\nconst a = 2;\nexport default a;'),
    line: /^k\.ts:2:7: syntax error: Identifier 'a' has already been declared$/,
  },
  {
    what: 'TypeScript that has to be compiled',
    ...check('\nenum E { A }\n'),
    line: /^k\.ts:2:1: syntax error: TypeScript enum is not supported/,
  },
  {
    what: 'a syntax error in JavaScript',
    argv: ['check', 'k.js'],
    files: { 'k.js': 'export const a = 1;\n  const b = ;\n' },
    line: /^k\.js:2:13: syntax error: Unexpected token ';'$/,
  },
  {
    what: 'a syntax error in an imported module',
    argv: ['check', 'k.ts'],
    files: { 'k.ts': `import './lib/a.mjs';`, 'lib/a.mjs': '\n\nlet let = 1;\n' },
    line: /^lib\/a\.mjs:3:5: syntax error: /,
  },
  {
    what: 'a missing module',
    ...check(`import 'poundlock';\nimport { a } from './gone.ts';`),
    line: /^k\.ts:2:19: cannot find '\.\/gone\.ts'$/,
  },
  {
    what: 'a missing package',
    ...check(`import a from "no-such-package";`),
    line: /^k\.ts:1:15: cannot find 'no-such-package'$/,
  },
  {
    what: 'a missing name',
    ...check(`import { kernel, nothing } from 'poundlock';`),
    line: /^k\.ts:1:18: .*'poundlock' does not provide an export named 'nothing'$/,
  },
  {
    what: 'a part of this package that there is not',
    ...check(`import { x } from 'poundlock/nothing';`),
    line: /^k\.ts:1:19: 'poundlock\/nothing' is not exported by its package$/,
  },
  {
    what: 'a module that throws',
    ...check(`\nfunction stop() { throw new TypeError('two\\nlines'); }\nstop();`),
    line: /^k\.ts:2:25: throws while it is loaded: TypeError: two lines$/,
  },
  {
    what: 'a module that throws a string',
    ...check(`throw 'stop';`),
    line: /^k\.ts: throws 'stop' while it is loaded$/,
  },
  {
    what: 'a declaration outside of a kernel',
    ...check(`import { barrier } from 'poundlock';\n\nbarrier('b');`),
    line: /^k\.ts:3:1: .*must be called inside a kernel/,
  },
];

const PROGRAMS: Case[] = [
  {
    what: 'a role that throws',
    ...check(role(`throw new Error('no luck');`)),
    line: /^k\.ts:4:11: .*no luck/,
  },
  {
    what: 'a role that yields a number',
    ...check(role('yield 42;')),
    line: /^k\.ts:.* 42/,
  },
  { what: 'an async role', ...check(role('', 'async function')), line: /^k\.ts:3:3: .*async/ },
  {
    what: 'a kernel without roles',
    ...check(`import { kernel } from 'poundlock';\n\nexport default kernel('k', {}, () => []);`),
    line: /^k\.ts:3:\d+: /,
  },
];

const PARAMETERS: Case[] = [
  {
    what: 'a value of another type',
    argv: ['check', 'ring.ts', '--set', 'stages=abc'],
    files: ring,
    line: /^ring\.ts: .*stages must be a number, not "abc"$/,
  },
  {
    what: 'an unknown parameter',
    argv: ['check', 'ring.ts', '--set', 'stags=3'],
    files: ring,
    line: /^ring\.ts: kernel ring has no parameter stags: did you mean stages\? \(it has stages, /,
  },
  {
    what: 'an unknown parameter of a sweep',
    argv: ['check', 'ring.ts', '--sweep', 'depth=1..2'],
    files: ring,
    line: /^ring\.ts: kernel ring has no parameter depth: it has stages, tiles, /,
  },
  {
    what: 'no value',
    argv: ['check', 'x.ts', '--set', 'stages'],
    line: /^--set stages: write it as/,
  },
  {
    what: 'no range',
    argv: ['check', 'x.ts', '--sweep', 'a=1..'],
    line: /^--sweep a=1\.\.: write /,
  },
  {
    what: 'an empty range',
    argv: ['check', 'x.ts', '--sweep', 'a=4..1'],
    line: /^--sweep a=4\.\.1 has no values: 4 is above 1$/,
  },
  {
    what: 'a parameter that is set and swept',
    argv: ['check', 'ring.ts', '--set', 'stages=1', '--sweep', 'stages=1..2'],
    files: ring,
    line: /^ring\.ts: --set and --sweep both give stages$/,
  },
  {
    what: 'a replay of several results',
    argv: ['check', 'ring.ts', '--replay', 'l1', '--sweep', 'stages=1..2'],
    files: ring,
    line: /^--replay takes one file and one set of parameters$/,
  },
  {
    what: 'a token that is none',
    argv: ['check', 'ring.ts', '--replay', '3'],
    files: ring,
    line: /^ring\.ts: the replay token is invalid at character 1/,
  },
];

const cases = (text: string) => ({
  argv: ['check', 'ring.ts', '--cases', 'sizes.csv'],
  files: { ...ring, 'sizes.csv': text },
});

const CSV: Case[] = [
  {
    what: 'no CSV',
    ...cases(''),
    argv: ['check', 'ring.ts', '--cases', 'x.csv'],
    line: /^--cases x\.csv: no such file$/,
  },
  {
    what: 'a short row',
    ...cases('stages,tiles\n1,2\n3\n'),
    line: /^sizes\.csv:3:1: this row has 1 cell/,
  },
  {
    what: 'a bad cell',
    ...cases('stages,tiles\n1,2\n\n3,x\n'),
    line: /^sizes\.csv:4:1: .*tiles must be a number, not "x"$/,
  },
  {
    what: 'an open quote',
    ...cases('stages,tiles\n"1,2\n'),
    line: /^sizes\.csv:\d:1: a quote is opened/,
  },
  { what: 'a quote in a cell', ...cases('stages\n1"2\n'), line: /^sizes\.csv:2:1: invalid/ },
  {
    what: 'no parameter',
    ...cases('a,b\n1,2\n'),
    line: /^sizes\.csv:1:1: no column names a parameter/,
  },
  { what: 'no row', ...cases('stages\n'), line: /^sizes\.csv:1:1: there is no row/ },
  { what: 'an empty file', ...cases(''), line: /^sizes\.csv:1:1: the file is empty/ },
  {
    what: 'a column twice',
    ...cases('stages,stages\n1,2\n'),
    line: /^sizes\.csv:1:1: the column stages/,
  },
  {
    what: 'a parameter twice',
    ...cases('tile_bytes,tileBytes\n1,2\n'),
    line: /^sizes\.csv:1:1: two col/,
  },
];

const USAGE: Case[] = [
  { what: 'no file at all', argv: ['check'], line: /^missing required argument 'FILE': / },
  {
    what: 'an unknown option',
    argv: ['check', 'a.ts', '--sett', 'a=1'],
    line: /'--sett' \(Did you mean --set\?\)$/,
  },
  {
    what: 'an unknown verb',
    argv: ['chek', 'a.ts'],
    line: /^there is no command chek: did you mean check\?$/,
  },
  {
    what: 'a file as verb',
    argv: ['a.ts'],
    line: /^there is no command a\.ts: did you mean `poundlock check a\.ts`\?$/,
  },
  {
    what: 'an unknown engine',
    argv: ['check', 'a.ts', '--engine', 'magic'],
    line: /Allowed choices are auto, certify, reduced, search/,
  },
  {
    what: 'no states',
    argv: ['check', 'a.ts', '--max-states', '0'],
    line: /^--max-states must be a whole number of at/,
  },
  {
    what: 'no time',
    argv: ['check', 'a.ts', '--timeout', 'soon'],
    line: /^--timeout must be a time like 30, 30s/,
  },
  {
    what: 'an unknown reporter',
    argv: ['check', 'a.ts', '--reporter', 'jsn'],
    line: /^there is no reporter jsn: did you mean json\?$/,
  },
  {
    what: 'two reporters on stdout',
    argv: ['check', 'a.ts', '--json', '--reporter', 'terminal'],
    line: /^two reporters write to stdout/,
  },
  {
    what: 'a report into nowhere',
    argv: ['check', 'a.ts', '--reporter', 'json=x/y.json'],
    line: /^cannot write x\/y\.json: no such directory$/,
  },
  {
    what: 'replay and example',
    argv: ['check', 'a.ts', '--replay', 'l1', '--example'],
    line: /cannot be used with option '--example'$/,
  },
  {
    what: 'an unknown rule',
    argv: ['explain', 'dedlock'],
    line: /^no message has the word dedlock: did you mean deadlock\?/,
  },
];

for (const { what, argv, files, line } of [
  ...FILES,
  ...PROGRAMS,
  ...PARAMETERS,
  ...CSV,
  ...USAGE,
]) {
  test(`bad input is one line and exit 2: ${what}`, async (t) => {
    const { code, stdout, stderr } = await poundlock(folder(t, files), argv);
    assert.match(stderr, /^poundlock: .*\n$/);
    assert.match(stderr.slice('poundlock: '.length, -1), line);
    assert.equal(stdout, '');
    assert.equal(code, 2);
  });
}

test('a bug of ours says so, with its stack only when it is asked for', async (t) => {
  const argv = ['check', 'ring.ts', '--set', 'tiles=4000'];
  const failsOnce = () => {
    let pauses = 0;
    return async () => {
      if (pauses++ === 0) throw new InvariantError('a state has no name');
    };
  };
  const quiet = await poundlock(folder(t, ring), argv, { pause: failsOnce() });
  const line = 'poundlock: internal error (please report): InvariantError: a state has no name\n';
  assert.deepEqual(quiet, { code: 2, stdout: '', stderr: line });
  const env = { POUNDLOCK_DEBUG: '1' };
  const loud = await poundlock(folder(t, ring), argv, { pause: failsOnce(), env });
  assert.ok(loud.stderr.startsWith(`${line}InvariantError: a state has no name\n    at `));
});

test('a mistake that occurs in every run of a sweep is reported once', async (t) => {
  const { files } = check(role('yield 42;').replace('{}', '{ n: 1 }'));
  const argv = ['check', 'k.ts', '--sweep', 'n=1..3'];
  const { code, stdout, stderr } = await poundlock(folder(t, files), argv);
  assert.equal(stderr.split('\n').length, 2);
  assert.match(stdout, /\n3 results: 3 could not run\n$/);
  assert.equal(code, 2);
});
