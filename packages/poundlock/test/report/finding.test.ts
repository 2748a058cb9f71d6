import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { Finding, SourceLocation } from '../../../core/src/finding/index.ts';
import { findingLines } from '#src/report/finding';
import { ANSI } from '#src/report/index';
import { DEADLOCK, FILE, KERNEL, environment } from './sample.ts';

function rendered(finding: Finding, lines: readonly string[]): string {
  return findingLines(finding, environment(lines)).join('\n');
}

function finding(places: readonly Partial<SourceLocation>[]): Finding {
  const [primary, ...labels] = places.map((place, index) => {
    return { file: 'a.ts', line: 1, column: 1, text: `place ${index}`, ...place };
  });
  const message = 'two accesses';
  return {
    rule: 'race',
    severity: 'error',
    message,
    primary: primary!,
    labels,
    notes: [],
    helps: [],
  };
}

test('a finding shows every party under its own line, then why, help and replay', () => {
  assert.equal(
    rendered(DEADLOCK, KERNEL),
    `
error[deadlock]: load and mma wait for each other
   ╭─ examples/broken/one-stage.ts
14 │   using slot = yield* ab.produce();
   │                       ^ load waits here for ab.empty[0] phase 0: needs 1 arrival from mma
24 │   const tile = yield* ab.acquireConsumer();
   │                       ^ mma waits here for ab.full[0] phase 1: needs 1 arrival and 32,768 B from load
27 │   previous?.release();
   │             ^ the arrival that load needs is issued here, after that wait
   ╰─
   note: mma holds stage 0, which load needs next
   help: declare 2 stages
   also: with tiles=2, after 6 steps: poundlock check ${FILE} --set stages=1 --set tiles=2 --replay l3t1m1
   replay: poundlock check ${FILE} --set stages=1 --replay l3t1m3`.slice(1),
  );
});

test('labels of one line stand in column order, and the same place is shown once', () => {
  const places = [
    { column: 7, text: 'b' },
    { column: 1, text: 'a' },
    { column: 7, text: 'b' },
    { column: 7, text: 'c' },
  ];
  assert.equal(
    rendered(finding(places), ['read(write);']),
    `
error[race]: two accesses
  ╭─ a.ts
1 │ read(write);
  │ ^ a
  │       ^ b
  │       ^ c
  ╰─`.slice(1),
  );
});

test('the file of the finding comes first, others follow with their own lines', () => {
  const places = [
    { file: 'b.ts', line: 120 },
    { file: 'a.ts', line: 3 },
    { file: 'b.ts', line: 7 },
  ];
  const shown = findingLines(finding(places), {
    ...environment([]),
    sourceLine: (file, line) => `${file} ${line}`,
  });
  assert.deepEqual(shown.slice(1), [
    '    ╭─ b.ts',
    '  7 │ b.ts 7',
    '    │ ^ place 2',
    '120 │ b.ts 120',
    '    │ ^ place 0',
    '    ├─ a.ts',
    '  3 │ a.ts 3',
    '    │ ^ place 1',
    '    ╰─',
  ]);
});

test('a source that cannot be read is left out, its labels stay', () => {
  const shown = rendered(finding([{ line: 9, column: 30, text: 'here' }]), []);
  assert.equal(shown, 'error[race]: two accesses\n  ╭─ a.ts\n9 │\n  │ ^ here\n  ╰─');
});

test('a warning says so', () => {
  const warning: Finding = { ...finding([{}]), rule: 'late-pass', severity: 'warning' };
  assert.match(rendered(warning, ['x']), /^warning\[late-pass\]: /);
});

test('colors change nothing but colors', () => {
  const color = findingLines(DEADLOCK, environment(KERNEL, { paint: ANSI, schedules: 'folded' }));
  const plain = findingLines(DEADLOCK, environment(KERNEL, { schedules: 'folded' }));
  const text = color.join('\n');
  assert.ok(text.includes('\u001b[31m'));
  assert.equal(stripVTControlCharacters(text), plain.join('\n'));
});

test('roles that do the same at the same place share a line', () => {
  const place = (role: string) => ({ role, text: `${role} waits here for full[0]` });
  const roles = ['warp0', 'warp1', 'warp2', 'warp3'];
  const text = rendered(finding(roles.map(place)), ['wait();']);
  assert.match(text, /\^ warp0 waits here for full\[0\]; warp1–warp3 as well\n/);
  const two = rendered(finding(roles.slice(0, 2).map(place)), ['wait();']);
  assert.match(two, /\^ warp0 waits here for full\[0\]\n.*\^ warp1 waits here for full\[0\]\n/);
});

test('a kernel as built shows its PTX where the source is missing', () => {
  const place = { file: 'gone.cu', line: 14, ptx: { file: 'kernel.ptx', line: 2 } };
  const lines: Record<string, readonly string[]> = {
    'kernel.ptx': ['', '\tmbarrier.arrive.b64 _, [%r1];'],
  };
  const sourceLine = (file: string, line: number) => lines[file]?.[line - 1];
  const shown = () => findingLines(finding([place]), { ...environment([]), sourceLine }).join('\n');
  assert.match(
    shown(),
    /╭─ kernel\.ptx\n2 │\s+mbarrier\.arrive\.b64 _, \[%r1\];  \/\/ gone\.cu:14\n/,
  );
  lines['gone.cu'] = Array.from({ length: 14 }, () => 'arrive(&full);');
  assert.match(shown(), /╭─ gone\.cu\n14 │ arrive\(&full\);\n/);
});
