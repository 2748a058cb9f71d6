// tier: deep
// What a recording leaves that is killed, and how it is collected.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { poundlock } from '../cli/fake-host.ts';
import { compileStandIn, isSkipped, standInEnvironment } from './stand-in.ts';
import type { StandIn } from './stand-in.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'poundlock.js');
let standIn: StandIn;
before(() => void (isSkipped || (standIn = compileStandIn())));
after(() => standIn?.remove());

test('a recording that was killed is collected where it is', { skip: isSkipped }, async () => {
  const folder = mkdtempSync(join(standIn.folder, 'killed-'));
  const log = join(folder, 'calls');
  const program = [standIn.program, 'linked', standIn.image, 'ring'];
  const env = standInEnvironment(standIn, { STANDIN_LAUNCH: 'hang', STANDIN_LOG: log });
  const child = spawn(
    process.execPath,
    ['--conditions=poundlock-source', BIN, 'record', '--', ...program],
    {
      cwd: folder,
      env,
      detached: true,
      stdio: 'ignore',
    },
  );
  while (!existsSync(log) || !readFileSync(log, 'utf8').includes('\n')) await setTimeout(10);
  process.kill(-child.pid!, 'SIGKILL');
  await once(child, 'exit');
  const out = join(folder, 'recorded');
  assert.match(readdirSync(out).join(), /^\.recording-\w+$/);

  const again = await poundlock(folder, ['record', '--', 'true'], { env });
  assert.equal(again.code, 2);
  assert.match(
    again.stderr,
    /recorded has a recording that still runs or was killed: .*--from recorded/,
  );

  const collected = await poundlock(folder, ['record', '--from', 'recorded'], { env });
  assert.equal(collected.code, 0, collected.stderr);
  assert.match(collected.stderr, /1 launch, PTX of the program/);
  assert.match(readdirSync(out).join(), /^ring-\w+$/);
});
