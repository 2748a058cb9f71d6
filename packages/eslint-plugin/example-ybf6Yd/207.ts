import { drawChunk } from '@poundlock/fuzz';

const drawn = drawChunk({ kinds: ['users', 'isa'], seed: 1, to: 3 });
console.log(drawn.map(({ kind }) => kind).join()); // users,isa,users