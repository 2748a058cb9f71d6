// Bug: the output tile sO has the bytes of the value tile sV, and the epilogue writes it before the
// last MMA has read sV.
// On hardware: the MMA reads values that are partly output: a wrong result if the tensor core is
// late.
// Fix: wait for the commit of that MMA before the first write, or give sO bytes of its own.
import {
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  role,
  syncNamed,
  UNITS,
  wait,
  write,
} from 'poundlock';

const TILE = 16_384;

export default kernel('overlapping-tiles', { waits: false }, ({ waits }) => {
  const sV = buffer('sV', { at: 0, bytes: 2 * TILE });
  const sO = buffer('sO', { at: TILE, bytes: TILE });
  const done = barrier('done');

  const multiply = role('mma', { lanes: 32 }, function* () {
    write(sV);
    fence('proxy.async');
    asyncUse(UNITS.tcgen05, { reads: [sV] });
    commit(UNITS.tcgen05, done);
    yield* syncNamed(1, 160);
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    yield* syncNamed(1, 160);
    if (waits) yield* wait(done, 0);
    write(sO);
  });

  return [multiply, epilogue];
});
