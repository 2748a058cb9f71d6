// Contents of device memory: only behind the pointers that are named, also inside a struct.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compileStandIn, foldersOf, isSkipped, record } from './stand-in.ts';
import type { LaunchFile, StandIn } from './stand-in.ts';

const skip = isSkipped;
let standIn: StandIn;
before(() => void (isSkipped || (standIn = compileStandIn())));
after(() => standIn?.remove());

const STRUCT = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry ring(.param .align 8 .b8 ring_param_0[24]) .maxntid 64 .minnctapersm 4
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [ring_param_0+8];
  bar.sync 1, 64;
  ret;
}
`;

async function launchOf(...options: string[]): Promise<LaunchFile> {
  const image = join(standIn.folder, 'struct.ptx');
  writeFileSync(image, STRUCT);
  const recorded = await record(standIn, 'struct', { image, options });
  assert.equal(recorded.code, 0, recorded.stderr);
  return foldersOf(recorded)[0]!.launches[0]!;
}

test('contents are copied only where they are named', { skip }, async () => {
  const options = ['--with-integers', 'ring_param_4'];
  const [launch] = foldersOf(await record(standIn, 'linked', { options }))[0]!.launches;
  // Behind the last small integer other data begins.
  assert.equal(launch!.memory.length, 1);
  assert.equal(String(launch!.memory[0]!['bytes']).length, 2 * 4 * 8);
  const [captured] = foldersOf(await record(standIn, 'capture', { options }))[0]!.launches;
  assert.deepEqual(captured!.memory, []);
  const exact = foldersOf(await record(standIn, 'linked', { options: ['--copy', '4:40'] }));
  assert.equal(String(exact[0]!.launches[0]!.memory[0]!['bytes']).length, 80);
  const [plain] = foldersOf(await record(standIn, 'linked'))[0]!.launches;
  assert.deepEqual(plain!.memory, []);
});

test('every pointer of a struct, with addresses under other numbers', { skip }, async () => {
  const { memory, pointers, registers } = await launchOf('--copy', '0:24');
  const at = (list: readonly Record<string, unknown>[]) => list.map((each) => each['offset']);
  assert.deepEqual(at(pointers), [8, 16]);
  assert.deepEqual(at(memory), [8, 16]);
  const bytes = Buffer.from(String(memory[1]!['bytes']), 'hex');
  const address = BigInt(String(pointers[0]!['address']));
  const words = [0, 8, 16].map((offset) => bytes.readBigUInt64LE(offset));
  assert.deepEqual(words, [address, address + 64n, 5n]);
  // The code that ran has so many; its PTX says that they are limited.
  assert.equal(registers, 168);
});

test('one pointer of a struct; integers end where addresses begin', { skip }, async () => {
  const { memory } = await launchOf('--copy', '0+8:8', '--with-integers', '0+16');
  assert.deepEqual(
    memory.map(({ offset, bytes }) => [offset, bytes]),
    [[8, '0000000064000000']],
  );
});

test('a pointer that is named in another way is one line and exit code 2', { skip }, async () => {
  const { code, stderr } = await record(standIn, 'struct', { options: ['--copy', '0+x:8'] });
  assert.equal(code, 2);
  assert.match(stderr, /^poundlock: --copy 0\+x: name a parameter by its number[^\n]*\n$/);
});

test('--state copies what decides a branch, and nothing else', { skip }, async () => {
  const image = join(standIn.folder, 'state.ptx');
  writeFileSync(
    image,
    STRUCT.replace(
      'ld.param.u64 %rd1, [ring_param_0+8];',
      `.reg .pred %p1; .reg .b32 %r1;
  ld.param.u64 %rd1, [ring_param_0+8];
  ld.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 ret;`,
    ),
  );
  const recorded = await record(standIn, 'struct', { image, options: ['--state'] });
  const { memory } = foldersOf(recorded)[0]!.launches[0]!;
  assert.deepEqual(
    memory.map(({ parameter, offset }) => [parameter, offset]),
    [[0, 8]],
  );
  assert.match(String(memory[0]!['bytes']), /^0000000064000000/);
  assert.doesNotMatch(recorded.stderr, /note:/);
});
