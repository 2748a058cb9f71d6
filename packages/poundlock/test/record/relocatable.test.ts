// tier: deep
// Programs of -rdc=true: the linked code has no PTX, the objects in the program may have it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { elf, fatbin } from './elf.ts';
import { compileStandIn, foldersOf, isSkipped, record, RING } from './stand-in.ts';
import type { StandIn } from './stand-in.ts';

const skip = isSkipped;
const SIZES = { STANDIN_PARAMETERS: '128,4,4,4,8' };
let standIn: StandIn;
before(() => void (isSkipped || (standIn = compileStandIn())));
after(() => standIn?.remove());

const assembly = (text: string): string => `__asm__(${JSON.stringify(`${text}\n.text\n`)});`;

/** The image is in the program, as nvcc puts it there; the objects are in a section of their own. */
const program = (objects: string): string => `
int cuInit(unsigned), cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
${assembly('.section .nv_fatbin, "a"\n.balign 8\nlinked: .incbin "linked.fatbin"')}
${assembly(`.section __nv_relfatbin, "a"\n.incbin "${objects}"`)}
extern const char linked[];
int main(void) {
  void *module, *function;
  static char map[128];
  int a = 2, b = 3, c = 4;
  long pointer = 0;
  void *parameters[] = {map, &a, &b, &c, &pointer};
  return cuInit(0) || cuModuleLoadData(&module, linked) ||
         cuModuleGetFunction(&function, module, "ring") ||
         cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, 0, parameters, 0);
}
`;

function compile(name: string, objects: string): string {
  const file = join(standIn.folder, name);
  writeFileSync(`${file}.c`, program(objects));
  const words = ['-w', '-o', file, `${file}.c`, `-L${standIn.folder}`, '-lcuda'];
  const { status, stderr } = spawnSync('cc', words, { cwd: standIn.folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return file;
}

test('the PTX of the objects is that of the code that ran', { skip }, async () => {
  writeFileSync(join(standIn.folder, 'linked.fatbin'), fatbin(2, elf({ '.text.ring': 'code' })));
  writeFileSync(join(standIn.folder, 'objects.fatbin'), fatbin(1, Buffer.from(RING)));
  const shell = compile('separate', 'objects.fatbin');
  const recorded = await record(standIn, '', { shell, env: SIZES });
  assert.equal(recorded.code, 0, recorded.printed + recorded.stderr);
  const [kernel] = foldersOf(recorded);
  assert.equal(kernel!.launches[0]!.ptx.from, 'fatbin');
  assert.match(kernel!.ptx, /mbarrier\.try_wait/);
});

test('objects without PTX: the reason is the linker, with what to do', { skip }, async () => {
  writeFileSync(join(standIn.folder, 'linked.fatbin'), fatbin(2, elf({ '.text.ring': 'code' })));
  writeFileSync(join(standIn.folder, 'bare.fatbin'), fatbin(2, elf({ '.text.ring': 'object' })));
  const shell = compile('bare', 'bare.fatbin');
  const recorded = await record(standIn, '', { shell, env: SIZES });
  assert.match(recorded.stderr, /left out, .*\(-rdc=true\).*-lineinfo.*: 1 kernel \(ring\)/);
});
