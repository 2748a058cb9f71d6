// A deadlock shows the arrival that the text of a role has and the role skips, and what decided so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folder, poundlock } from '../../cli/fake-host.ts';

/** What is beside the body of the role: functions, and code in the kernel. */
interface Around {
  readonly top?: string;
  readonly build?: string;
}

/** A producer, and a consumer with a body whose lines with marks are `// skips` and `// arrives`. */
function program(body: string, { top = '', build = '' }: Around): string {
  return `import { arrive, barrier, end, kernel, loop, role, syncNamed, wait } from 'poundlock';
${top}
export default kernel('pair', { n: 6, skip: 2 }, ({ n, skip }) => {
  const full = Array.from({ length: 2 }, (_, i) => barrier(\`full\${i}\`));
  const empty = Array.from({ length: 2 }, (_, i) => barrier(\`empty\${i}\`));
  ${build}
  return [
    role('load', function* () {
      for (let t = 0; t < n; t++) {
        yield* wait(empty[t % 2], Math.floor(t / 2) - 1);
        arrive(full[t % 2]);
      }
    }),
    role('use', function* () {
      ${body}
    }),
  ];
});
`;
}

const inLoop = (body: string): string => `for (let t = 0; t < n; t++) {
        const s = t % 2;
        yield* wait(full[s], Math.floor(t / 2));
        ${body}
      }`;

const ARRIVES = 'arrive(empty[s]); // arrives';

const SKIPPED: Readonly<Record<string, readonly [body: string, around?: Around]>> = {
  continue: [inLoop(`if (t === skip) continue; // skips\n${ARRIVES}`)],
  'continue on a line of its own': [
    inLoop(`if (t === skip) { // skips\ncontinue; // skips\n}\n${ARRIVES}`),
  ],
  return: [inLoop(`if (t === skip) return; // skips\n${ARRIVES}`)],
  break: [inLoop(`if (t === skip) break; // skips\n${ARRIVES}`)],
  'an arrival on one of two ways': [
    inLoop(`if (t === skip) { // skips\nMath.abs(t);\n} else {\n${ARRIVES}\n}`),
  ],
  'a nested branch': [
    inLoop(`if (t > 0) {\nif (t !== skip) // skips\n${ARRIVES}\n} else arrive(empty[s]);`),
  ],
  'a conditional expression': [inLoop(`t === skip // skips\n? null : ${ARRIVES}`)],
  'a logical expression': [inLoop(`t !== skip && // skips\n${ARRIVES}`)],
  'the second of two conditions': [
    inLoop(`if (t >= 0 &&\nt === skip) continue; // skips\n${ARRIVES}`),
  ],
  switch: [inLoop(`switch (t) { // skips\ncase 2:\nbreak; // skips\ndefault:\n${ARRIVES}\n}`)],
  'an exception': [
    inLoop(`try {\nif (t === skip) throw new Error(); // skips\n${ARRIVES}\n} catch {}`),
  ],
  'continue of an outer loop': [
    `outer: ${inLoop(`for (const i of [0, 1]) if (i === 1 &&\nt === skip) continue outer; // skips\n${ARRIVES}`)}`,
  ],
  'a function that returns': [
    inLoop('give(s, t);'),
    { build: `const give = (s, t) => {\nif (t === skip) return; // skips\n${ARRIVES}\n};` },
  ],
  'a generator that returns': [
    inLoop('yield* give(empty[s], t === skip);'),
    { top: `function* give(bar, no) {\nif (no) return; // skips\narrive(bar); // arrives\n}` },
  ],
  'a round of loop()': [
    `yield* loop(0, function* (t) {
        const s = t % 2;
        if (t === n) return end(t);
        yield* wait(full[s], Math.floor(t / 2));
        if (t === skip) return t + 1; // skips
        ${ARRIVES}
        return t + 1;
      });`,
  ],
  'an arrival that is never made': [inLoop(`if (t < n) continue; // skips\n${ARRIVES}`)],
  'a named barrier': [
    `if (skip > 0) return; // skips\nyield* syncNamed(1, 64); // arrives`,
    {
      build: `const other = role('other', { lanes: 32 }, function* () { yield* syncNamed(1, 64); });`,
    },
  ],
};

interface Label {
  readonly line: number;
  readonly text: string;
}

interface Shown {
  readonly message: string;
  readonly primary: Label;
  readonly labels: readonly Label[];
  readonly helps: readonly string[];
}

async function checked(cwd: string, name: string): Promise<Shown> {
  const { stdout } = await poundlock(cwd, [
    'check',
    name,
    '--json',
    '--sizes',
    'requested',
    '--shrink-tries',
    '0',
  ]);
  const { findings } = JSON.parse(stdout) as { findings: Shown[] };
  return findings[0]!;
}

/** The lines of a text with a mark. */
function marked(text: string, mark: string): number[] {
  return text.split('\n').flatMap((line, at) => (line.includes(`// ${mark}`) ? [at + 1] : []));
}

/** The lines with labels that say something. */
function labeled({ labels }: Shown, what: RegExp): number[] {
  const lines = labels.filter(({ text }) => what.test(text)).map(({ line }) => line);
  return [...new Set(lines)].toSorted((one, other) => one - other);
}

for (const [name, [body, around = {}]] of Object.entries(SKIPPED))
  test(`skipped by ${name}`, async (t) => {
    const isNamed = name === 'a named barrier';
    const text = program(body, around).replace('return [', isNamed ? 'return [other,' : 'return [');
    const only = isNamed
      ? text
          .replace(/role\('load'[^]*?\}\),\n/, '')
          .replace("role('use',", "role('use', { lanes: 32 },")
      : text;
    const found = await checked(folder(t, { 'pair.ts': only }), 'pair.ts');
    assert.match(found.message, /use(?:, which waits for load,)? skips/);
    assert.deepEqual(
      labeled(found, /^use skips the arrival of line \d+ here$/),
      marked(only, 'skips'),
    );
    assert.deepEqual(labeled(found, /^the arrival that use skips$/), marked(only, 'arrives'));
    assert.doesNotMatch(found.helps.join(), /let the roles that/);
  });

test('the end of a loop is shown where it comes too early', async (t) => {
  const text = program(inLoop(ARRIVES).replace('t < n', '// ends\nt < n - 3'), {});
  const found = await checked(folder(t, { 'pair.ts': text }), 'pair.ts');
  const [line] = marked(text, 'ends');
  assert.deepEqual(labeled(found, /^use leaves the loop with the arrival of line \d+ here$/), [
    line! + 1,
  ]);
});

test('one of two branches may have decided', async (t) => {
  const body = inLoop(
    `if (t === skip) continue; // may\nif (t === 7) continue; // may\n${ARRIVES}`,
  );
  const text = program(body, {});
  const found = await checked(folder(t, { 'pair.ts': text }), 'pair.ts');
  assert.deepEqual(labeled(found, /^use may skip the arrival/), marked(text, 'may'));
});

test('never is said of a text without an arrival', async (t) => {
  const none = program(inLoop(''), {});
  const other = program(inLoop('if (t > n) arrive(full[s]);'), {});
  const cwd = folder(t, { 'none.ts': none, 'other.ts': other });
  for (const file of ['none.ts', 'other.ts']) {
    const { message, labels } = await checked(cwd, file);
    assert.match(message, /use, which waits for load, never arrives on it/);
    assert.ok(labels.every((label) => !/skip/.test(label.text)));
  }
});

test('what is not understood is not said', async (t) => {
  const body = inLoop('give[s % give.length](empty[s]);');
  const text = program(body, { build: 'const give = [(bar) => { if (skip < 0) arrive(bar); }];' });
  const { message } = await checked(folder(t, { 'pair.ts': text }), 'pair.ts');
  assert.match(message, /load, does not arrive/);
});

test('a right round is no skipped one', async (t) => {
  const body = inLoop(`${ARRIVES}\nif (t === 1) yield* wait(full[s], 5);`);
  const { message, labels } = await checked(folder(t, { 'pair.ts': program(body, {}) }), 'pair.ts');
  assert.doesNotMatch([message, ...labels.map(({ text }) => text)].join('\n'), /skip/);
});
