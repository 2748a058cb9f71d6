// Which edges of a graph leave something out, in rounds of loops and at their ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipEdges } from '#src/base/index';

/** `1→2`, and `1→2 ends` for the end of a loop. */
function shown(graph: readonly (readonly number[])[], ...wanted: readonly number[]): string[] {
  return skipEdges(graph, 0, (node) => wanted.includes(node)).map(({ from, to, isLoopEnd }) => {
    return `${from}→${to}${isLoopEnd ? ' ends' : ''}`;
  });
}

test('a branch around', () => {
  assert.deepEqual(shown([[1, 2], [2], []], 1), ['0→2']);
  assert.deepEqual(shown([[1, 2], [3], [3], []], 1, 2), []);
});

test('of nested branches each by itself', () => {
  assert.deepEqual(shown([[1, 3], [2, 3], [3], []], 2), ['0→3', '1→3']);
});

test('the next round of a loop is none', () => {
  // while (0) { if (1) continue; 2 }
  assert.deepEqual(shown([[1, 3], [0, 2], [0], []], 2), ['0→3 ends', '1→0']);
  // do { if (0) 1 } while (2)
  assert.deepEqual(shown([[1, 2], [2], [0, 3], []], 1), ['0→2', '2→3 ends']);
});

test('a return out of a loop that ends with its condition is no end of it', () => {
  // do { if (0) return; 1 } while (2)
  assert.deepEqual(shown([[1, 3], [2], [0, 3], []], 1), ['0→3', '2→3 ends']);
});

test('an inner loop leads on, unless it is in it', () => {
  // while (0) { while (1) 2; 3 }
  const graph = [[1, 4], [2, 3], [1], [0], []];
  assert.deepEqual(shown(graph, 3), ['0→4 ends']);
  assert.deepEqual(shown(graph, 2), ['0→4 ends', '1→3 ends']);
});

test('nothing is left out where nothing is wanted', () => {
  assert.deepEqual(shown([[1, 2], [2], []]), []);
});
