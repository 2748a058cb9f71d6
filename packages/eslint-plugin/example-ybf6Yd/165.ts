import { attachRing, createRing } from 'poundlock/ring';

const transferred = createRing({ stages: 2, bytes: 64 }).transfer();
console.log(attachRing(transferred).stages); // 2