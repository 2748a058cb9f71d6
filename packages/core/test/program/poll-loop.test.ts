// P07: which tries of a text are polls, and which of them leave nothing behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PollLoop, PollText } from '#src/program/text/poll-loop';

const TEXTS: readonly (readonly [loop: string, poll: keyof typeof PollLoop])[] = [
  ['while (!(yield* t(b, 0)));', 'traceless'],
  ['while (!(yield* t(b[i]!, x.y % 2))) {}', 'traceless'],
  ['for (;;) if (yield* t(b, 0)) break;', 'traceless'],
  ['for (;;) { if (yield* t(b, 0)) { read(s); break; } }', 'traceless'],
  ['while (true) { const ok: boolean = yield* t(b, 0); if (ok) break; }', 'traceless'],
  ['let ok = false; while (!ok) ok = yield* t(b, 0);', 'traceless'],
  ['let ok = false; while (ok === false) { ok = (yield* t(b, 0)) }', 'traceless'],
  ['let ok; do { ok = yield* t(b, 0); } while (!ok);', 'traceless'],
  ['do {} while (!(yield* t(b, 0)));', 'traceless'],
  ['do { n++; } while (!(yield* t(b, 0)));', 'endless'],
  ['while (!(yield* t(b, 0))) n++;', 'endless'],
  ['while (!(yield* t(b, lap()))) ;', 'endless'],
  ['while (!(yield* t(b, 0))) log();', 'endless'],
  ['for (let ok = false; !ok; ) ok = yield* t(b, 0);', 'traceless'],
  ['for (let i = 0; i < 5000; i++) if (yield* t(b, 0)) break;', 'unknown'],
  ['for (let i = 0; ; i++) if (yield* t(b, 0)) break;', 'endless'],
  ['for (;;) { if (yield* t(b, 0)) break; if (++n > 5000) break; }', 'unknown'],
  ['for (;;) { if (yield* t(b, 0)) break; if (n > 5) return; }', 'unknown'],
  ['while (n < 5 && !(yield* t(b, 0))) n++;', 'unknown'],
  ['while (!(yield* t(b, 0)) && n < 5) n++;', 'unknown'],
  ['for (const x of xs) if (yield* t(b, 0)) break;', 'unknown'],
  ['while (!(yield* t(b, 0))) continue;', 'traceless'],
  ['while (!(yield* t(b, 0))) { /* spin */ }', 'traceless'],
  ['let ok=false; while (!ok) { ok = yield* t(b, 0); n += 1; }', 'unknown'],
  ['for (;;) { const ok = yield* t(b, 0); if (!ok) continue; read(s); return; }', 'traceless'],
  ['for (;;) { const ok = yield* t(b, 0); if (ok) return; misses += 1; }', 'endless'],
  ['yield* t(b,0);', 'unknown'],
  ['for (;;) { fs.push(function* () { yield* t(b,0); }); }', 'unknown'],
  ['while (true) { if (yield* t(b, 0)) break }', 'traceless'],
  ['while (true)\n  if (yield* t(b, 0))\n break\n read(s)', 'traceless'],
  ['let ok = false\n while (!ok)\n ok = yield* t(b, 0)\n read(s)', 'traceless'],
  ['outer: for (;;) { for (;;) { if (yield* t(b, 0)) break outer; } }', 'unknown'],
  ['for (const x of xs) { while (!(yield* t(b, 0))); }', 'traceless'],
  ['for (;;) { try { if (yield* t(b, 0)) break; } finally { n++; } }', 'unknown'],
  ['for (;;) { x.ok = yield* t(b, 0); if (x.ok) break; }', 'unknown'],
  ['while (!(yield* t(b, i++)));', 'endless'],
  ['while ((item = yield* t(b)) === false);', 'traceless'],
  ['for (;;) { seen += (yield* t(b, 0)) ? "1" : "0"; if (seen.endsWith("1")) break; }', 'unknown'],
  ['const o = { get n() { return k++; } }; while (!(yield* t(o.n, 0)));', 'endless'],
  ['while (!(yield* t(b, 0))) { if (aborted) throw new Error("x"); }', 'unknown'],
  ['for (;;) { if (!(yield* t(b, 0))) continue; break; }', 'traceless'],
  ['const s = `a${`b`}c`; const r = /[/]\\//g; while (!(yield* t(b, 0)));', 'traceless'],
];

for (const [loop, poll] of TEXTS) {
  test(`${loop.replaceAll('\n', ' ')} is ${poll}`, () => {
    const text = `role('c', function* () {\n ${loop}\n read(s);\n})`;
    const offset = text.indexOf('t(', text.indexOf('yield*'));
    assert.equal(new PollText(text).at(offset, false), PollLoop[poll]);
  });
}

test('a claim that fails returns null', () => {
  const text = 'for (;;) { const item = yield* work.tryClaim(); if (item !== null) break; }';
  const offset = text.indexOf('tryClaim');
  assert.equal(new PollText(text).at(offset, null), PollLoop.traceless);
  assert.equal(new PollText(text).at(offset, false), PollLoop.unknown);
});

test('where nothing is performed there is no try', () => {
  assert.equal(new PollText('while (true) { read(s); }').at(16, false), null);
});
