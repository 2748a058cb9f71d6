// tier: release
// The wheel: the same bytes each time, what installers read, and what runs where no Node is.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { blocksOf } from '../docs/snippets.ts';
import { build, environment, isSkipped, PYTHON, wheel, type Start, type Wheel } from './wheel.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PTX = join(ROOT, 'examples', 'ptx');
const STAND_IN = join(ROOT, 'packages', 'poundlock', 'test', 'record', 'python');
const MAX_MB = 45;

/** Prints what a check of RECORD finds, with the standard library alone. */
const VERIFY = `
import base64, csv, hashlib, io, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
info = next(n for n in archive.namelist() if n.endswith('.dist-info/RECORD')).rsplit('/', 1)[0]
rows = list(csv.reader(io.StringIO(archive.read(info + '/RECORD').decode())))
assert sorted(row[0] for row in rows) == sorted(archive.namelist())
for name, digest, size in rows:
    if name.endswith('/RECORD'): continue
    data = archive.read(name)
    own = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
    assert (digest, int(size)) == ('sha256=' + own, len(data)), name
for name in ('METADATA', 'WHEEL', 'entry_points.txt'): print(archive.read(info + '/' + name).decode())
`;

const CHECKS = `
import poundlock, sys
good, bad, launch = sys.argv[1:4]
report = poundlock.check(good, timeout=60)
assert (report.verdict, report.exit_code) == ('certified', 0), report
assert report.results[0].kernel == 'tile_sum' and report.results[0].coverage.missed == []
assert report.assumptions[0].name == 'H1' and report.findings == []
assert report.text.startswith('certified  tile_sum')
error = poundlock.check(bad, launch=launch)
assert (error.verdict, error.exit_code) == ('counterexample', 1)
finding = error.findings[0]
assert finding.rule == 'race' and finding.primary.line > 0 and finding.trace[0].agent, finding
try: poundlock.check('missing.ptx')
except poundlock.CannotRun as reason: assert 'missing.ptx' in str(reason), reason
else: raise AssertionError('no exception')
print('checked')
`;

const TESTS = `
import pytest
from kernels import early_release, launch, tile_sum

@pytest.mark.parametrize('tiles', [4, 4, 8])
def test_right(tiles): launch(tile_sum, tiles)

def test_wrong(): launch(early_release)

@pytest.mark.poundlock(allow='error')
def test_known(): launch(early_release)

def test_without_kernels(): pass
`;

describe('the wheel', { skip: isSkipped }, () => {
  let made: Wheel;
  let start: Start;
  before(() => {
    made = wheel();
    start = environment(made);
    for (const name of ['tile-sum.sm90a.ptx', 'tile-sum-early-release.sm90a.ptx', 'launch.json'])
      cpSync(join(PTX, name), join(made.folder, name));
    writeFileSync(
      join(made.folder, 'early.json'),
      JSON.stringify({
        grid: [1],
        block: [64],
        params: [
          { kind: 'pointer', bytes: 65536 },
          { kind: 'pointer', bytes: 128 },
          { kind: 'scalar', type: 'i32', name: 'tiles', value: 4 },
        ],
      }),
    );
  });
  after(() => made.remove());
  const standIn = (more = {}) => ({ PYTHONPATH: STAND_IN, POUNDLOCK_TEST_PTX: PTX, ...more });

  test('is the same each time, with a tag for this platform alone', (t) => {
    const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    const again = build();
    assert.equal(hash(again.bytes), hash(made.bytes));
    assert.match(made.name, /^poundlock-[\w.]+-py3-none-(?!any)\w+\.whl$/);
    const mb = made.bytes.length / 1e6;
    t.diagnostic(`${mb.toFixed(1)} MB`);
    assert.ok(mb <= MAX_MB, `${mb} MB`);
  });

  test('has a hash of each file, and what installers read', () => {
    const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', VERIFY, made.file], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^Name: poundlock\nVersion: \d/m);
    assert.match(stdout, /^Requires-Python: >=3\.9$/m);
    assert.match(stdout, /^Root-Is-Purelib: false\nTag: py3-none-(?!any)/m);
    assert.match(stdout, /\[pytest11\]\npoundlock = poundlock\.pytest_plugin/);
    assert.doesNotMatch(stdout, /^Requires-Dist/m);
  });

  test('runs without a Node on the path, with the exit codes of the command line', () => {
    assert.match(start('poundlock', ['--version']).out, /^\d+\.\d+\.\d+/);
    const code = (...words: string[]) => start('poundlock', ['check', ...words]).code;
    assert.equal(code('tile-sum.sm90a.ptx'), 0);
    assert.equal(code('tile-sum-early-release.sm90a.ptx', '--launch', 'early.json'), 1);
    assert.equal(code('missing.ptx'), 2);
    assert.equal(start('python', ['-m', 'poundlock', '--version']).code, 0);
  });

  test('POUNDLOCK_NODE names another Node', () => {
    const named = start('poundlock', ['--version'], { POUNDLOCK_NODE: process.execPath });
    assert.equal(named.code, 0, named.err);
    const missing = start('poundlock', ['--version'], { POUNDLOCK_NODE: '/nowhere/node' });
    assert.equal(missing.code, 2);
    assert.match(missing.err, /^poundlock: POUNDLOCK_NODE names no Node/);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} reaches the command line`, async () => {
      const program = join(made.folder, 'venv', 'bin', 'poundlock');
      const child = spawn(program, ['explore', 'tile-sum.sm90a.ptx'], { cwd: made.folder });
      const ended = once(child, 'exit');
      // Once it serves, it is no longer Python that gets the signal.
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
      child.kill(signal);
      const [code, by] = (await ended) as [number | null, string | null];
      assert.ok(code === 0 || by === signal, `${code} ${by}`);
    });
  }

  test('import poundlock: reports are typed, and exit code 2 is an exception', () => {
    const files = ['tile-sum.sm90a.ptx', 'tile-sum-early-release.sm90a.ptx', 'early.json'];
    const { code, out, err } = start('python', ['-c', CHECKS, ...files]);
    assert.equal(code, 0, err);
    assert.equal(out, 'checked\n');
  });

  test('poundlock.record compiles what a program launches, and check takes its folder', () => {
    const { code, out, err } = start('python', ['-c', RECORD], standIn());
    assert.equal(code, 0, err);
    assert.equal(out, '3 1 certified\n');
  });

  test('poundlock.launch returns what the command writes', () => {
    const program = "import poundlock; print(poundlock.launch('tile-sum.sm90a.ptx').kernel)";
    assert.equal(start('python', ['-c', program]).out, 'tile_sum\n');
  });

  test('the programs of the how-to page do what it says', () => {
    const page = readFileSync(join(ROOT, 'docs', 'how-to', 'python.md'), 'utf8');
    const blocks = blocksOf(page).filter(({ language }) => language === 'python');
    assert.ok(blocks.length > 3);
    for (const { text, label, line } of blocks) {
      const program = label === 'parse' ? `import ast; ast.parse(${JSON.stringify(text)})` : text;
      const { code, out, err } = start('python', ['-c', program]);
      assert.equal(code, 0, `line ${line}: ${err}`);
      assert.equal(out.trim(), label === 'parse' ? '' : label.replace('run: ', ''));
    }
  });

  for (const workers of [[], ['-n', '2']]) {
    test(`pytest --poundlock ${workers.join(' ')} fails the test of a wrong kernel`, () => {
      writeFileSync(join(made.folder, 'test_kernels.py'), TESTS);
      const words = ['-m', 'pytest', '--poundlock', '--poundlock-gpu', 'sm_90', ...workers];
      const { code, out } = start('python', [...words, 'test_kernels.py'], standIn());
      assert.equal(code, 1, out);
      assert.match(out, /1 failed, 6 passed/);
      assert.match(out, /FAILED test_kernels\.py::test_wrong/);
      assert.match(out, /error\[race\]/);
      const rows = out.split('\n').filter((line) => /^tile_sum\w* +\S/.test(line));
      // Two launches of the right kernel, and one of the wrong one, which two tests launch.
      assert.equal(rows.length, 3, out);
      assert.equal(rows.filter((line) => / certified /.test(line)).length, 2, out);
      assert.match(
        rows.find((line) => / counterexample /.test(line))!,
        / 2$/,
      );
    });
  }

  test('pytest --poundlock without Triton does nothing', () => {
    writeFileSync(join(made.folder, 'test_plain.py'), 'def test_plain(): pass\n');
    const words = ['-m', 'pytest', '--poundlock', 'test_plain.py'];
    const { code, out } = start('python', words);
    assert.equal(code, 0, out);
    assert.match(out, /Triton is not installed/);
  });

  test('an autotuner loses the configurations that have an error', () => {
    const { code, out, err } = start('python', ['-c', PRUNE], standIn());
    assert.equal(code, 0, err);
    assert.equal(out, "['certified', 'counterexample', 'not checked'] 2\n[0, 2]\n2 0\n");
  });

  test('poundlock.checked checks beside the first call, and raises before the second', () => {
    const { code, out, err } = start('python', ['-c', CHECKED], standIn());
    assert.equal(code, 0, err);
    assert.equal(out, 'first True\nsecond KernelError\n');
  });
});

const RECORD = `
import poundlock, sys
program = 'from kernels import *; launch(tile_sum); raise SystemExit(3)'
recording = poundlock.record([sys.executable, '-c', program], gpu='sm_90', out='recording')
print(recording.exit_code, len(recording.kernels), poundlock.check(recording.folder).verdict)
try: poundlock.record(['no-such-program'], gpu='sm_90', out='missing')
except poundlock.CannotRun as error: assert 'no-such-program' in str(error), error
else: raise AssertionError('no exception')
`;

const ON_GPU = `
import kernels, poundlock, triton
from triton.runtime import driver
from triton.backends.compiler import GPUTarget
class Gpu:
    def get_current_target(self): return GPUTarget('cuda', 90, 32)
    launched = []
    def launch(self, name): self.launched.append(name)
driver.set_active(Gpu())
`;

const PRUNE = `${ON_GPU}
class Config:
    def __init__(self, **options): self.options = options
    def all_kwargs(self): return self.options
ptx = kernels.PTX + '/tile-sum%s.sm90a.ptx'
configs = [Config(PTX=ptx % ''), Config(PTX=ptx % '-early-release'), Config(PTX='missing.ptx')]
named = {'source': kernels.Tensor(16384), 'sums': kernels.Tensor(32), 'tiles': 4}
log = []
prune = poundlock.triton.prune(kernels.tile_sum, seconds=120, log=log)
kept = prune(configs, named, BLOCK=64)
print([verdict.split(':')[0] for _, verdict, _ in log], len(kept))
alike = [configs[0], Config(PTX=ptx % ''), configs[2]]
timed = poundlock.triton.prune(kernels.tile_sum, seconds=120, grid=(32, 1, 1), fastest=1)
print([alike.index(config) for config in timed(alike, named, BLOCK=64)])
print(len(poundlock.triton.prune(kernels.tile_sum, seconds=0)(configs[:2], named)), len(Gpu.launched))
`;

const CHECKED = `${ON_GPU}
@poundlock.checked(strict=True)
def step(): kernels.launch(kernels.early_release)
step()
print('first', Gpu.launched == ['tile_sum'])
try: step()
except poundlock.triton.KernelError as error: print('second', type(error).__name__)
`;
