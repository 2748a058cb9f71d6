import { kernel as $kernel } from 'poundlock';
import { tileArray } from '@poundlock/dialects/sm100';
import { count, write, role } from 'poundlock';
export default $kernel('example', {}, () => {
const tiles = tileArray('c', { shape: [128, 32], elementBytes: 2, count: 2 });
return [
  role('epilogue', function* () {
    for (const { slices } of tiles) slices.forEach((slice) => write(slice));
  }),
];
});