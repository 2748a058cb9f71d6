import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ambientFaults } from './ambient.ts';
import { source } from './source.ts';
import { SOURCES } from './tree.ts';

const rejected = [
  `if (process.env.CI) stop();`,
  `const start = Date.now();`,
  `const start = new Date();`,
  `const pick = Math.random();`,
  `const start = performance.now();`,
  `console.log('x');`,
  `globalThis.process.exit(1);`,
  'const label = `at ${Date.now()}`;',
];

for (const text of rejected) {
  test(`tidy rejects below cli: ${text}`, () => {
    const faults = ambientFaults(source('check/start.ts', `// Why.\n${text}\n`));
    assert.equal(faults.length, 1);
    assert.match(faults[0], /^check\/start\.ts:2 uses .* injected by cli/);
  });
}

test('tidy accepts them in cli, in comments, in messages and as names of other things', () => {
  assert.deepEqual(ambientFaults(source('cli/main.ts', `console.log(process.argv);`)), []);
  assert.deepEqual(ambientFaults(source('op/op.ts', `// Date.now is not for us`)), []);
  assert.deepEqual(ambientFaults(source('ring/wait.ts', `left = end - performance.now();`)), []);
  assert.deepEqual(ambientFaults(source('op/op.ts', `help('call Math.random() less');`)), []);
  assert.deepEqual(ambientFaults(source('op/op.ts', `this.process.next(role.console.x);`)), []);
});

test('nothing below cli reads the environment or writes to a stream', () => {
  assert.deepEqual(SOURCES.flatMap(ambientFaults), []);
});
