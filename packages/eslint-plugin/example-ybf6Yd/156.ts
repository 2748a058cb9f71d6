import { createRing, type RingEndpoint, type Schema } from 'poundlock/ring';

const nameOf = <S extends Schema>({ side, role }: RingEndpoint<S>) => `${side} ${role}`;
using producer = createRing({ stages: 2, bytes: 64 }).producer('reader');
console.log(nameOf(producer)); // producer reader