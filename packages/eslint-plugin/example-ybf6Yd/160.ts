import { createRing, RingMisuse } from 'poundlock/ring';

const stage = createRing({ stages: 2, bytes: 64 }).producer().acquireSync();
stage.release();
try {
  stage.release();
} catch (error) {
  console.log(error instanceof RingMisuse && error.rule); // double-release
}