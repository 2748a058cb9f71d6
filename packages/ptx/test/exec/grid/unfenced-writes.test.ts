// Words that several blocks write in an order: what is assumed where no fence puts them in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { launchOf, ptxOf } from './protocol.ts';
import type { Operation, Protocol } from './protocol.ts';

/** Block 0 stores a count and sets a flag; block 1 adds to the count behind the flag, and waits. */
function protocolOf(between: readonly Operation[], isRelease: boolean): Protocol {
  const poll = { op: 'poll' as const, isEqual: true, isAcquire: true };
  return [
    [
      { op: 'set', flag: 0, value: 1, isRelease: false },
      ...between,
      { op: 'set', flag: 1, value: 1, isRelease },
    ],
    [
      { ...poll, flag: 1, value: 1 },
      { op: 'add', flag: 0, value: 1, isRelease: false },
      { ...poll, flag: 0, value: 2 },
    ],
  ];
}

const CASES: readonly (readonly [string, Protocol, boolean])[] = [
  ['no fence', protocolOf([], false), true],
  ['a fence', protocolOf([{ op: 'fence' }], false), false],
  ['a release', protocolOf([], true), false],
];

for (const [name, protocol, isAssumed] of CASES)
  test(`a count is stored before a flag: ${name}`, async () => {
    const { verdict, scope } = await check(
      ptxKernel({
        ptx: { file: 'k.ptx', text: ptxOf(protocol) },
        launch: { file: 'l.json', text: launchOf(protocol) },
      }),
    );
    assert.equal(verdict, 'certified');
    const assumptions = scope.assumptions.map((one) => one.text).join('; ');
    assert.equal(/flags is written before what is signaled behind it/.test(assumptions), isAssumed);
  });
