import { createRing } from 'poundlock/ring';

const ring = createRing({ stages: 2, bytes: 64 });
const consumer = ring.consumer();
ring.producer('reader').fail(new Error('the file ended early'));
console.log(ring.failure?.cause); // Error: the file ended early