// Steps files: the verdict from the file is the verdict from PTX, and bad lines are one error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Validator, type Schema } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { InputError } from '@poundlock/core/internal/base';
import type { CheckResult } from '@poundlock/core/internal/finding';
import type { Kernel } from '@poundlock/core/internal/program';
import { check } from '../accepting.ts';
import { stepsKernel } from '#src/kernel/steps-kernel';
import { readSteps } from '#src/steps/read-steps';
import type { StepName } from '#src/steps/step';
import { asPtx } from '../agreement/as-ptx.ts';
import { protocols } from '../agreement/protocol.ts';
import { changed } from '../changed-json.ts';
import { BUGS, pipeKernel } from '../check/pipe.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 25);
const SEED = 20_261_124;
const SCHEMA = new URL('../../../../docs/schema/steps.json', import.meta.url);
const validator = new Validator(JSON.parse(readFileSync(SCHEMA, 'utf8')) as Schema, '2020-12');

function shown({ verdict, reason, findings, coverage, scope }: CheckResult): unknown {
  const all = findings.map(({ rule, message, primary, trace }) => {
    // A file does not say what warps would do behind the waits that they never pass.
    const place = rule === 'deadlock' ? null : { message, primary };
    return [rule, place, trace?.length];
  });
  // A steps file does not say which form an instruction has.
  const counts = coverage === undefined ? undefined : { ...coverage, forms: undefined };
  return [verdict, reason, all, counts, scope.assumptions];
}

/** Checks a kernel and its steps file; the file is the same when it is written again. */
async function isSame(kernel: Kernel): Promise<string> {
  const text = kernel.runText!(kernel.defaults as Record<string, number>);
  const again = stepsKernel({ file: 'steps.jsonl', text });
  assert.equal(again.runText!({}), text);
  const [ours, theirs] = [await check(kernel), await check(again)];
  // Numbers of instructions, which no report shows, count those that the file names.
  assert.deepEqual(structuredClone(shown(theirs)), structuredClone(shown(ours)));
  return text;
}

test('the verdict from a file is the verdict from PTX', async () => {
  const property = fc.asyncProperty(protocols, async (protocol) => {
    await isSame(asPtx(protocol));
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
});

test('so it is for every bug of a kernel as built, and the lines fit the schema', async () => {
  const shape = { stages: 2, consumers: 2, tileBytes: 8192, tiles: 6 };
  const cycles = { producerCycles: 0, consumerCycles: 0 };
  for (const bug of BUGS.keys()) {
    const text = await isSame(pipeKernel({ bug, ...shape, ...cycles }));
    for (const line of text.trim().split('\n').slice(0, 15)) {
      const { errors } = validator.validate(JSON.parse(line));
      assert.deepEqual(errors, [], line.slice(0, 200));
    }
  }
});

const HEAD = { format: 'poundlock-steps', version: 1, warps: [{ warp: 0 }, { warp: 1 }] };

function textOf(...lines: readonly object[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

test('a file by hand: its names and places are in the findings', async () => {
  const at = 'ring.cu:7';
  const head = { ...HEAD, variables: [{ name: 'full', offset: 64, size: 16, element: 8 }] };
  const init = { warp: 0, op: 'init', at, barrier: 72, count: 1 };
  const wait = { warp: 1, op: 'wait', at: 'ring.cu:9:3', barrier: 72, parity: 0 };
  const text = textOf(head, init, wait);
  const { verdict, findings } = await check(stepsKernel({ file: 'steps.jsonl', text }));
  assert.equal(verdict, 'counterexample');
  assert.match(findings[0]!.message, /full\[1\]/);
  const { file, line, column } = findings[0]!.primary;
  assert.deepEqual([file, line, column], ['ring.cu', 9, 3]);
});

test('a run that ended at a wait which others can end proves nothing', async () => {
  const init = { warp: 0, op: 'init', at: 'ring.cu:7', barrier: 0, count: 1 };
  const meet = { op: 'named', at: 'ring.cu:8', id: 0, threads: 64, arriving: 32, isSync: true };
  const arrive = { op: 'arrive', at: 'ring.cu:9', barrier: 0, arrivals: 1, expect: 0 };
  const wait = { warp: 1, op: 'wait', at: 'ring.cu:11', barrier: 0, parity: 0 };
  const before = [HEAD, init, { warp: 0, ...meet }, { warp: 1, ...meet }, { warp: 0, ...arrive }];
  const verdictOf = (last: object) =>
    check(stepsKernel({ file: 'steps.jsonl', text: textOf(...before, last) }));
  assert.equal((await verdictOf(wait)).verdict, 'certified');
  const { verdict, reason } = await verdictOf({ ...wait, stuck: true });
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /^the run ends while warp 1 waits here \(ring\.cu:11/);
});

test('a line that cannot be read is one error that names it', () => {
  const step = { warp: 0, op: 'wait', at: 'a.cu:1', barrier: 0, parity: 0 };
  const access = { warp: 0, op: 'access', at: 'a.cu:1', kind: 'plain' };
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /^s\.jsonl:1: the document is not JSON$/],
    ['{"format":"other"}', /its first line has no "format" of poundlock-steps or poundlock-trace$/],
    [textOf({ ...HEAD, version: 2 }), /s\.jsonl:1: 'version' is 2: only version 1 can be read$/],
    [textOf({ ...HEAD, warps: [] }), /'warps' has no warp$/],
    [textOf({ ...HEAD, ctas: 65 }), /'ctas' has to be a whole number from 1 to 64$/],
    [`${textOf(HEAD)}\nnonsense`, /^s\.jsonl:2: the document is not JSON$/],
    [textOf(HEAD, { ...step, op: 'waits' }), /^s\.jsonl:2: 'op' is not a step: 'waits'$/],
    [textOf(HEAD, { ...step, parity: 2 }), /^s\.jsonl:2: 'parity' has to be .* from 0 to 1$/],
    [textOf(HEAD, { ...step, warp: 5 }), /^s\.jsonl:2: 'warp' is not a warp of the header$/],
    [textOf(HEAD, { ...step, at: 3 }), /'at' has to be a whole number/],
    [textOf(HEAD, { ...step, at: 'a.cu' }), /'at' has to be a place of the header, or FILE:LINE$/],
    [textOf(HEAD, { ...step, barrier: 2 ** 24 }), /'barrier' has to be a whole number/],
    [textOf(HEAD, { ...step, stuck: true }, step), /^s\.jsonl:3: .* follows the step that warp 0/],
    [textOf(HEAD, { ...access, reads: [4] }), /'reads' has to be pairs/],
    [textOf(HEAD, { ...access, reads: [4, 4] }), /'reads' has a range without a byte$/],
    [textOf(HEAD, { ...access, kind: 'raw' }), /'kind' is not one of plain, volatile, atomic$/],
  ];
  for (const [text, message] of cases)
    assert.throws(
      () => stepsKernel({ file: 's.jsonl', text }),
      (error) => error instanceof InputError && message.test(error.message),
      text,
    );
});

test('a member that is not known is refused, with the one that is meant', () => {
  const step = { warp: 0, op: 'wait', at: 'a.cu:1', barrier: 0, parity: 0 };
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      textOf({ ...HEAD, variable: [] }),
      /^s\.jsonl:1: .* no 'variable': did you mean 'variables'\?$/,
    ],
    [textOf(HEAD, { ...step, phases: 1 }), /^s\.jsonl:2: .* no 'phases': did you mean 'phase'\?$/],
    [
      textOf(HEAD, { ...step, unit: 'bulk' }),
      /^s\.jsonl:2: the document takes no 'unit': it takes op, at, /,
    ],
  ];
  for (const [text, message] of cases) assert.throws(() => readSteps(text, 's.jsonl'), { message });
});

const FULL_HEAD = {
  ...HEAD,
  kernel: 'ring',
  ptx: '9.0',
  ctas: 64,
  clusterSize: 2,
  registers: 64,
  mostRegisters: 168,
  places: [{ file: 'a.cu', line: 3, column: 1, ptxLine: 3, ptxFile: 'a.ptx', opcode: 'ret' }],
  variables: [{ name: 'full', offset: 64, size: 16, element: 8 }],
  assumptions: [{ name: 'address-data', text: 'it is so', at: 0, isOfAddress: true }],
  faults: [
    {
      text: 'x',
      at: -1,
      rule: 'trap',
      certain: { role: null, rule: 'race', isOrdered: true },
      isOfIsa: true,
    },
  ],
  undecided: [],
  solvedBoxes: { map: 64 },
  counts: [{ count: 0, word: 8, initial: -1 }],
  counters: {
    words: [
      {
        word: 2 ** 31,
        name: 'lock',
        arrivals: 1,
        isExact: true,
        writers: [{ role: 'w', count: 1 }],
        at: 0,
      },
    ],
    guards: 1,
  },
  earlier: [2 ** 31],
  global: { pages: [0], pointers: [{ name: 'p', address: 65_536 }] },
  coverage: { instructions: 9, reached: 2, synchronizing: [0], missed: [] },
};

const ORDER = { sem: 'relaxed', scope: 'gpu' };
const RANGES = { reads: [0, 8], writes: [2 ** 31, 2 ** 31 + 8] };

/** The fields of a step of each kind. */
const FIELDS: { readonly [N in StepName]: object } = {
  init: { barrier: 0, count: 1 },
  invalidate: { barrier: 0 },
  arrive: { barrier: 0, arrivals: 1, expect: 8, phase: 0, isDrop: true, ...ORDER },
  expect: { barrier: 0, bytes: 8, ...ORDER },
  complete: { barrier: 0, bytes: 8, ...ORDER },
  wait: { barrier: 0, parity: 0, phase: 1, ...ORDER },
  copy: { ...RANGES, signals: [{ barrier: 0, bytes: 8, phase: 0 }], map: null },
  use: { unit: 'bulk', ...RANGES, map: 'm', isReduction: true },
  prefetch: { map: 'm' },
  map: { map: 'm', reads: [0, 8], writes: [0, 128] },
  commit: { barriers: [0, 8] },
  commitGroup: { unit: 'wgmma' },
  waitGroup: { unit: 'wgmma', pending: 0, isRead: true },
  asyncArrive: { barrier: 0, arrivals: 1, phase: 0, isCounted: true },
  access: {
    kind: 'atomic',
    ...RANGES,
    values: [-1],
    isPossible: true,
    unknown: 'each',
    adds: { ...ORDER, count: 0, amount: -1 },
  },
  fence: { fence: 'release', scope: 'gpu', space: 'global', map: 'm' },
  named: { id: 0, threads: 64, arriving: 32, isPartOfWarp: true, isSync: true },
  clusterArrive: ORDER,
  clusterWait: ORDER,
  allocate: { column: 0, columns: 32 },
  free: { column: 0, columns: 32 },
  relinquish: {},
  tensorMisuse: { misuse: 'capacity', columns: 32 },
  registers: { isTaking: true, perThread: 40, isPartOfWarp: true },
  lanes: { missing: 1 },
  join: {},
  gridWait: {},
  signal: { word: 2 ** 31, arrivals: 1, guards: [0], ...ORDER },
  poll: { word: 2 ** 31, phase: null, before: [0], after: [1], ...ORDER },
  last: { count: 0, equals: 1, steps: [{ op: 'wait', at: 0, barrier: 0, parity: 1 }] },
};

/** What several fields decide together: the schema cannot say it. */
const BEYOND_SCHEMA = new RegExp(
  [
    'is not a warp of the header',
    'is a warp that the header already has',
    'has a range without a byte',
    'has to be pairs',
    'is behind the last CTA',
    'is nested too deeply',
    'follows the step',
    // Up to the CTAs, places, or instructions that the header has.
    "'(\\S*(cta|at|barrier|word|clusterSize|reached)|\\S+\\[\\d+\\])' has to be a whole number",
  ].join('|'),
);

test('the reader takes a file if and only if the schema takes each line', () => {
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Schema;
  const [head, step] = [{ $ref: '#/$defs/header' }, { $ref: '#/$defs/step', required: ['warp'] }];
  const validators = [head, step].map(
    (one) => new Validator({ $defs: schema.$defs!, ...one }, '2020-12', false),
  );
  const line = { warp: 0, at: 'a.cu:3', cta: 0, lanes: -1, isJoint: true, stuck: false };
  const lines = Object.entries(FIELDS).map(([op, own]) => ({ ...line, op, ...own }));
  assert.doesNotThrow(() => readSteps(textOf(FULL_HEAD, ...lines), 's.jsonl'));
  const two = fc.oneof(
    fc.constantFrom(...lines).map((one): object[] => [FULL_HEAD, one]),
    fc.constant<object[]>([FULL_HEAD]),
  );
  const property = fc.property(changed(two), (document) => {
    const all = document as object[];
    const faults = all.flatMap((one, at) => validators[Math.min(at, 1)]!.validate(one).errors);
    const text = textOf(...all);
    try {
      readSteps(text, 's.jsonl');
      assert.deepEqual(faults.at(-1), undefined, `only the reader takes ${text}`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (all.length > 0 && !BEYOND_SCHEMA.test(error.message))
        assert.ok(faults.length > 0, `only the schema takes ${text}: ${error.message}`);
    }
  });
  fc.assert(property, { seed: SEED, numRuns: Number(process.env['RUNS'] ?? 2000) });
});

test('no text makes the reader fail in another way', () => {
  const value = fc.oneof(
    fc.integer({ min: -9, max: 99 }),
    fc.constantFrom('a.cu:1', 'plain', null),
  );
  const op = fc.constantFrom(
    'init',
    'arrive',
    'wait',
    'copy',
    'use',
    'access',
    'named',
    'last',
    'x',
  );
  const names = [
    'barrier',
    'count',
    'reads',
    'writes',
    'signals',
    'unit',
    'id',
    'threads',
    'steps',
  ];
  const line = fc.record({
    warp: fc.integer({ min: 0, max: 2 }),
    op,
    at: value,
    [names[0]!]: value,
    [names[1]!]: value,
    [names[2]!]: fc.oneof(value, fc.array(value, { maxLength: 4 })),
    [names[3]!]: fc.oneof(value, fc.array(value, { maxLength: 4 })),
    parity: value,
    kind: value,
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
      try {
        stepsKernel({ file: 's.jsonl', text: textOf(HEAD, ...lines) });
      } catch (error) {
        assert.ok(error instanceof InputError, String(error));
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
});
