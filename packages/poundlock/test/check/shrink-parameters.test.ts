// The same finding with smaller parameters: which are tried, and which are reported.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check } from '#src/check/index';
import { InputError } from '../../../core/src/base/index.ts';
import type { Kernel } from '../../../core/src/program/index.ts';
import { arrive, barrier, kernel, pipeline, read, role, tma, wait } from 'poundlock';

/** The barrier never completes where `isBroken` says so. */
function stuck(
  defaults: Record<string, number>,
  isBroken: (params: Record<string, number>) => boolean,
): Kernel {
  return kernel('stuck', defaults, (params) => {
    const never = barrier('never');
    return [
      role('waiter', function* () {
        if (isBroken(params as Record<string, number>)) yield* wait(never, 0);
      }),
    ];
  });
}

async function alsoOf(target: Kernel, shrinkTries = 32, params: Record<string, number> = {}) {
  const { findings, verdict } = await check(target, { shrinkTries, params });
  assert.equal(verdict, 'counterexample');
  return findings[0]!.also?.params;
}

suite('smaller parameters', () => {
  test('the smallest sum that shows the finding is reported', async () => {
    const target = stuck({ stages: 4, tiles: 100 }, ({ stages, tiles }) => stages! + tiles! >= 4);
    const also = await alsoOf(target);
    assert.equal(Number(also!['stages']) + Number(also!['tiles']), 4);
  });

  test('a size beyond the small ones is halved', async () => {
    const also = await alsoOf(stuck({ tiles: 1000 }, ({ tiles }) => tiles! >= 100));
    assert.deepEqual(also, { tiles: 125 });
  });

  test('only the parameters that differ are reported', async () => {
    const target = stuck({ stages: 3, tiles: 100 }, ({ stages }) => stages === 3);
    assert.deepEqual(await alsoOf(target), { tiles: 4 });
  });

  test('nothing is reported where no smaller size shows it, or none is tried', async () => {
    const most = stuck({ stages: 3 }, ({ stages }) => stages === 3);
    assert.equal(await alsoOf(most), undefined);
    assert.equal(
      await alsoOf(
        stuck({ stages: 3 }, () => true),
        0,
      ),
      undefined,
    );
  });

  test('amounts are no sizes', async () => {
    const target = stuck({ bytes: 4096, latencyCycles: 100, threads: 128 }, () => true);
    assert.equal(await alsoOf(target), undefined);
  });

  test('a kernel may refuse a size', async () => {
    const target = stuck({ tiles: 12 }, ({ tiles }) => {
      if (tiles! < 4) throw new InputError('at least 4 tiles');
      return true;
    });
    assert.deepEqual(await alsoOf(target), { tiles: 4 });
  });

  test('what was asked for stays, and the replay is of the smaller schedule', async () => {
    const target = stuck({ stages: 2, tiles: 8 }, ({ stages }) => stages === 5);
    const params = { stages: 5, tiles: 30 };
    const { findings } = await check(target, { shrinkTries: 32, params });
    const { also } = findings[0]!;
    assert.deepEqual(also!.params, { tiles: 6 });
    const again = await check(target, {
      params: { ...params, ...also!.params },
      replay: also!.replayToken,
    });
    assert.equal(again.findings[0]!.rule, findings[0]!.rule);
  });
});

test('another bug of the same rule at another place is not the same finding', async () => {
  const target = kernel('two', { tiles: 9 }, ({ tiles }) => {
    const ab = pipeline('ab', { stages: 1, bytes: 64 });
    return [
      role('load', function* () {
        const slot = yield* ab.acquireProducer();
        tma.load(slot);
        slot.release();
      }),
      role('mma', function* () {
        const slot = yield* ab.acquireConsumer();
        read(slot.buffer());
        slot.release();
        if (tiles > 4) slot.release();
        else slot.release();
      }),
    ];
  });
  const { findings } = await check(target, { shrinkTries: 32 });
  assert.equal(findings[0]!.rule, 'double-release');
  assert.deepEqual(findings[0]!.also?.params, undefined);
});

/** A number that selects one of several bugs, which are of one rule at the same places. */
function variants(selects: (variant: number, t: number, who: string) => boolean): Kernel {
  return kernel('variants', { variant: 3, tiles: 8 }, ({ variant, tiles }) => {
    const [ready, free] = [barrier('ready'), barrier('free')];
    return [
      role('load', function* () {
        for (let t = 0; t < tiles; t++) {
          yield* wait(free, t - 1);
          if (!selects(variant, t, 'load')) arrive(ready);
        }
      }),
      role('use', function* () {
        for (let t = 0; t < tiles; t++) {
          yield* wait(ready, t);
          if (!selects(variant, t, 'use')) arrive(free);
        }
      }),
    ];
  });
}

test('a parameter that selects a variant is no size', async () => {
  const also = await alsoOf(
    variants((variant, t, who) =>
      who === 'load' ? variant === 3 && t === 5 : variant === 2 && t === 0,
    ),
  );
  assert.equal(also?.['variant'], undefined);
  // The same role and the same line, in each variant.
  for (const bug of [1, 2]) {
    const other = await alsoOf(
      variants(
        (variant, t, who) => who === 'load' && (variant === 3 || variant === bug) && t === 1,
      ),
    );
    assert.equal(other?.['variant'], undefined);
  }
});

test('the order between parameters stays', async () => {
  const target = stuck({ stages: 4, tiles: 3 }, ({ stages, tiles }) => stages! !== tiles!);
  const also = await alsoOf(target);
  assert.ok(Number(also?.['stages'] ?? 4) > Number(also?.['tiles'] ?? 3));
});
