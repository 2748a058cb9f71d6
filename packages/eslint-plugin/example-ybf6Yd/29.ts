import { kernel as $kernel } from 'poundlock';
import { StandardTilePayload } from '@poundlock/dialects/sm100';
import { write, role } from 'poundlock';
export default $kernel('example', {}, () => {
const tiles = new StandardTilePayload({ a: [128, 64], b: [256, 64], stages: 1 });
return [
  role('load', function* () {
    for (const { slices } of tiles.getTile(0)) slices.forEach((slice) => write(slice));
  }),
];
});