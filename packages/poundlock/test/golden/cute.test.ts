// tier: deep
// The examples in the words of CuTe DSL and CUTLASS: certified, or found with the rule they show.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { expectGolden, namesIn } from './golden.ts';
import { command } from './in-process.ts';

/** Other settings that each example is certified for. */
const SIZES: Readonly<Record<string, readonly string[]>> = {
  'cutlass-ping-pong': ['tiles=5,kTiles=1', 'tiles=1,kTiles=3', 'tiles=0'],
  'dsl-gemm': ['accStages=1,cStages=1,tiles=7', 'kTiles=1,tiles=1,stages=1', 'tiles=0'],
  'dsl-gemm-2cta': ['accStages=1,tiles=7', 'kTiles=1,tiles=1,stages=1', 'tiles=0'],
  'same-ring': ['words=mojo', 'words=cutlass', 'words=dsl,tiles=0'],
};

interface Bug {
  /** The rule that the first finding must have. */
  readonly rule: string;
  /** Parameters with which the same text has no bug, where they can undo it. */
  readonly undo?: string;
}

const BUGS: Readonly<Record<string, Bug>> = {
  'cloned-producer': { rule: 'forked-pipeline', undo: 'goesOn=true' },
  'early-commit': { rule: 'race', undo: 'inFlight=0' },
  'elected-release': { rule: 'deadlock', undo: 'lanes=128' },
  'four-tma-warps': { rule: 'over-arrival', undo: 'threads=32' },
  'group-of-one': { rule: 'false-block', undo: 'consumers=4' },
  'group-of-threads': { rule: 'deadlock', undo: 'consumers=4' },
  'late-init': { rule: 'uninitialised-barrier', undo: 'synced=true' },
  'missing-tail': { rule: 'missing-drain', undo: 'tails=true' },
  'own-tiles-only': { rule: 'false-block', undo: 'skips=true' },
  'pair-counted-once': { rule: 'false-block', undo: 'consumers=8' },
  'phase-not-flipped': { rule: 'deadlock', undo: 'flipped=true' },
  'release-after-advance': { rule: 'false-block', undo: 'late=false' },
  'release-without-handle': { rule: 'false-block' },
  'released-twice': { rule: 'double-release' },
  'stale-peek': { rule: 'stale-try-token' },
  'turn-not-passed': { rule: 'deadlock', undo: 'passes=true' },
  'tx-count': { rule: 'tx-mismatch', undo: 'txCount=32768' },
  uncommitted: { rule: 'leaked-stage' },
  'wrong-kind': { rule: 'race', undo: 'umma=true' },
};

async function isCertified(name: string, settings: string): Promise<void> {
  const options = settings.replaceAll(/(^|,)/g, ' --set ');
  const { code, stdout } = await command(`poundlock check examples/cute/${name}.ts${options}`);
  assert.match(stdout, /^certified {2}/, stdout);
  assert.equal(code, 0);
}

suite('examples/cute', () => {
  for (const [name, sizes] of Object.entries(SIZES)) {
    test(`${name} is certified`, async () => {
      const { code, stdout, stderr } = await command(`poundlock check examples/cute/${name}.ts`);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      expectGolden(`cute/${name}`, stdout);
    });
    test(`${name} is certified with 2 to 6 stages`, async () => {
      const { code, stdout } = await command(
        `poundlock check examples/cute/${name}.ts --sweep stages=2..6`,
      );
      assert.match(stdout, /^5 results: 5 certified$/m);
      assert.equal(code, 0);
    });
    for (const settings of sizes) {
      test(`${name} is certified with ${settings}`, () => isCertified(name, settings));
    }
  }

  for (const name of ['cutlass-ping-pong', 'dsl-gemm', 'dsl-gemm-2cta']) {
    test(`${name} is certified for every number of tiles`, async () => {
      const { code, stdout } = await command(
        `poundlock check examples/cute/${name}.ts --every tiles`,
      );
      assert.match(stdout, /^certified {2}.*every tiles/, stdout);
      assert.equal(code, 0);
    });
  }

  for (const [name, { rule, undo }] of Object.entries(BUGS)) {
    test(`broken/${name} is found as ${rule}, and again by its replay command`, async () => {
      const { code, stdout, stderr } = await command(
        `poundlock check examples/cute/broken/${name}.ts`,
      );
      assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
      expectGolden(`cute/broken/${name}`, stdout);
      assert.equal(/^error\[([\w-]+)\]/.exec(stdout)?.[1], rule);
      const replayed = await command(/^ +replay: (.*)$/m.exec(stdout)![1]!);
      assert.match(replayed.stdout, new RegExp(String.raw`^error\[${rule}\]`));
    });
    if (undo !== undefined) {
      test(`broken/${name} is certified with ${undo}`, () => isCertified(`broken/${name}`, undo));
    }
  }
});

test('every example has its row and its golden file, and no golden is left over', () => {
  assert.deepEqual(Object.keys(SIZES), namesIn('examples/cute'));
  assert.deepEqual(Object.keys(BUGS), namesIn('examples/cute/broken'));
  const goldens = readdirSync(join(import.meta.dirname, 'cute'), { recursive: true });
  const files = goldens.map(String).filter((file) => file.endsWith('.txt'));
  const expected = [...Object.keys(SIZES), ...Object.keys(BUGS).map((name) => `broken/${name}`)];
  assert.deepEqual(files.toSorted(), expected.map((name) => `${name}.txt`).toSorted());
});
