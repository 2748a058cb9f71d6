// `poundlock hang`: core dumps and texts of a debugger, from the command line.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { CROSSED, crossedDump, ENTRY, lineOf, pollingDump, sleepingDump } from '../hang/pair.ts';
import { SHARING, sharingDump } from '../hang/pair.ts';
import { writeCubin } from '../hang/write-dump.ts';
import { CROSSED_CUBIN, CROSSED_WARPS, FRESH } from '../hang/pair.ts';
import { folder, poundlock } from './fake-host.ts';

interface Row {
  readonly cta: readonly number[];
  readonly warp: number;
  readonly at: string | null;
  readonly ptxLine: number | null;
  readonly state: Readonly<Record<string, unknown>>;
  readonly word?: Readonly<Record<string, unknown>>;
}

/** Runs `hang --json` on a dump. */
async function hang(t: TestContext, dump: Uint8Array, ...options: readonly string[]) {
  const path = folder(t);
  writeFileSync(join(path, 'hang.core'), dump);
  const { code, stdout, stderr } = await poundlock(path, [
    'hang',
    'hang.core',
    '--json',
    ...options,
  ]);
  const document = code === 2 ? null : JSON.parse(stdout);
  return { code, stderr, document, warps: (document?.warps ?? []) as readonly Row[] };
}

test('two warps that wait for each other: the schedule ends in the state of the dump', async (t) => {
  const { code, document, warps } = await hang(t, crossedDump());
  assert.equal(code, 1);
  assert.equal(document.verdict, 'deadlock');
  assert.equal(document.finding.rule, 'deadlock');
  assert.deepEqual(document.agreement.warps, { agree: 2, total: 2 });
  assert.deepEqual(document.agreement.barriers, { agree: 2, total: 2 });
  const [first, second] = warps;
  assert.deepEqual(first?.state, { kind: 'mbarrier', name: 'full[0]', address: 0x400, parity: 0 });
  assert.equal(first?.at, 'pair.cu:21');
  assert.equal(first?.ptxLine, lineOf(CROSSED, '[%r2], 0'));
  assert.deepEqual(second?.state, {
    kind: 'mbarrier',
    name: 'empty[0]',
    address: 0x408,
    parity: 0,
  });
  assert.equal(second?.word?.['pending'], 2);
});

test('the document has the members of its schema', async (t) => {
  const path = join(import.meta.dirname, '../../../../docs/schema/hang.json');
  const schema = JSON.parse(readFileSync(path, 'utf8'));
  const { document, warps } = await hang(t, crossedDump());
  assert.deepEqual(Object.keys(document).toSorted(), Object.keys(schema.properties).toSorted());
  for (const row of warps)
    for (const key of Object.keys(row)) assert.ok(key in schema.$defs.warp.properties, key);
});

test('blocks that stand alike are shown once', async (t) => {
  const path = folder(t);
  writeFileSync(join(path, 'hang.core'), crossedDump());
  const { code, stdout } = await poundlock(path, ['hang', 'hang.core']);
  assert.equal(code, 1);
  assert.equal(stdout.match(/warp 0/g)?.length, 1);
  assert.match(stdout, /all blocks alike/);
});

test('a lightweight dump has waits and no words', async (t) => {
  const blocks = [{ block: [0, 0, 0] as const, warps: CROSSED_WARPS }];
  const { code, document, warps } = await hang(t, crossedDump({ blocks }));
  assert.equal(code, 1);
  assert.deepEqual(document.agreement.barriers, { agree: 0, total: 0 });
  assert.equal(warps[0]?.state['name'], 'full[0]');
  assert.equal(warps[0]?.word, undefined);
});

test('without line information the PTX is named, and words tell barriers apart', async (t) => {
  const path = folder(t, { 'pair.ptx': CROSSED });
  const bare = crossedDump({}, { ptx: undefined, ptxLines: undefined, source: undefined } as never);
  writeFileSync(join(path, 'hang.core'), bare);
  const alone = await poundlock(path, ['hang', 'hang.core', '--json']);
  assert.equal(alone.code, 3);
  assert.equal(JSON.parse(alone.stdout).warps[0].state.address, 0x400);
  const named = await poundlock(path, ['hang', 'hang.core', '--ptx', 'pair.ptx', '--json']);
  assert.equal(named.code, 1);
  const { warps, agreement } = JSON.parse(named.stdout);
  assert.equal(warps[0].state.name, 'full[0]');
  assert.deepEqual(agreement.differences, []);
});

test('a word that no schedule leads to is no agreement', async (t) => {
  const shared = new Map([...FRESH, [0x408, 0xffff_f000_001f_fffcn]]);
  const blocks = [{ block: [0, 0, 0] as const, shared, warps: [CROSSED_WARPS[0]!] }];
  const { document } = await hang(t, crossedDump({ blocks }));
  assert.ok(document.agreement.differences.length > 0);
});

test('a warp that sleeps makes the kernel slow', async (t) => {
  const { code, document, warps } = await hang(t, sleepingDump(3));
  assert.equal(code, 0);
  assert.equal(document.verdict, 'slow');
  assert.equal(warps[1]?.state['kind'], 'nanosleep');
});

test('a loop that is too long to execute is slow where a shorter one is certified', async (t) => {
  const { code, document } = await hang(t, sleepingDump(100_000_000));
  assert.equal(code, 0);
  assert.equal(document.verdict, 'slow');
  assert.match(document.notes.join(), /param_1=2/);
});

test('a poll shows the word, and what it was at the launch is assumed by name', async (t) => {
  const { code, document, warps } = await hang(t, pollingDump(1));
  assert.deepEqual(warps[0]?.state, {
    kind: 'word',
    name: 'param_0+4',
    address: '0x7f1100000004',
    holds: 1,
  });
  assert.notEqual(code, 0);
  assert.ok(['deadlock', 'unexplained'].includes(document.verdict));
});

test('warps that poll through shared memory may be anywhere in the loop', async (t) => {
  const line = lineOf(SHARING, 'red.release');
  // Behind the load and at the barrier, both at the barrier, both behind it.
  for (const [first, second] of [
    [48, 80],
    [64, 80],
    [96, 96],
  ] as const) {
    const { code, document } = await hang(t, sharingDump(first, second));
    assert.equal(code, 1, `${first} and ${second}`);
    assert.deepEqual(document.agreement.warps, { agree: 4, total: 4 });
    assert.match(
      document.summary,
      /waits for the value 2 of param_0, which is 1; cta0 wrote it at /,
    );
    assert.match(document.notes.join(), /param_0 was 0/);
  }
  const { document, warps } = await hang(t, sharingDump(48, 80));
  assert.deepEqual(warps[0]?.state, {
    kind: 'word',
    name: 'param_0',
    address: '0x7f1100000000',
    holds: 1,
  });
  assert.match(document.summary, new RegExp(`:${line};`));
});

test('an exception has its place', async (t) => {
  const [first, second] = CROSSED_WARPS;
  const warps = [{ ...first!, exception: 4, errorPc: ENTRY + 16n }, second!];
  const blocks = [{ block: [0, 0, 0] as const, shared: FRESH, warps }];
  const { code, document, warps: rows } = await hang(t, crossedDump({ blocks }));
  assert.equal(code, 1);
  assert.equal(document.verdict, 'exception');
  assert.equal(rows[0]?.state['name'], 'illegal instruction');
  assert.equal(rows[0]?.at, 'pair.cu:21');
});

test('an exception of an SM is that of the warp at its place', async (t) => {
  const raised = { number: 4, pc: ENTRY + 16n };
  const blocks = [{ block: [0, 0, 0] as const, shared: FRESH, warps: CROSSED_WARPS }];
  const { document, warps } = await hang(t, crossedDump({ blocks, raised }));
  assert.equal(document.verdict, 'exception');
  assert.equal(warps[0]?.state['name'], 'illegal instruction');
});

test('an architecture whose code is not known: the lines of the PTX say what waits', async (t) => {
  const { code, document, warps } = await hang(t, crossedDump({ architecture: 'sm_100' }));
  assert.equal(code, 1);
  assert.equal(document.verdict, 'deadlock');
  assert.deepEqual(warps[0]?.state, { kind: 'mbarrier', name: null, address: null, parity: null });
});

test('a dump with more sections than 16 bits count, and one that is packed', async (t) => {
  for (const dump of [crossedDump({ isExtended: true }), gzipSync(crossedDump())]) {
    const { code, document } = await hang(t, dump);
    assert.equal(code, 1);
    assert.equal(document.verdict, 'deadlock');
  }
});

test('the PTX of a dump is written for a replay', async (t) => {
  const { document } = await hang(t, crossedDump(), '--emit-ptx', 'out.ptx');
  assert.match(document.finding.replayCommand, /out\.ptx/);
});

const TEXT = `
[Current focus set to CUDA kernel 0, grid 2, block (0,0,0), thread (0,0,0), device 0, sm 1]
  Wp Active Lanes Mask          Active PC Kernel BlockIdx First Active ThreadIdx
Device 0 SM 1
*  0        0xffffffff 0x00007f0000001020      0  (0,0,0)                (0,0,0)
   1        0xffffffff 0x00007f0000001050      0  (0,0,0)               (32,0,0)
  Kernel Parent Dev Grid Status GridDim BlockDim Invocation
*      0      -   0    2 Active (1,1,1) (64,1,1) pair()
=> 0x7f0000001020 <pair+32>:	@!P0 BRA 0x7f0000001010
0x400:	0x7ffff800001ffffe	0x7ffff000001ffffc
`;

test('the text of a debugger in place of a dump', async (t) => {
  const launch = {
    grid: [1],
    block: [64],
    params: [{ kind: 'pointer' }, { kind: 'scalar', value: 3 }],
  };
  const path = folder(t, { 'gdb.txt': TEXT, 'launch.json': JSON.stringify(launch) });
  writeFileSync(join(path, 'pair.cubin'), writeCubin(CROSSED_CUBIN));
  const argv = ['hang', '--text', 'gdb.txt', '--ptx', 'pair.cubin', '--launch', 'launch.json'];
  const { code, stdout } = await poundlock(path, [...argv, '--json']);
  assert.equal(code, 1);
  const { verdict, agreement } = JSON.parse(stdout);
  assert.equal(verdict, 'deadlock');
  assert.deepEqual(agreement.barriers, { agree: 2, total: 2 });
});

test('what is no dump is one line and exit code 2', async (t) => {
  const path = folder(t, { 'a.core': 'text', 'b.txt': 'no warp in this', 'c.core': '' });
  writeFileSync(join(path, 'd.core'), writeCubin(CROSSED_CUBIN));
  writeFileSync(join(path, 'e.core'), gzipSync(crossedDump()).subarray(0, 40));
  const cases = [
    ['a.core'],
    ['--text', 'b.txt'],
    ['c.core'],
    ['d.core'],
    ['e.core'],
    ['missing.core'],
    ['.'],
    [],
    ['a.core', '--text', 'b.txt'],
  ];
  for (const words of cases) {
    const { code, stdout, stderr } = await poundlock(path, ['hang', ...words]);
    assert.equal(code, 2, words.join(' '));
    assert.equal(stdout, '');
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  }
});
