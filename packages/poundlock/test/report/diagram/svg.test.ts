// Diagrams as SVG: well formed, with all text escaped, a table, and both themes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { layOut, svgOf } from '#src/report/diagram/index';
import { REPORTERS } from '#src/report/index';
import { checked, environment, FILE, report } from '../sample.ts';
import { anySource, findingOf, scheduleOf } from './schedules.ts';

/** The open elements at the end of a text, which must be well formed up to there. */
function unclosed(text: string): string[] {
  const open: string[] = [];
  const tag = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/gi;
  const rest = text.replaceAll(tag, (_, closes: string, name: string, __, ends: string) => {
    if (closes === '/') assert.equal(open.pop(), name);
    else if (ends !== '/') open.push(name);
    return '';
  });
  assert.doesNotMatch(rest, /[<>]/);
  assert.doesNotMatch(rest, /&(?!amp;|lt;|gt;|quot;)/);
  return open;
}

test('any diagram is well formed, and has no number that is none', () => {
  const property = fc.property(anySource, fc.boolean(), (any, isFile) => {
    const text = svgOf(layOut(any, { hasHeading: true }), { isFile, isTable: isFile });
    assert.deepEqual(unclosed(text), []);
    assert.doesNotMatch(text, /NaN|undefined|Infinity|\[object/);
  });
  fc.assert(property, { numRuns: 60 });
});

test('a file has its style and both themes, and needs nothing else', async () => {
  const text = svgOf(layOut(await scheduleOf('early-release')), { isFile: true, isTable: true });
  assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.match(text, /prefers-color-scheme:dark/);
  assert.match(text, /\[data-theme=dark\]/);
  assert.doesNotMatch(text, /<script|href=|@import|url\(/);
});

test('its rows are a table for screen readers', async () => {
  const text = svgOf(layOut(await scheduleOf('one-stage')), { isFile: true, isTable: true });
  assert.equal(text.match(/role="table"/g)?.length, 1);
  assert.equal(text.match(/role="row"/g)?.length, 8);
  assert.match(text, /<title>step 5: mma: wait for the next stage[^<]*, let pass by step 4</);
});

test('several findings are below one another, with what has no schedule as text', async () => {
  const [race, deadlock] = [await findingOf('early-release'), await findingOf('one-stage')];
  const { trace, standing, ...leak } = deadlock;
  assert.ok(trace !== undefined && standing !== undefined);
  const findings = [race, deadlock, { ...leak, replayToken: 'other', message: 'no <schedule>' }];
  const all = report([checked({ verdict: 'counterexample', findings }, FILE)]);
  const text = REPORTERS.svg.render(all, environment([]));
  assert.deepEqual(unclosed(text.replace(/<style>[^]*?<\/style>/, '')), []);
  assert.equal(text.match(/role="table"/g)?.length, 2);
  assert.match(text, /no &lt;schedule&gt;/);
});

test('a certified kernel is a sentence', () => {
  const text = REPORTERS.svg.render(report([checked()]), environment([]));
  assert.match(text, /<text[^>]*>1 result: 1 certified<\/text>/);
});

test('a document shows the picture that the same command writes', async () => {
  const findings = [await findingOf('one-stage')];
  const all = report([checked({ verdict: 'counterexample', findings }, FILE)]);
  const picture = 'out/one%20stage.svg';
  const image = `![Space-time diagram of the schedule](<${picture}>)`;
  assert.ok(REPORTERS.markdown.render(all, environment([], { picture })).includes(image));
  assert.ok(!REPORTERS.markdown.render(all, environment([])).includes('!['));
  const certified = report([checked()]);
  assert.ok(!REPORTERS.markdown.render(certified, environment([], { picture })).includes('!['));
});
