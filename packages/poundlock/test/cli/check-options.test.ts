// Options of check on the command line: each is read, and each is in the help.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DEFAULT_SHRINK_TRIES,
  readCheckOptions,
  type ChosenOptions,
  type CheckWords,
} from '#src/cli/options/check-options';
import { folder, poundlock } from './fake-host.ts';

const WORDS: Required<CheckWords> = {
  engine: 'search',
  every: 'tiles',
  sizes: 'requested',
  maxEvents: '1e6',
  maxStates: '10_000',
  timeout: '2m',
  shrinkTries: '0',
  memory: 'isa',
  deny: ['not-quiescent'],
  replay: 'l1',
  example: true,
  accept: ['no-trap'],
  assume: 'boxes',
};

const READ: Required<ChosenOptions> = {
  engine: 'search',
  every: 'tiles',
  sizes: 'requested',
  maxEvents: 1_000_000,
  maxStates: 10_000,
  timeoutMs: 120_000,
  shrinkTries: 0,
  memory: 'isa',
  deny: ['not-quiescent'],
  replay: 'l1',
  example: true,
  accept: ['no-trap', 'boxes'],
};

test('every option is read with its type', () => {
  assert.deepEqual(readCheckOptions(WORDS, false), READ);
});

test('what is not there is left to check, but for smaller sizes', () => {
  const engine = 'auto';
  assert.deepEqual(readCheckOptions({ engine }, false), {
    engine,
    shrinkTries: DEFAULT_SHRINK_TRIES,
  });
  assert.deepEqual(readCheckOptions({ engine }, true), { engine, shrinkTries: 0 });
});

test('a bad word is refused with the name of its option', () => {
  const words = { engine: 'auto', maxStates: 'many' } as const;
  assert.throws(() => readCheckOptions(words, false), /^InputError: --max-states must be a whole/);
});

test('every option is in the help', async (t) => {
  const { stdout } = await poundlock(folder(t, {}), ['check', '--help']);
  for (const name of Object.keys(WORDS)) {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    assert.match(stdout, new RegExp(`^ +--${flag}\\b`, 'm'));
  }
});
