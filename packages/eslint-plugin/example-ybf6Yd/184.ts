import { closed } from '@poundlock/core/dialect';

const Gates = closed('Gates', { front: 0, back: 1 });
console.log(Gates.back); // 1