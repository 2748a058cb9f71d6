// What the text of a program proves: that functions change nothing outside of them, that results of
// tries decide waits alone, and that a parameter is only counted with.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ProgramText } from '#src/text/index';

const IMPORTS = `import { barrier, choose, count, end, kernel, loop, pipeline, role, tryWait, wait } from 'poundlock';`;

/** A program of one module, or of several by name. */
function textOf(entry: string, others: Readonly<Record<string, string>> = {}): ProgramText {
  const files: Readonly<Record<string, string>> = { '/entry.js': entry, ...others };
  const text = ProgramText.of({
    entry: '/entry.js',
    read: (file) => files[file] ?? null,
    resolve: (name) => (name.startsWith('.') ? `/${name.slice(2)}` : null),
  });
  assert.ok(text !== null);
  return text;
}

/** A kernel with one role, which has a loop. */
function inLoop(body: string, { role = '', build = '', top = '' } = {}): ProgramText {
  return textOf(`${IMPORTS}
${top}
export default kernel('k', { tiles: 8 }, ({ tiles }) => {
  const items = count(tiles);
  const ab = pipeline('ab', { stages: 2 });
  const b = barrier('b');
  ${build}
  return [
    role('c', function* () {
      ${role}
      yield* loop(0, function* (n) {
        if (!(yield* items.more())) return end(null);
        ${body}
        return n;
      });
    }),
  ];
});`);
}

suite('what a function changes', () => {
  const CHANGED = {
    'a variable': [{ role: 'let x = 0;' }, 'x++;'],
    'a property': [{ role: 'const o = { x: 0 };' }, 'o.x = 1;'],
    'a list': [{ build: 'const log = [];' }, 'log.push(1);'],
    'a list by another name': [{ build: 'const log = [];' }, 'const l = log; l.push(1);'],
    'a map': [{ top: 'const seen = new Map();' }, 'seen.set(n, 1);'],
    'by a function': [{ top: 'let x = 0; const bump = () => { x += 1; };' }, 'bump();'],
    'by a method': [{ top: 'const o = { x: 0, bump() { this.x++; } };' }, 'o.bump();'],
    'by a pattern': [{ role: 'let x = 0;' }, '[x] = [n];'],
    'an iterator': [{ role: 'const it = [1, 2][Symbol.iterator]();' }, 'it.next();'],
    'a generator': [
      { top: 'function* g() { yield 1; } const it = g();' },
      'for (const x of it) break;',
    ],
    'a generator that is a property': [
      { top: 'function* g() { yield 1; } const o = { f: g }; const it = o.f();' },
      'for (const x of it) break;',
    ],
    'a generator taken out of an object': [
      { top: 'const { f } = { *f() { yield 1; } }; const it = f();' },
      'for (const x of it) break;',
    ],
    'a generator that is passed on': [
      { top: 'function* g() { yield 1; } const make = (f) => f(); const it = make(g);' },
      'for (const x of it) break;',
    ],
    'generators of a list': [
      { top: 'function* g() { yield 1; } const all = [1].map(g);' },
      'for (const it of all) yield* it;',
    ],
    'what another package does': [{ top: "import { bump } from 'other';" }, 'bump();'],
    'an object of another package': [{ top: "import other from 'other';" }, 'other.bump();'],
    'its state': [{}, 'n.x = 1;'],
    'nothing, but it is random': [{}, 'if (Math.random() > 1) yield* wait(b, 0);'],
    'nothing, but it asks the clock': [{}, 'if (Date.now() > 1) yield* wait(b, 0);'],
    'what another role reads': [{ build: 'let x = 0; const f = () => { x = 1; };' }, 'if (x) f();'],
    'what is not understood': [{}, 'globalThis.x = 1;'],
  } as const;
  for (const [name, [parts, body]] of Object.entries(CHANGED))
    test(name, () => assert.notEqual(inLoop(body, parts).change, null));

  const UNCHANGED = {
    'a variable of its own': [{}, 'let x = 0; for (let i = 0; i < 3; i++) x += i;'],
    'a list of its own': [{}, 'const l = []; l.push(n); l.sort();'],
    handles: [{}, 'using s = yield* ab.produce(); s.arrive();'],
    'a helper': [{ top: 'function* step(p) { yield* p.produce(); }' }, 'yield* step(ab);'],
    'a callback': [{ build: 'const all = [1, 2];' }, 'let x = 0; all.forEach((y) => { x += y; });'],
    'a function that a function returns': [
      { build: 'const make = () => (x) => x; const f = make();' },
      'const x = f(n);',
    ],
    'a function taken out of an object': [
      { build: 'const parts = { load: (x) => x }; const { load } = parts;' },
      'const x = load(n);',
    ],
    'a generator that the library calls': [
      { top: 'function* body() { yield* choose(2); } role("b", () => body());' },
      'body();',
    ],
    choices: [{}, 'if ((yield* choose(2)) === 1) yield* wait(b, 0);'],
    'what it reads': [
      { top: 'const TABLE = new Map([[1, 2]]);' },
      'if (TABLE.get(n)) yield* wait(b, 0);',
    ],
  } as const;
  for (const [name, [parts, body]] of Object.entries(UNCHANGED))
    test(`none: ${name}`, () => assert.equal(inLoop(body, parts).change, null));

  test('a module that is imported counts, too', () => {
    const main = `import { f } from './other.js'; ${IMPORTS} export default kernel('k', {}, () => []);`;
    const changes = textOf(main, { '/other.js': 'let x = 0; export function f() { x++; }' });
    assert.match(changes.change!.place.file, /other/);
    const keeps = textOf(main, { '/other.js': 'export function f() { return 1; }' });
    assert.equal(keeps.change, null);
  });
});

suite('what the result of a try decides', () => {
  const WAITS = {
    'a wait that is left out': 'if (!(yield* tryWait(b, n))) yield* wait(b, n);',
    'a wait later on':
      'const ok = yield* tryWait(b, n); yield* choose(2); if (!ok) yield* wait(b, n);',
    'a poll': 'while (!(yield* tryWait(b, n))) {}',
    'a token': 'const ok = yield* ab.tryWaitProducer(); yield* ab.waitProducerIfNeeded(ok);',
    'a token of the round before':
      'let ok = yield* ab.tryWaitProducer(); for (let k = 0; k < 32; k++) { ' +
      'yield* ab.waitProducerIfNeeded(ok); ok = k < 31 && (yield* ab.tryWaitProducer()); }',
  };
  for (const [name, body] of Object.entries(WAITS))
    test(name, () => assert.equal(inLoop(body).decisiveTry, null));

  const MORE = {
    'another branch': 'if (yield* tryWait(b, n)) yield* choose(2);',
    'another phase': 'if (!(yield* tryWait(b, n))) yield* wait(b, n + 1);',
    'a phase that has changed':
      'let p = 0; const ok = yield* tryWait(b, p); p++; if (!ok) yield* wait(b, p);',
    'a bounded row': 'for (let i = 0; i < 4; i++) if (yield* tryWait(b, n)) break;',
    'one token for all rounds':
      'const ok = yield* ab.tryWaitProducer(); for (;;) yield* ab.waitProducerIfNeeded(ok);',
    'two waits':
      'const ok = yield* ab.tryWaitProducer(); yield* ab.waitProducerIfNeeded(ok); ' +
      'yield* ab.waitProducerIfNeeded(ok);',
    'the next state': 'n = yield* tryWait(b, 0);',
  };
  for (const [name, body] of Object.entries(MORE))
    test(`more: ${name}`, () => assert.notEqual(inLoop(body).decisiveTry, null));
});

suite('what becomes of a parameter', () => {
  const used = (params: string, body: string, defaults = '{ tiles: 8 }', top = '') =>
    textOf(
      `${IMPORTS} ${top} export default kernel('k', ${defaults}, (${params}) => { ${body} return []; });`,
    ).use('k', 'tiles');

  test('it is counted with', () => {
    assert.equal(used('{ tiles }', 'const n = count(tiles);')?.onlyCounts, true);
    assert.equal(used('params', 'const { tiles } = params; count(tiles);')?.onlyCounts, true);
    assert.equal(used('params', 'count(params.tiles);')?.onlyCounts, true);
    const copied = '{ tiles: 8, more: ({ tiles }) => tiles }';
    assert.equal(used('{ tiles, more }', 'count(tiles); count(more);', copied)?.onlyCounts, true);
  });

  test('it is counted with where it is passed to', () => {
    const helper = 'function start(n) { return count(n); }';
    assert.equal(used('{ tiles }', 'start(tiles);', undefined, helper)?.onlyCounts, true);
    const taking = 'function start({ tiles, x }) { return [count(tiles), x]; }';
    assert.equal(used('params', 'start(params);', undefined, taking)?.onlyCounts, true);
    const body = 'const parts = { params }; count(parts.params.tiles);';
    assert.equal(used('params', body)?.onlyCounts, true);
    const shared = 'const DEFAULTS = { tiles: 8, more: ({ tiles }) => tiles };';
    const spread = '{ ...DEFAULTS, stages: 2 }';
    assert.equal(used('{ tiles }', 'count(tiles);', spread, shared)?.onlyCounts, true);
    assert.equal(used('{ more }', 'f(more);', spread, shared)?.onlyCounts, false);
  });

  test('it is compared where it is passed to', () => {
    for (const [body, top] of [
      ['start(tiles);', 'function start(n) { return n === 5; }'],
      ['start(params);', 'function start({ tiles }) { return tiles === 5; }'],
      ['const o = { params }; if (o.params.tiles === 5) count(tiles);', ''],
    ] as const) {
      const use = used('params', `const { tiles } = params; ${body}`, undefined, top)!;
      assert.deepEqual([use.onlyCounts, use.constants], [false, [5]], body);
      assert.match(use.single!, /=== 5/);
    }
  });

  test('the library counts with an option where a run has seen it, and not with two of them', () => {
    const counts = (body: string, call: string): boolean | undefined => {
      const text = `import { Tiles } from 'poundlock/sm100'; ${IMPORTS}
export default kernel('k', { tiles: 8 }, ({ tiles }) => { ${body} return []; });`;
      const [, line] = text.split('\n') as [string, string];
      const place = { file: '/entry.js', line: 2, column: line.indexOf(call) + 1 };
      return textOf(text).use('k', 'tiles', [place])?.onlyCounts;
    };
    assert.equal(counts('new Tiles({ tiles });', 'new Tiles'), true);
    assert.equal(counts('const all = { tiles }; new Tiles(all);', 'new Tiles'), true);
    assert.equal(counts('const all = { tiles }; new Tiles(all); f(all);', 'new Tiles'), false);
    assert.equal(counts('new Tiles({ tiles });', 'Tiles('), false);
    assert.equal(counts('new Tiles({ tiles, stages: tiles });', 'new Tiles'), false);
    assert.equal(counts('new Tiles({ tiles: tiles + 1 });', 'new Tiles'), false);
  });

  test('it is more than counted with', () => {
    for (const body of ['f(tiles);', 'if (tiles > 3) f();', 'const x = [tiles];'])
      assert.equal(used('{ tiles }', body)?.onlyCounts, false, body);
    const shadowed = 'function count(n) { return n === 7; }';
    const own = `import { kernel } from 'poundlock'; ${shadowed}
      export default kernel('k', { tiles: 8 }, ({ tiles }) => { count(tiles); return []; });`;
    assert.equal(textOf(own).use('k', 'tiles')?.onlyCounts, false);
    assert.equal(used('{ ...rest }', 'f(rest);')?.onlyCounts, false);
    assert.equal(used('params', 'f(params);')?.onlyCounts, false);
    const copied = '{ tiles: 8, more: ({ tiles }) => tiles }';
    assert.equal(used('{ tiles, more }', 'f(more);', copied)?.onlyCounts, false);
  });

  const CONSTANTS = {
    'a comparison': ['if (tiles === 5000) f();', [5000], true],
    'another name': ['const LIMIT = 700; const n = tiles; if (n == LIMIT) f();', [700], true],
    'a big integer': ['const bad = BigInt(tiles) > 1000n;', [1000], false],
    'a switch': ['switch (tiles) { case 77: f(); }', [77], true],
    'a list': ['if ([3, 999].includes(tiles)) f();', [3, 999], true],
    'a map': ['const M = new Map([[4096, 1]]); M.get(tiles);', [4096, 1], true],
    'a table': ['const T = { 4097: 1 }; T[tiles];', [4097, 1], true],
  } as const;
  for (const [name, [body, constants, isSingle]] of Object.entries(CONSTANTS))
    test(`it is compared with ${name}`, () => {
      const use = used('{ tiles }', body)!;
      assert.deepEqual(new Set(use.constants), new Set(constants));
      assert.equal(use.single !== null, isSingle);
    });
});
