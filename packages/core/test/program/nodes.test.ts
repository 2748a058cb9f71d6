// Nodes keep every answer that leads on, however many and however large.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NodeKind, Nodes } from '#src/program/nodes';

const FIELDS = {
  kind: NodeKind.yielded,
  role: 0,
  frame: 0,
  instruction: null,
  misuse: null,
  retry: false,
} as const;

test('the answers of a node are those that were linked, each with its child', () => {
  const answers = fc.uniqueArray(fc.oneof(fc.integer(), fc.integer({ min: -2, max: 20 })));
  fc.assert(
    fc.property(answers, (linked) => {
      const nodes = new Nodes();
      const node = nodes.add(FIELDS, -1, 0);
      const children = linked.map((answer) => nodes.add(FIELDS, node, answer));
      linked.forEach((answer, at) => nodes.link(node, answer, children[at]!));
      assert.deepEqual(new Set(nodes.answers(node)), new Set(linked));
      assert.equal(nodes.answers(node).length, linked.length);
      linked.forEach((answer, at) => assert.equal(nodes.child(node, answer), children[at]));
      assert.equal(nodes.links, linked.length);
    }),
  );
});
