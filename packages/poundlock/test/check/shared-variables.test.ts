// P01, P09: roles share nothing but operations, and a variable that they share is noticed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import {
  arrive,
  barrier,
  choose,
  compute,
  count,
  end,
  kernel,
  loop,
  pipeline,
  role,
  wait,
} from '#src/public';
import { waitParity, type Kernel, type Role } from '#src/public';

async function assertShared(program: Kernel): Promise<void> {
  const { verdict, findings } = await check(program);
  assert.equal(verdict, 'counterexample');
  assert.equal(findings[0]?.rule, 'nondeterministic-role');
  // What helps is known of a shared variable alone.
  assert.equal(findings[0].helps.length, 1);
}

/** One role writes what the other reads after it waited, in one order of the two and the other. */
function flagged(isReaderFirst: boolean): Kernel {
  return kernel('flagged', {}, () => {
    const [sent, never] = [barrier('sent'), barrier('never')];
    const shared = { isLast: false };
    const roles: Role[] = [
      role('writer', function* () {
        shared.isLast = true;
        arrive(sent);
      }),
      role('reader', function* () {
        yield* wait(sent, 0);
        if (shared.isLast) yield* wait(never, 0);
      }),
    ];
    return isReaderFirst ? roles.toReversed() : roles;
  });
}

test('a variable of the kernel that one role writes and another reads', async () => {
  await assertShared(flagged(false));
  await assertShared(flagged(true));
});

test('a variable of the kernel that several roles of one text count up', async () => {
  const counted = (at: number) =>
    kernel('counted', {}, () => {
      const never = barrier('never');
      const items = count(20);
      let rounds = 0;
      return [0, 1, 2].map((warp) =>
        role(`warp${warp}`, function* () {
          yield* loop(null, function* () {
            if (!(yield* items.more())) return end(null);
            yield* compute(1);
            if ((yield* choose(2)) === 1 && ++rounds === at) yield* wait(never, 0);
            return null;
          });
        }),
      );
    });
  // More than one role can count alone; fewer are a captured variable of each of them.
  await assertShared(counted(50));
  const { findings } = await check(counted(10));
  assert.match(findings[0]!.rule, /^(loop-captures|nondeterministic-role)$/);
});

test('a variable of the kernel in a plain for', async () => {
  const program = kernel('plain', {}, () => {
    const [tick, tock, never] = [barrier('tick'), barrier('tock'), barrier('never')];
    const order: number[] = [];
    return [
      role('a', function* () {
        for (let round = 0; round < 3; round++) {
          order.push(0);
          arrive(tick);
          yield* wait(tock, round);
        }
      }),
      role('b', function* () {
        for (let round = 0; round < 3; round++) {
          order.push(1);
          if (order.length === 5) yield* wait(never, 0);
          yield* wait(tick, round);
          arrive(tock);
        }
      }),
    ];
  });
  await assertShared(program);
});

test('a number that each role takes from the kernel as it starts', async () => {
  const program = kernel('numbered', {}, () => {
    const done = [barrier('done[0]'), barrier('done[1]')];
    let next = 0;
    return [0, 1].map((warp) =>
      role(`warp${warp}`, function* () {
        const id = next++;
        arrive(done[id]!);
        yield* compute(1);
      }),
    );
  });
  await assertShared(program);
});

test('a variable outside of the kernel that a later role reads', async () => {
  let isReady = false;
  const program = kernel('outside', {}, () => {
    const never = barrier('never');
    return [
      role('a', function* () {
        isReady = true;
        yield* compute(1);
      }),
      role('c', function* () {
        yield* compute(1);
        if (!isReady) yield* waitParity(never, 0);
      }),
    ];
  });
  const { findings } = await check(program);
  assert.equal(findings[0]?.rule, 'nondeterministic-role');
});

test('what roles share and nothing depends on is no finding', async () => {
  const log: string[] = [];
  const program = kernel('logged', {}, () => {
    const full = barrier('full');
    const sizes = new Map<string, number>();
    const cyclesOf = (name: string): number => {
      sizes.set(name, name.length);
      return sizes.get(name)!;
    };
    let rounds = 0;
    return [
      role('a', function* () {
        rounds++;
        log.push('a');
        yield* compute(cyclesOf('a'));
        arrive(full);
      }),
      role('b', function* () {
        rounds++;
        log.push(`b ${rounds}`);
        yield* wait(full, 0);
        yield* compute(cyclesOf('b'));
      }),
    ];
  });
  const { verdict, findings } = await check(program);
  assert.deepEqual([verdict, findings], ['certified', []]);
});

test('equal operations of two roles, performed again later, are their own', async () => {
  const again = kernel('again', {}, () => {
    const turn = [0, 1, 2].map((at) => barrier(`turn${at}`));
    const open = barrier('open');
    const body = (at: number) =>
      role(`role${at}`, function* () {
        if (at > 0) yield* wait(turn[at - 1]!, 0);
        const passes = waitParity(open, 1);
        yield* passes;
        arrive(turn[at]!);
        if (at === 0) yield* wait(turn[1]!, 0);
        yield* passes;
      });
    return [body(0), body(1)];
  });
  const { verdict, findings } = await check(again);
  assert.deepEqual(
    findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule),
    [],
  );
  assert.equal(verdict, 'certified');
});

test('roles with different numbers of threads signal one stage, each with its own', async () => {
  const uneven = kernel('uneven', {}, () => {
    const ring = pipeline('ring', { stages: 1, bytes: 0, producers: 3 });
    const fill = (lanes: number) =>
      role(`threads${lanes}`, { lanes }, function* () {
        yield* ring.producerSignalAndStep();
      });
    const use = role('use', function* () {
      yield* ring.waitProducer();
      yield* ring.consumerSignalAndStep();
    });
    return [fill(2), fill(1), use];
  });
  const { verdict, findings } = await check(uneven);
  assert.deepEqual(
    findings.map(({ rule }) => rule),
    [],
  );
  assert.equal(verdict, 'certified');
});
