// P06: what the state of a loop may hold; all else is refused with its path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyValue, decodeValue, encodeValue, ReturnedObjects } from '#src/program/value';
import { Declarations, NO_OPEN_COUNTS } from '#src/program/declarations';

const owner = {
  role: 'c',
  loop: { state: null, body: (s: unknown) => s as never, calledAt: new Error(), result: null },
};
const declarations = new Declarations(false, NO_OPEN_COUNTS, null);
const encode = (value: unknown) => encodeValue(value, owner, () => true);

const REFUSED: Readonly<Record<string, readonly [value: unknown, path: RegExp]>> = {
  'a negative zero': [[-0, 1], /s\[0\] is -0/],
  'a symbol key': [{ a: { [Symbol('n')]: 1 } }, /s\.a\[Symbol\(n\)\] is/],
  'a hidden property': [Object.defineProperty({}, 'n', { value: 1 }), /s\.n is not enumerable/],
  'an accessor': [
    {
      get n() {
        return 1;
      },
    },
    /s\.n is an accessor/,
  ],
  'a property of an array': [{ list: Object.assign([1], { n: 1 }) }, /s\.list\.n is a property/],
  'a hole': [Object.assign([1], { length: 2 }), /s\[1\] is empty/],
  'a Proxy': [{ inner: new Proxy({}, {}) }, /s is a Proxy/],
  'an object of a class': [{ when: new Map() }, /s\.when is an object of class Map/],
  'a function': [() => 1, /s is a function/],
  'a number that is none': [{ 'a b': NaN }, /s\["a b"\] is the number NaN/],
};

for (const [what, [value, path]] of Object.entries(REFUSED)) {
  test(`${what} is refused with its path`, () => {
    assert.throws(() => encode(value), path);
    assert.throws(() => copyValue(value, owner), path);
  });
}

test('states are equal by their values and the order of their keys', () => {
  assert.equal(encode({ a: 1, b: [true] }).key, encode({ a: 1, b: [true] }).key);
  assert.notEqual(encode({ a: 1, b: 2 }).key, encode({ b: 2, a: 1 }).key);
});

test('an object that a state holds twice is one object in each copy, and compared as one', () => {
  const first = { n: 0 };
  const state = () => ({ at: first, list: [first, { n: 1 }] });
  const apart = encode({ at: { n: 0 }, list: [{ n: 0 }, { n: 1 }] });
  const shared = encode(state());
  assert.notEqual(shared.key, apart.key);
  assert.equal(shared.key, encode(structuredClone(state())).key);
  for (const copy of [copyValue(state(), owner), decodeValue(shared, declarations, 0).value]) {
    const { at, list } = copy as ReturnType<typeof state>;
    assert.deepEqual({ at, list }, state());
    assert.equal(at, list[0]);
    assert.notEqual(at, first);
  }
});

test('a state that holds itself does so in each copy', () => {
  const ring: { next?: unknown } = {};
  ring.next = ring;
  const encoded = encode(ring);
  assert.notEqual(encoded.key, encode({ next: {} }).key);
  for (const copy of [copyValue(ring, owner), decodeValue(encoded, declarations, 0).value])
    assert.equal((copy as typeof ring).next, copy);
});

test('no text in a state has the key of an object that it holds twice', () => {
  const first = {};
  const keys = ['&1', '"&1"', { '&1': 1 }, { $shared: 1 }].map((part) => encode([first, part]).key);
  assert.ok(!keys.includes(encode([first, first]).key));
});

test('a round gets a copy, and what it came from can not change any more', () => {
  const state = { list: [1] };
  const copy = copyValue(state, owner);
  assert.deepEqual(copy, state);
  assert.notEqual(copy, state);
  assert.ok(Object.isFrozen(state) && Object.isFrozen(state.list));
});

test('an object that was a state before is refused, its copy is not', () => {
  const returned = new ReturnedObjects();
  const state = { n: 0 };
  const copy = copyValue(state, owner, returned);
  assert.throws(() => copyValue(state, owner, returned), /an object of a state before/);
  assert.deepEqual(copyValue(copy, owner, returned), { n: 0 });
});
