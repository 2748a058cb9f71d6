import { createRing, type Ring } from 'poundlock/ring';

const stages = (ring: Ring): number => ring.stages;
console.log(stages(createRing({ stages: 8, bytes: 4096 }))); // 8