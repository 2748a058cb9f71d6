// `--watch`: a verdict after each change of a file or an import, until Ctrl-C.
import assert from 'node:assert/strict';
import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { main } from '#src/cli/main';
import { fakeHost, folder } from './fake-host.ts';

const BUGS = join(import.meta.dirname, '../../../../examples/ptx/bugs/016-phase-from-zero');

/** A ring whose number of stages another module says. */
const KERNEL = `import { kernel, pipeline, read, role, tma } from 'poundlock';
import { held } from './held.ts';

export default kernel('ring', { tiles: 4 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 64, advance: 'acquire' });
  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });
  const use = role('use', function* () {
    for (let tile = 0; tile < tiles; tile += held) {
      const some = [];
      for (let each = 0; each < held; each++) some.push(yield* ab.acquireConsumer());
      for (const stage of some) read(stage.buffer());
      for (const stage of some) stage.release();
    }
  });
  return [load, use];
});
`;

/** A command in a folder that runs until `end`. */
function started(t: TestContext, cwd: string, argv: readonly string[]) {
  const interrupts: (() => void)[] = [];
  const { host: base } = fakeHost(cwd);
  let printed = '';
  let looks: (() => void)[] = [];
  const write = (text: string): void => {
    printed += text;
    for (const look of looks) look();
  };
  const output = { ...base.stdout, write };
  const host = {
    ...base,
    stdout: output,
    stderr: output,
    onInterrupt: (callback: () => void) => {
      interrupts.push(callback);
      return () => undefined;
    },
  };
  const ended = main(argv, host);
  const end = (): void => {
    for (const interrupt of interrupts) interrupt();
  };
  t.after(end);
  /** What is printed from now on, up to the next time that the command waits for a change. */
  const next = (): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const look = (): void => {
      const at = printed.indexOf('Ctrl-C ends\n');
      if (at < 0) return;
      looks = looks.filter((each) => each !== look);
      const text = printed.slice(0, at);
      printed = printed.slice(at + 12);
      resolve(text);
    };
    looks.push(look);
    look();
    return promise;
  };
  return { ended, end, next };
}

test('check --watch: a change of an import is a new verdict, and Ctrl-C ends it', async (t) => {
  const cwd = folder(t, { 'ring.ts': KERNEL, 'held.ts': 'export const held = 1;\n' });
  const { ended, end, next } = started(t, cwd, ['check', 'ring.ts', '--watch']);
  const first = await next();
  assert.match(first, /^certified {2}ring /m);
  assert.match(first, /watching 2 files/);
  writeFileSync(join(cwd, 'held.ts'), 'export const held = 4;\n');
  const second = await next();
  assert.match(second, /^held\.ts has changed/m);
  assert.match(second, /^error\[deadlock\]/m);
  end();
  assert.equal(await ended, 1);
});

test('check --watch: an error in the middle of an edit ends nothing', async (t) => {
  const cwd = folder(t, { 'ring.ts': KERNEL, 'held.ts': 'export const held = 1;\n' });
  const { ended, end, next } = started(t, cwd, ['check', 'ring.ts', '--watch']);
  await next();
  writeFileSync(join(cwd, 'ring.ts'), KERNEL.replace('return [load', 'return [lod'));
  assert.match(await next(), /lod is not defined/);
  // As editors do: another file takes the name.
  writeFileSync(join(cwd, 'new.ts'), KERNEL);
  renameSync(join(cwd, 'new.ts'), join(cwd, 'ring.ts'));
  assert.match(await next(), /^certified {2}ring /m);
  end();
  assert.equal(await ended, 0);
});

test('check --watch: PTX that is compiled again', async (t) => {
  const cwd = folder(t);
  for (const file of ['launch.json', 'kernel.cu']) copyFileSync(join(BUGS, file), join(cwd, file));
  copyFileSync(join(BUGS, 'bug.ptx'), join(cwd, 'kernel.ptx'));
  const { ended, end, next } = started(t, cwd, ['check', 'kernel.ptx', '--watch']);
  assert.match(await next(), /^error\[deadlock\]/m);
  copyFileSync(join(BUGS, 'fix.ptx'), join(cwd, 'kernel.ptx'));
  assert.match(await next(), /^certified /m);
  end();
  assert.equal(await ended, 0);
});

test('simulate --watch: cycles after each change', async (t) => {
  const cwd = folder(t, { 'ring.ts': KERNEL, 'held.ts': 'export const held = 1;\n' });
  const { ended, end, next } = started(t, cwd, ['simulate', 'ring.ts', '--watch']);
  const cycles = /([\d,]+) cycles/;
  const [, before] = cycles.exec(await next())!;
  writeFileSync(join(cwd, 'ring.ts'), KERNEL.replace('tiles: 4', 'tiles: 40'));
  const [, after] = cycles.exec(await next())!;
  assert.notEqual(after, before);
  end();
  assert.equal(await ended, 0);
});

/** Opens a file by a function of another module, and does not close it. */
const LEAKS = `import { first } from './first.ts';

export async function size(path: string): Promise<number> {
  const file = await first(path);
  return (await file.stat()).size;
}
`;
const FIRST = `import { open, stat, type FileHandle } from 'node:fs/promises';

export const first = async (path: string): Promise<FileHandle> => open(path);
`;
const NO_HANDLE = `export const first = async (path: string) => ({
  stat: async () => ({ size: path.length }),
});
`;

test('lint --watch: one compiler sees what has changed, and files that are new', async (t) => {
  const cwd = folder(t, { 'size.ts': LEAKS });
  const { ended, end, next } = started(t, cwd, ['lint', 'size.ts', '--watch']);
  assert.match(await next(), /no findings/);
  writeFileSync(join(cwd, 'first.ts'), FIRST);
  writeFileSync(join(cwd, 'size.ts'), `${LEAKS}// again\n`);
  assert.match(await next(), /error\[leak\][^]*size\.ts\n4 │/);
  writeFileSync(join(cwd, 'first.ts'), NO_HANDLE);
  assert.match(await next(), /first\.ts has changed[^]*no findings/);
  writeFileSync(join(cwd, 'size.ts'), `// a line\n${LEAKS}`);
  assert.match(await next(), /no findings/);
  writeFileSync(join(cwd, 'first.ts'), FIRST);
  assert.match(await next(), /error\[leak\][^]*size\.ts\n5 │/);
  end();
  assert.equal(await ended, 1);
});
