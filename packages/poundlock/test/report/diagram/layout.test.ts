// Diagrams of real and of random schedules: each step is in one place, and nothing is outside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { layOut, type DiagramSource, type Drawing } from '#src/report/diagram/index';
import { cutName } from '#src/report/diagram/metrics';
import { anySource, ptxScheduleOf, scheduleOf, source, step } from './schedules.ts';

const WIDTHS = ['wide', 'narrow'] as const;

/** The steps of all rows, in order. */
const stepsOf = ({ rows }: Drawing): [number, number][] =>
  rows.map(({ first, last }) => [first, last]);

function mustBeSound(drawing: Drawing, { trace }: DiagramSource): void {
  const { width, height, rows, columns, arrows, spans, ends, standings, legend, heading } = drawing;
  let next = 1;
  let y = 0;
  for (const { first, last, top, height: own } of rows) {
    assert.equal(first, next);
    assert.ok(last >= first && top >= y && own > 0);
    [next, y] = [last + 1, top + own];
  }
  assert.equal(next, trace.length + 1);
  const lines = [...heading, ...standings.flatMap((one) => one.lines), ...legend];
  const points = [
    ...lines.map(({ x, y }) => [x, y]),
    ...columns.flatMap(({ x, top, bottom, until }) => [
      [x, top],
      [x, bottom],
      [x, until],
    ]),
    ...columns.flatMap(({ head, foot }) => [...head, ...foot].map(({ x, y }) => [x, y])),
    ...rows.flatMap(({ marks, facts }) => [...marks, ...facts].map(({ x, y }) => [x, y])),
    ...arrows.flatMap((arrow) => arrow.points),
    ...spans.flatMap(({ x, y, width, height }) => [
      [x, y],
      [x + width, y + height],
    ]),
    ...ends.map(({ x, y }) => [x, y]),
  ];
  for (const [x, y] of points) {
    assert.ok(x! >= 0 && x! <= width && y! >= 0 && y! <= height, `${x},${y} of ${width}×${height}`);
  }
  for (const { width, height } of spans) assert.ok(width > 0 && height > 0);
}

for (const width of WIDTHS) {
  test(`any schedule has a sound ${width} diagram`, () => {
    const property = fc.property(anySource, fc.boolean(), fc.boolean(), (any, all, hasHeading) => {
      mustBeSound(layOut(any, { width, all, hasHeading }), any);
    });
    fc.assert(property, { numRuns: 150 });
  });
}

test('any schedule has a sound diagram that fills its room, narrow or wide', () => {
  const rooms = fc.integer({ min: 320, max: 1600 });
  const property = fc.property(anySource, fc.constantFrom(...WIDTHS), rooms, (any, width, room) => {
    const drawing = layOut(any, { width, room });
    mustBeSound(drawing, any);
    assert.ok(drawing.width >= room);
  });
  fc.assert(property, { numRuns: 150 });
});

test('below a high diagram are the names of its columns again', () => {
  const steps = Array.from({ length: 40 }, (_, at) =>
    step(at % 2 === 0 ? 'load' : 'mma', `op${at}`),
  );
  for (const width of WIDTHS) {
    const [low, high] = [steps.slice(0, 4), steps].map((trace) => layOut(source(trace), { width }));
    assert.deepEqual(
      low!.columns.map(({ foot }) => foot),
      [[], []],
    );
    assert.deepEqual(
      high!.columns.map(({ foot }) => foot.map(({ text }) => text)),
      [['load'], ['mma']],
    );
    const last = high!.rows.at(-1)!;
    for (const { foot } of high!.columns) assert.ok(foot[0]!.y > last.top + last.height);
  }
});

test('bytes that came before they were expected are early, not negative', () => {
  const barriers = [
    { name: 'full', phase: 1, parity: 1, pending: 1, expected: 1, txBytes: -128 } as const,
  ];
  const { rows } = layOut(source([{ ...step('tma', 'a copy'), barriers }]));
  assert.equal(rows[0]!.facts[0]!.text, 'full phase 1, 128 B early');
});

test('a name that stands for several keeps their number where it is cut', () => {
  assert.equal(cutName('cta0.warp0.lanes1-31 +3', 20), 'cta0.warp0.lanes… +3');
  assert.equal(cutName('load', 20), 'load');
});

test('a deadlock ends in roles that starve and owe one another', async () => {
  const schedule = await scheduleOf('one-stage');
  const drawing = layOut(schedule);
  assert.deepEqual(
    drawing.columns.map(({ name, state }) => [name, state]),
    [
      ['load', 'starves'],
      ['(tma)', 'ended'],
      ['mma', 'starves'],
      ['(mma)', 'ended'],
    ],
  );
  assert.equal(drawing.rows.filter(({ isFailing }) => isFailing).length, 0);
  assert.equal(drawing.arrows.filter(({ kind }) => kind === 'owes').length, 2);
  assert.deepEqual(
    drawing.arrows.filter(({ kind }) => kind === 'passes').map(({ from, to }) => [from, to]),
    [[4, 5]],
  );
  assert.match(drawing.description, /load waits for ab\.empty\[0\] phase 0/);
});

test('a race ends in the failing step, with the other access and the work that is open', async () => {
  const { rows, spans, legend } = layOut(await scheduleOf('early-release'));
  assert.deepEqual(
    rows.filter(({ isFailing }) => isFailing).map(({ first }) => first),
    [6, 10],
  );
  const work = spans.filter(({ kind }) => kind === 'work');
  assert.deepEqual(
    work.map(({ isOpen, label, hue }) => [isOpen, label, hue]),
    [
      [false, '0', 0],
      [true, '0', 0],
      [true, '0', 0],
    ],
  );
  assert.equal(spans.filter(({ kind }) => kind === 'stage').length, 3);
  assert.deepEqual(
    legend.map(({ text }) => text),
    ['ab[0]'],
  );
});

test('the margin has the arrivals of a barrier, and the phase that completes', async () => {
  const { rows } = layOut(await scheduleOf('wrong-count'));
  const facts = rows.flatMap((row) => row.facts);
  assert.deepEqual(facts.at(-1)?.arrivals, { arrived: 1, expected: 2 });
  assert.equal(
    facts.find(({ kind }) => kind === 'completes')?.text,
    'ab.full[0] phase 0 completes',
  );
});

test('a kernel as built has a column for each warp, and its copies', async () => {
  const schedule = await ptxScheduleOf('tile-sum-early-release');
  const drawing = layOut(schedule);
  mustBeSound(drawing, schedule);
  const names = drawing.columns.map(({ name }) => name);
  assert.ok(
    names.some((name) => name.startsWith('warp0')) && names.includes('(tma)'),
    names.join(),
  );
  assert.ok(drawing.spans.some(({ kind, isOpen }) => kind === 'work' && isOpen));
});

test('a schedule without steps is a diagram of where every role is', async () => {
  const schedule = await scheduleOf('wrong-start-phase');
  assert.equal(schedule.trace.length, 0);
  const drawing = layOut(schedule);
  mustBeSound(drawing, schedule);
  assert.ok(drawing.ends.every(({ state }) => state === 'starves'));
});

const warps = (count: number): string[] => Array.from({ length: count }, (_, at) => `warp${at}`);
const place = (line: number) => ({ file: 'a.cu', line, column: 1 });

test('warps that make the same steps are one column, and their equal steps one row', () => {
  const trace = [4, 5].flatMap((line) => warps(16).map((name) => step(name, 'sync', place(line))));
  const drawing = layOut(source(trace));
  assert.deepEqual(
    drawing.columns.map(({ name }) => name),
    ['warp0–15'],
  );
  assert.deepEqual(stepsOf(drawing), [
    [1, 16],
    [17, 32],
  ]);
  assert.deepEqual(
    drawing.rows.map(({ marks }) => marks[0]!.label),
    ['sync ×16', 'sync ×16'],
  );
});

test('the roles of a finding keep columns of their own', () => {
  const trace = warps(16).map((name) => step(name, 'sync', place(4)));
  const { columns } = layOut(source(trace, { cited: ['warp3', 'warp7'] }));
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['warp0 +13', 'warp3', 'warp7'],
  );
});

test('of many warps, those that are behind share the column of those ahead', () => {
  const trace = warps(32).flatMap((name, at) => {
    const own = Array.from({ length: 1 + (at % 16) }, (_, line) =>
      step(name, 'sync', place(line + 1)),
    );
    return own;
  });
  const { columns } = layOut(source(trace));
  assert.deepEqual(
    columns.map(({ members }) => members.length),
    [32],
  );
});

test('two roles with the same steps are two columns, unless there are many', () => {
  const trace = warps(2).map((name) => step(name, 'sync', place(4)));
  assert.equal(layOut(source(trace)).columns.length, 2);
});

test('a step is not beside the one that let it pass', () => {
  const trace = [step('warp0', 'sync', place(4)), step('warp1', 'sync', { ...place(4), from: 1 })];
  const waits = trace.map((one, at) => (at === 0 ? one : { ...one, from: 1 }));
  assert.equal(layOut(source(waits)).rows.length, 2);
});

test('laps are folded in a long schedule, and shown when all is requested', () => {
  const lap = ['wait', 'arrive', 'copy'].map((verb, at) => step('load', verb, place(at + 1)));
  const trace = [...Array.from({ length: 40 }, () => lap).flat(), step('load', 'exit')];
  const { rows } = layOut(source(trace));
  assert.equal(rows.length, 3 + 1 + 3 + 1);
  assert.match(rows[3]!.facts[0]!.text, /^38 more laps like the 3 rows above$/);
  assert.equal(layOut(source(trace), { all: true }).rows.length, 121);
});

test('a long schedule without laps hides its middle', () => {
  const trace = Array.from({ length: 1000 }, (_, at) => step('load', 'read', place(at + 1)));
  const { rows } = layOut(source(trace));
  assert.equal(rows.length, 40 + 1 + 80);
  assert.match(rows[40]!.text, /880 more steps/);
});

test('eight roles fit a telephone', () => {
  const names = warps(8);
  const trace = Array.from({ length: 40 }, (_, at) => {
    return step(names[at % 8]!, ['wait', 'arrive', 'read'][at % 3]!, place(at + 1));
  });
  const drawing = layOut(source(trace), { width: 'narrow' });
  assert.equal(drawing.columns.length, 8);
  assert.ok(drawing.width <= 343, `${drawing.width} pixels of 375 without the edges of a page`);
});

test('of roles of one column that do the same in turn, the first one is shown', () => {
  const at = (line: number) => ({ file: 'kernel.cu', line, column: 1 });
  const turn = (agent: string, until: number) => [
    step(agent, 'wait', at(1)),
    step(agent, 'use', { ...at(2), issues: [{ unit: 'wgmma', until }] }),
    step('wgmma', 'complete', { kind: 'unit', ...at(2) }),
    step(agent, 'arrive', at(3)),
  ];
  const lap = (first: number) =>
    ['warp0', 'warp1', 'warp2', 'warp3'].flatMap((agent, index) =>
      turn(agent, first + 4 * index + 3),
    );
  const steps = [0, 1, 2, 3].flatMap((index) => [
    step('load', `copy${index}`, at(9)),
    ...lap(17 * index + 1),
  ]);
  const drawing = layOut(source([...steps, step('load', 'exit')]));
  const hidden = drawing.rows
    .filter(({ kind }) => kind === 'hidden')
    .map(({ facts }) => facts[0]!.text);
  assert.deepEqual(hidden, Array(4).fill('warp1–warp3: the same 4 rows as warp0'));
  // The last step is shown with the rows of its role.
  const open = layOut(source(steps)).rows.filter(({ kind }) => kind === 'hidden');
  assert.equal(open.at(-1)!.facts[0]!.text, 'warp1 and warp2: the same 4 rows as warp0');
  assert.equal(
    layOut(source(steps), { all: true }).rows.filter(({ kind }) => kind === 'hidden').length,
    0,
  );
});

test('both accesses of a race are marked: steps, or what a role does next', () => {
  const trace = [
    step('load', 'copy', place(1)),
    step('mma', 'use', place(2)),
    step('load', 'copy'),
  ];
  const broken = { rule: 'race', severity: 'error' } as const;
  const standing = ['load', 'mma'].map((agent) => {
    return { agent, kind: 'role', state: 'continues', text: 'next operation: read ab[0]' } as const;
  });
  const drawn = (mma: number | null) => {
    const accesses = [
      { role: 'load', step: 3 },
      { role: 'mma', step: mma },
    ];
    const { rows, ends } = layOut({ ...source(trace), standing, broken, accesses });
    const marked = rows.flatMap(({ marks, first }) =>
      marks.some(({ isFailing }) => isFailing) ? [first] : [],
    );
    return [marked, ends.filter(({ isFailing }) => isFailing).length];
  };
  assert.deepEqual(drawn(2), [[2, 3], 0]);
  assert.deepEqual(drawn(null), [[3], 1]);
});

test('a barrier keeps its number, however little room its name has', () => {
  const barrier = (name: string) =>
    ({ name, phase: 3, parity: 1, pending: 0, expected: 1, txBytes: 0 }) as const;
  const shown = (name: string, waited?: string) => {
    const own = waited === undefined ? { barriers: [barrier(name)] } : { waited };
    const drawing = layOut(source([step('load', 'wait', own)]), { width: 'narrow' });
    return drawing.rows[0]!.facts[0]!.shown;
  };
  const long = `${'accumulator'.repeat(4)}.empty[12]`;
  assert.match(shown(long), /^accumulator.*…\[12\]$/);
  assert.match(shown('', `${long} phase 3`), /^accumulator.*…\[12\]$/);
  // The verb goes first.
  const middle = 'accumulator_pipeline.full[1]';
  assert.match(shown('', `${middle} phase 3`), /^accumulator_pipeline\.full\[1\]/);
});
