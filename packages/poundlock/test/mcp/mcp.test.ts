// tier: release
// `poundlock mcp`, driven by the client of the official SDK.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, type Connected } from './server.ts';
import { MAX_BYTES } from './session.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'examples');
const text = (name: string): string => readFileSync(join(EXAMPLES, name), 'utf8');
const ONE_STAGE = text('broken/one-stage.ts');
const EARLY = text('ptx/tile-sum-early-release.sm90a.ptx');
// The file names the PTX that it is a launch of: here it has other names.
const LAUNCH = JSON.stringify({
  ...(JSON.parse(text('ptx/launch.json')) as object),
  ptx: undefined,
});

const BUG = text('ptx/bugs/010-sync-of-some-warps/bug.ptx');
const OF_BUG = text('ptx/bugs/010-sync-of-some-warps/launch.json');

let server: Connected;
before(async () => {
  server = await connect({
    'k/early.ptx': EARLY,
    'k/launch.json': JSON.stringify({ ...JSON.parse(LAUNCH), ptx: { file: 'early.ptx' } }),
    'k/hang.ptx': BUG,
    'k/hang.launch.json': OF_BUG,
    'k/fixed.ptx': text('ptx/bugs/010-sync-of-some-warps/fix.ptx'),
    'k/fixed.launch.json': OF_BUG,
    'gemm.ts': text('gemm.ts'),
    'a.ts': ONE_STAGE,
    'secret.txt': 'secret',
  });
});
after(() => server.close());

test('four tools, each with a schema, and how to go from a hang to a finding', async () => {
  const { client } = server;
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['check', 'explain', 'simulate', 'advise'],
  );
  for (const { annotations } of tools) assert.equal(annotations?.readOnlyHint, true);
  assert.match(client.getInstructions()!, /From a hang to its fix/);
  assert.equal(client.getServerVersion()?.name, 'poundlock');
});

test('forms of PTX are resources, by a name or a modifier', async () => {
  const { client } = server;
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ['poundlock://isa/{word}'],
  );
  const { contents } = await client.readResource({ uri: 'poundlock://isa/.tile%3A%3Agather4' });
  const [{ text: forms } = { text: '' }] = contents as { text: string }[];
  assert.match(forms, /^cp\.async\.bulk\.prefetch\.tensor/);
  assert.match(forms, /^cp\.async\.bulk\.tensor/m);
  assert.ok(forms.length <= 2100, `${forms.length} characters`);
  await assert.rejects(client.readResource({ uri: 'poundlock://isa/fense' }), /did you mean/);
});

test('from a hang to its line: check a text, replay the finding, explain the rule', async () => {
  const { call } = server;
  const found = await call('check', { program: ONE_STAGE });
  assert.deepEqual([found.outcome, found.exitCode, found.cutLines], ['counterexample', 1, 0]);
  assert.match(found.text, /^error\[deadlock\]: load and mma /);
  assert.match(found.text, /^ +help: \S/m);
  const token = /--replay (\w+)$/m.exec(found.text)?.[1];
  const replayed = await call('check', { program: ONE_STAGE, replay: token });
  assert.match(replayed.text, /step/);
  assert.ok(replayed.text.length > found.text.length);
  const rule = await call('explain', { rule: 'deadlock' });
  assert.match(rule.text, /^error\[deadlock\]: [^]*\nrejected\n[^]*\nfixed\n/);
  const fixed = await call('check', { program: ONE_STAGE, set: { stages: 2 } });
  assert.equal(fixed.outcome, 'certified');
});

test('from PTX to its fix in few calls that are short, without schedules', async () => {
  const { call, client } = server;
  const listed = await client.listTools();
  const answers = [
    await call('check', { file: 'k/hang.ptx' }),
    await call('check', { file: 'k/fixed.ptx' }),
  ];
  assert.deepEqual(
    answers.map(({ outcome }) => outcome),
    ['counterexample', 'certified'],
  );
  const [found] = answers;
  assert.match(found!.text, /^ +help: \S/m);
  for (const { text } of answers) assert.doesNotMatch(text, /^ +step +line /m);
  const sizes = [client.getInstructions(), listed, ...answers].map((read) => {
    return Buffer.byteLength(JSON.stringify(read));
  });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes: ${sizes.join(' + ')}`);
});

test('parts of a launch instead of a launch', async () => {
  const { call } = server;
  const parts = { block: '96', param: { 0: '@words.json' } };
  const { text, outcome } = await call('check', { ptx: BUG, ...parts });
  assert.deepEqual([outcome, /words\.json/.test(text)], ['could not run', true]);
  const { outcome: known } = await call('check', { ptx: BUG, block: '96' });
  assert.equal(known, 'counterexample');
});

test('an assumption that does not exist is refused, with the one that was meant', async () => {
  const { call } = server;
  const { exitCode, text } = await call('check', { file: 'gemm.ts', accept: ['no-trp'] });
  assert.equal(exitCode, 2);
  assert.match(text, /did you mean no-trap\?/);
});

test('PTX with its launch, as text and as a file of the folder', async () => {
  const { call } = server;
  const ofText = await call('check', { ptx: EARLY, launch: JSON.parse(LAUNCH) as object });
  assert.equal(ofText.outcome, 'counterexample');
  assert.match(ofText.text, /^error\[race\]: warp1 arrives on empty\[0\] before it reads/);
  const inferred = await call('check', { ptx: EARLY });
  assert.match(inferred.text, /error\[race\]: warp1 arrives on empty\[0\] before it reads/);
  const ofFile = await call('check', {
    file: 'k/early.ptx',
    set: { tiles: 0 },
    sizes: 'requested',
  });
  assert.equal(ofFile.outcome, 'certified', ofFile.text);
});

test('simulate and advise', async () => {
  const { call } = server;
  const swept = await call('simulate', { file: 'gemm.ts', sweep: { stages: '1..3' } });
  assert.equal(swept.outcome, 'done', swept.text);
  assert.match(swept.text, /stages/);
  const advised = await call('advise', { file: 'gemm.ts', maxCharacters: 600 });
  assert.equal(advised.outcome, 'done', advised.text);
  assert.ok(advised.text.length <= 600, advised.text);
});

test('an answer is short, and says what was left out; the verdict stays', async () => {
  const { call } = server;
  const input = { program: ONE_STAGE, schedule: true, maxCharacters: 700 };
  const { text: cut, cutLines } = await call('check', input);
  assert.ok(cut.length <= 700);
  assert.ok(cutLines > 0);
  assert.match(
    cut,
    new RegExp(`^\\[${cutLines} lines left out here: maxCharacters \\d+ shows more`, 'm'),
  );
  assert.match(cut, /^error\[deadlock\]/);
  assert.match(cut, /^counterexample {2}one-stage/m);
});

test('what does not fit is an error of the tool, in a line', async () => {
  const { call, folder } = server;
  symlinkSync('/', join(folder, 'all'));
  const wrong: [string, Readonly<Record<string, unknown>>, RegExp][] = [
    ['check', {}, /pass one of program, ptx and file/],
    ['check', { program: 'x', file: 'a.ts' }, /pass one of program, ptx and file/],
    ['check', { program: 'x', launch: {} }, /launch is passed with PTX/],
    ['check', { file: '../a.ts' }, /no such file|not in the folder/],
    ['check', { file: '/etc/hostname' }, /no such file|not in the folder/],
    ['check', { file: 'all/etc/hostname' }, /no such file|not in the folder/],
    ['check', { file: 'a.ts', sett: {} }, /the input of check has no 'sett': did you mean 'set'\?/],
    ['check', { file: 'a.ts', set: { stage: 1 } }, /did you mean stages\?/],
    ['check', { program: 'export default 1' }, /not a kernel/],
    ['explain', { rule: 'dedlock' }, /did you mean deadlock\?/],
  ];
  for (const [name, input, expected] of wrong) {
    const { text: line, isError, outcome } = await call(name, input);
    assert.deepEqual([isError, outcome], [true, 'could not run'], line);
    assert.match(line, expected);
  }
});

const REACHES_OUT = `
import { kernel, role } from 'poundlock';
import { readFileSync, writeFileSync } from 'node:fs';
const tries = {
  write: () => writeFileSync('PLACE', 'x'),
  read: () => readFileSync('PLACE'),
  start: async () => (await import('node:child_process')).spawnSync('true'),
  thread: async () => new (await import('node:worker_threads')).Worker('', { eval: true }),
  database: async () => new (await import('node:sqlite')).DatabaseSync('PLACE.db'),
  signal: () => process.kill(process.ppid, 0),
  secret: () => { if (!process.env.SECRET_OF_THE_SERVER) throw new Error('none'); },
};
for (const [name, attempt] of Object.entries(tries)) {
  try { await attempt(); console.log(name + ': DONE'); } catch (error) { console.log(name + ': refused'); }
}
export default kernel('reaches-out', {}, () => [role('a', function* () {})]);
`;

test('a program can not write, start processes or threads, or read elsewhere', async () => {
  const { call, folder } = server;
  // A text has a folder of its own: that of the server is elsewhere.
  const place = join(folder, 'secret.txt');
  const { text: printed } = await call('check', {
    program: REACHES_OUT.replaceAll('PLACE', place),
  });
  for (const name of ['write', 'read', 'start', 'thread', 'database', 'signal', 'secret']) {
    assert.match(printed, new RegExp(`^${name}: refused$`, 'm'));
  }
  assert.equal(readFileSync(place, 'utf8'), 'secret');
  assert.ok(existsSync(place));
});

const SPINS = `
import { kernel, role } from 'poundlock';
export default kernel('spins', {}, () => [role('a', function* () { for (;;) {} })]);
`;

test('a program that never returns is ended, and a canceled call, too', async () => {
  const { call, client } = server;
  const stop = new AbortController();
  const canceled = client.callTool(
    { name: 'check', arguments: { program: SPINS, timeoutSeconds: 600 } },
    undefined,
    { signal: stop.signal },
  );
  stop.abort(new Error('enough'));
  await assert.rejects(canceled, /enough/);
  // The one that was canceled does not keep the next one waiting.
  const ended = await call('check', { program: SPINS, timeoutSeconds: 0.5 });
  assert.equal(ended.outcome, 'inconclusive');
  assert.match(ended.text, /\bloop\b/);
});
