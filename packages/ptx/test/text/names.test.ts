// Readable names of mangled C++ ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableName } from '#src/text/names';

const NAMES: Readonly<Record<string, string>> = {
  meet: 'meet',
  _Z4pipeiPf: 'pipe',
  _ZL4pipePf: 'pipe',
  // A type of a parameter is written like a name.
  _Z8pingpong14CUtensorMap_stS_S_iiiPf: 'pingpong',
  _ZN3lib6detail6KernelINS_6PolicyENS_3MapILi0EEEEEvPT_: 'Kernel',
  // A template argument of 0 before the end of the list.
  _Z6reduceILi256EL4Kind0EEvPKiPi: 'reduce',
  _ZZ4pipeiE4tile: 'tile',
  _ZZN3lib6reduceILi0EEEvPKiE4tile_0: 'tile',
  _ZZ4pipeiE4tile_$_1: 'tile',
  _ZZ6reduceILi2E7PolicyvEvPiE4tile: 'tile',
  // Not a name at all.
  _Z: '_Z',
  _Z99short: '_Z99short',
};

for (const [mangled, name] of Object.entries(NAMES))
  test(`${mangled} is called ${name}`, () => {
    assert.equal(readableName(mangled), name);
  });
