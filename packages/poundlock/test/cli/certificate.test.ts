// Certificates as files: what is written, what still holds, and what is refused in one line.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Validator, type Schema } from '@cfworker/json-schema';
import { certificateText, type CertificateDocument } from '#src/cli/certificate/document';
import { folder, poundlock } from './fake-host.ts';
import { KEEPER, RING } from './kernels.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const SCHEMA = JSON.parse(
  readFileSync(join(ROOT, 'docs/schema/certificate.json'), 'utf8'),
) as Schema;

/** Two consumers race for tiles: every order of their claims is looked at. */
const CLAIMS = `import { fetchAdd, cell, kernel, role } from 'poundlock';

export default kernel('claims', {}, () => {
  const next = cell('next', 0);
  const worker = (name) => role(name, function* () {
    while ((yield* fetchAdd(next, 1)) < 3);
  });
  return [worker('a'), worker('b')];
});
`;

/** Right for every number of tiles. */
const COUNTED = `import { arrive, barrier, count, end, kernel, loop, role } from 'poundlock';

export default kernel('counted', { tiles: 4 }, ({ tiles }) => {
  const items = count(tiles);
  const full = barrier('full');
  return [role('a', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      arrive(full);
      return null;
    });
  })];
});
`;

/** All that is read is there, but for the modules. */
const ODD = {
  schema: 'poundlock/certificate@1',
  poundlock: '0.1.0',
  file: 'a.ts',
  kernel: 'a',
  engine: 'certify',
  every: [],
  assumptions: [],
  accepted: [],
  warnings: [],
  params: {},
  stats: {},
  program: { modules: [{ file: 'a.ts' }] },
} as unknown as CertificateDocument;

function read(path: string): CertificateDocument & { seal: string } {
  return JSON.parse(readFileSync(path, 'utf8')) as CertificateDocument & { seal: string };
}

/** Writes a certificate again with something changed, and a seal that fits. */
function forge(path: string, changes: Partial<CertificateDocument>): void {
  const certificate: CertificateDocument & { seal?: string } = { ...read(path), ...changes };
  delete certificate.seal;
  writeFileSync(path, certificateText(certificate));
}

async function certified(t: Parameters<typeof folder>[0], text = RING): Promise<string> {
  const cwd = folder(t, { 'ring.ts': text });
  const { code, stderr } = await poundlock(cwd, ['check', 'ring.ts', '--certificate', 'c.json']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return cwd;
}

test('a certificate is what its schema says, and holds', async (t) => {
  const cwd = await certified(t);
  const document = read(join(cwd, 'c.json'));
  const { valid, errors } = new Validator(SCHEMA, '7', false).validate(document);
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(document.engine, 'certify');
  assert.deepEqual(document.params['stages'], 2);
  assert.equal(document.conditions!.D, 2);
  const { code, stdout, stderr } = await poundlock(cwd, ['check', '--verify', 'c.json']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.match(stdout, /^certified {2}ring .*\n {3}note: c\.json is valid: the proof was repeated/);
});

test('it is found from its own folder, or the program is named', async (t) => {
  const cwd = folder(t, { 'kernels/ring.ts': RING, 'proofs/.keep': '' });
  await poundlock(cwd, ['check', 'kernels/ring.ts', '--certificate', 'proofs/c.json']);
  assert.equal(read(join(cwd, 'proofs/c.json')).file, '../kernels/ring.ts');
  for (const named of [[], ['kernels/ring.ts']]) {
    const { code } = await poundlock(cwd, ['check', ...named, '--verify', 'proofs/c.json']);
    assert.equal(code, 0);
  }
});

test('parameters are those of the certificate', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const args = ['--set', 'stages=5', '--set', 'fast=true', '--set', 'label=b c'];
  await poundlock(cwd, ['check', 'ring.ts', ...args, '--certificate', 'c.json']);
  const { code, stdout } = await poundlock(cwd, ['check', '--verify', 'c.json', '--json']);
  assert.equal(code, 0);
  const { results } = JSON.parse(stdout) as { results: Record<string, unknown>[] };
  const { params, verdict, notes } = results[0]!;
  const { stages, fast, label, twice } = params as Record<string, unknown>;
  assert.deepEqual([stages, fast, label, twice], [5, true, 'b c', 10]);
  assert.equal(verdict, 'certified');
  assert.deepEqual(notes, ['c.json is valid: the proof was repeated for the same program']);
});

test('what holds for every number, and with choices, is proved again for all of them', async (t) => {
  const cwd = folder(t, { 'claims.ts': CLAIMS, 'counted.ts': COUNTED });
  for (const [argv, engine, every] of [
    [['counted.ts', '--every', 'tiles'], 'hybrid', ['tiles']],
    [['claims.ts'], 'hybrid', []],
  ] as const) {
    assert.equal((await poundlock(cwd, ['check', ...argv, '--certificate', 'c.json'])).code, 0);
    const document = read(join(cwd, 'c.json'));
    assert.deepEqual([document.engine, document.every], [engine, every]);
    assert.equal(document.conditions, null);
    const { code, stdout } = await poundlock(cwd, ['check', '--verify', 'c.json']);
    assert.equal(code, 0);
    if (every.length > 0) assert.match(stdout, /every tiles/);
  }
});

test('nothing is written where nothing is proved', async (t) => {
  const cwd = folder(t, { 'keeper.ts': KEEPER });
  const { code, stderr } = await poundlock(cwd, ['check', 'keeper.ts', '--certificate', 'c.json']);
  assert.equal(code, 1);
  assert.equal(stderr, 'poundlock: c.json was not written: the verdict is counterexample\n');
  assert.ok(!existsSync(join(cwd, 'c.json')));
});

test('what rests on a search is not verified', async (t) => {
  const cwd = folder(t, { 'claims.ts': CLAIMS });
  await poundlock(cwd, ['check', 'claims.ts', '--engine', 'search', '--certificate', 'c.json']);
  const { code, stdout, stderr } = await poundlock(cwd, ['check', '--verify', 'c.json']);
  assert.deepEqual({ code, stdout }, { code: 3, stdout: '' });
  assert.match(
    stderr,
    /^poundlock: c\.json is based on a search of \d+ states, which --verify cannot repeat: run pound.*\n$/,
  );
});

suite('what does not hold', () => {
  /** Changes a folder with a good certificate, and verifies. */
  async function verify(
    t: Parameters<typeof folder>[0],
    change: (cwd: string) => void,
    text = RING,
  ) {
    const cwd = await certified(t, text);
    change(cwd);
    return poundlock(cwd, ['check', '--verify', 'c.json']);
  }

  test('a byte that was changed', async (t) => {
    const { code, stdout, stderr } = await verify(t, (cwd) => {
      const path = join(cwd, 'c.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace('"stages": 2', '"stages": 3'));
    });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    const line = 'poundlock: c.json was changed after it was written: its seal does not match\n';
    assert.equal(stderr, line);
  });

  test('another version of poundlock', async (t) => {
    const { code, stderr } = await verify(t, (cwd) => {
      forge(join(cwd, 'c.json'), { poundlock: '0.0.9' });
    });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^poundlock: c\.json was written by poundlock 0\.0\.9, but this is poundlock [\d.]+\n$/,
    );
  });

  test('numbers that the proof does not have, with a seal that fits', async (t) => {
    const { code, stderr } = await verify(t, (cwd) => {
      const path = join(cwd, 'c.json');
      forge(path, { stats: { ...read(path).stats, events: 7 } });
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^poundlock: c\.json is not valid: it states stats \{"events":7,.*, but the/,
    );
  });

  test('conditions that a second count does not find', async (t) => {
    const { code, stderr } = await verify(t, (cwd) => {
      const path = join(cwd, 'c.json');
      forge(path, { conditions: { ...read(path).conditions!, M: 1 } });
    });
    assert.equal(code, 1);
    assert.match(stderr, /is not valid: it states conditions /);
  });

  test('parameters for which nothing is proved', async (t) => {
    const { code, stderr } = await verify(t, (cwd) => {
      const path = join(cwd, 'c.json');
      forge(path, { params: { ...read(path).params, stages: 0 } });
    });
    assert.equal(code, 2);
    assert.match(stderr, /stages of pipeline ab must be/);
  });

  test('a program text that has changed', async (t) => {
    const { code, stdout, stderr } = await verify(t, (cwd) => {
      // Loaded once, a module stays what it was in this process: only its text is looked at.
      writeFileSync(join(cwd, 'ring.ts'), `${RING}\n// changed\n`);
    });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    const line =
      'poundlock: c.json is for a different program: ring.ts has changed since it was written\n';
    assert.equal(stderr, line);
  });

  test('a changed program is not even run', async (t) => {
    const cwd = await certified(t);
    writeFileSync(join(cwd, 'ring.ts'), `throw new Error('it was run');`);
    const { code, stderr } = await poundlock(cwd, ['check', '--verify', 'c.json']);
    assert.equal(code, 2);
    assert.match(stderr, /a different program: ring\.ts has changed/);
  });

  test('a module that the program imports has changed', async (t) => {
    const cwd = folder(t, {
      'ring.ts': `import { TILES } from './lib/sizes.ts';\n${RING.replace('tiles: 3', 'tiles: TILES')}`,
      'lib/sizes.ts': 'export const TILES = 3;\n',
    });
    await poundlock(cwd, ['check', 'ring.ts', '--certificate', 'c.json']);
    const files = read(join(cwd, 'c.json')).program.modules.map(({ file }) => file);
    assert.deepEqual(files, ['lib/sizes.ts', 'ring.ts']);
    writeFileSync(join(cwd, 'lib/sizes.ts'), 'export const TILES = 4;\n');
    const { code, stderr } = await poundlock(cwd, ['check', '--verify', 'c.json']);
    assert.equal(code, 2);
    assert.match(stderr, /a different program: lib\/sizes\.ts has changed/);
  });

  test('a program that is not there', async (t) => {
    const { code, stderr } = await verify(t, (cwd) => {
      forge(join(cwd, 'c.json'), { file: 'gone.ts' });
    });
    assert.equal(code, 2);
    assert.equal(stderr, 'poundlock: c.json is for gone.ts: no such file\n');
  });

  test('what is no certificate', async (t) => {
    const cwd = folder(t, {
      'text.json': 'not json',
      'other.json': '{"schema":"poundlock/check@1"}',
      'odd.json': certificateText(ODD),
      'more.json': certificateText({ ...ODD, engines: [] } as CertificateDocument),
      'half.json': `${certificateText({ schema: 'poundlock/certificate@1' } as CertificateDocument)}`,
    });
    for (const [name, why] of [
      ['text.json', 'text.json is not a poundlock/certificate@1 document'],
      ['other.json', 'other.json is not a poundlock/certificate@1 document'],
      ['more.json', "more.json is not a certificate: it has no 'engines': did you mean 'engine'?"],
      ['half.json', 'half.json is not a certificate: poundlock is not a string'],
      [
        'odd.json',
        'odd.json is not a certificate: program.modules is not a list of files and hashes',
      ],
      ['gone.json', '--verify gone.json: no such file'],
    ] as const) {
      const { code, stderr } = await poundlock(cwd, ['check', '--verify', name]);
      assert.deepEqual({ code, stderr }, { code: 2, stderr: `poundlock: ${why}\n` });
    }
  });
});

test('a certificate is about one program and one set of parameters', async (t) => {
  const cwd = await certified(t);
  for (const [argv, why] of [
    [['ring.ts', '--sweep', 'stages=1..2', '--certificate', 'd.json'], /--certificate takes one/],
    [['ring.ts', '--certificate', 'no/d.json'], /cannot write no\/d\.json: no such directory/],
    [['--verify', 'c.json', '--set', 'stages=1'], /'--verify <FILE>' cannot be used with option/],
    [['ring.ts', 'ring.ts', '--verify', 'c.json'], /--verify takes one program/],
    [[], /missing required argument 'FILE'/],
  ] as const) {
    const { code, stderr } = await poundlock(cwd, ['check', ...argv]);
    assert.equal(code, 2);
    assert.match(stderr, why);
  }
});
