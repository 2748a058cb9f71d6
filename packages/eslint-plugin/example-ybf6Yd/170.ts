import { createRing } from 'poundlock/ring';

const ring = createRing({ stages: 2, bytes: 64 });
const stage = ring.producer().acquireSync();
stage.copyFrom(new TextEncoder().encode('hello'));
stage.release();
console.log(new TextDecoder().decode(ring.consumer().acquireSync()?.copy())); // hello