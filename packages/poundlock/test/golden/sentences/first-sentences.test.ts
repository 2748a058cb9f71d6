// First sentences that once named a symptom, or said something false.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '#src/check/index';
import {
  arrive,
  barrier,
  kernel,
  pipeline,
  read,
  role,
  syncNamed,
  tma,
  tryWait,
  wait,
  type Kernel,
} from 'poundlock';
import { headline, Sentences } from './sentences.ts';

const shown = new Sentences('first-sentences');

/** Compares the first sentence about a kernel with the section `title`. */
async function expectSentence(title: string, target: Kernel, params = {}): Promise<void> {
  const { findings, verdict } = await check(target, { params });
  assert.equal(verdict, 'counterexample');
  shown.expect(title, headline(findings[0]!));
}

const BYTES = 16_384;

/** A ring whose producer expects other bytes than it copies. */
const bytes = kernel('bytes', { tiles: 3, expected: BYTES, stages: 2 }, (params) => {
  const { tiles, expected, stages } = params;
  const ab = pipeline('ab', { stages, bytes: BYTES });
  return [
    role('load', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using slot = yield* ab.produce();
        tma.expect(slot, expected);
        tma.copy(slot);
      }
      yield* ab.drain();
    }),
    role('use', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using tile = yield* ab.consume();
        read(tile.buffer());
      }
    }),
  ];
});

/** The same, where only the first tile expects more. */
const firstBytes = kernel('firstBytes', { tiles: 4 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: BYTES });
  return [
    role('load', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using slot = yield* ab.produce();
        tma.expect(slot, tile === 0 ? BYTES + 128 : BYTES);
        tma.copy(slot);
      }
      yield* ab.drain();
    }),
    role('use', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using tile = yield* ab.consume();
        read(tile.buffer());
      }
    }),
  ];
});

test('bytes of one phase among others are not spread over all of them', async () => {
  await expectSentence('bytes of one phase among others', firstBytes, { tiles: 4 });
});

test('bytes that are never copied come before the deadlock that follows from them', async () => {
  for (const [tiles, stages] of [
    [3, 2],
    [1, 1],
    [7, 3],
  ] as const) {
    for (const more of [1, 1_024, BYTES]) {
      const params = { tiles, stages, expected: BYTES + more };
      const title = `${more} B are never copied: ${tiles} tiles, ${stages} stages`;
      await expectSentence(title, bytes, params);
    }
  }
  await expectSentence('bytes that are not expected', bytes, { expected: 1_024 });
});

test('a role that stops a lap early has arrived before, and nothing else is said of it', async () => {
  const target = kernel('note', {}, () => {
    const empty = barrier('empty', { count: 2 });
    return [
      role('p', function* () {
        yield* wait(empty, 0);
        yield* wait(empty, 1);
      }),
      role('a', function* () {
        arrive(empty);
        yield* wait(empty, 0);
        arrive(empty);
      }),
      role('b', function* () {
        arrive(empty);
      }),
    ];
  });
  await expectSentence('a role that stops a lap early', target);
});

test('the smallest cycle comes first, and then who waits as well', async () => {
  const target = kernel('cycle', {}, () => {
    const [ab, ba, c] = [barrier('ab'), barrier('ba'), barrier('c')];
    return [
      role('late', function* () {
        yield* wait(c, 0);
      }),
      role('a', function* () {
        arrive(ab);
        yield* wait(ba, 0);
        yield* wait(ba, 1);
        arrive(ab);
        arrive(c);
      }),
      role('b', function* () {
        yield* wait(ab, 0);
        arrive(ba);
        yield* wait(ab, 1);
        arrive(ba);
      }),
    ];
  });
  await expectSentence('the smallest cycle comes first', target);
});

test('a count of threads where warps arrive, and the other way round', async () => {
  const counted = (count: number, perThread: boolean): Kernel =>
    kernel('count', {}, () => {
      const [full, empty] = [barrier('full'), barrier('empty', { count })];
      return [
        role('load', function* () {
          for (let i = 0; i < 4; i++) {
            yield* wait(empty, i - 1);
            arrive(full);
          }
        }),
        role('math', { lanes: 128 }, function* () {
          for (let i = 0; i < 4; i++) {
            yield* wait(full, i);
            arrive(empty, perThread ? { everyLane: true } : {});
          }
        }),
      ];
    });
  await expectSentence('a count of threads where warps arrive', counted(128, false));
  await expectSentence('a count of warps where threads arrive', counted(4, true));
});

test('a named barrier that no other role comes to names those that could', async () => {
  const target = kernel('alone', {}, () => [
    role('mma', { lanes: 128 }, function* () {
      yield* syncNamed(4, 256);
    }),
    role('load', { lanes: 32 }, function* () {}),
    role('epilogue', { lanes: 128 }, function* () {}),
  ]);
  await expectSentence('a named barrier that no other role comes to', target);
});

test('a barrier that is only tried is not why a role waits', async () => {
  const target = kernel('doubter', {}, () => {
    const [first, second] = [barrier('first'), barrier('second')];
    return [
      role('doubter', function* () {
        if (!(yield* tryWait(first, 0))) yield* wait(second, 0);
        arrive(second);
      }),
    ];
  });
  await expectSentence('a barrier that is only tried', target);
});

shown.expectNoOther();
