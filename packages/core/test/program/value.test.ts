// P06: what the state of a loop may hold; all else is refused with its path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyValue, encodeValue, ReturnedObjects } from '#src/program/value';

const owner = {
  role: 'c',
  loop: { state: null, body: (s: unknown) => s as never, calledAt: new Error(), result: null },
};
const encode = (value: unknown) => encodeValue(value, owner, () => true);
const shared = { n: 0 };

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
  'one object twice': [[shared, shared], /s\[1\] is an object that it holds twice/],
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
