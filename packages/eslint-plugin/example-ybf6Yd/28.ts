import { kernel as $kernel } from 'poundlock';
import { BlockwiseFP8TilePayload } from '@poundlock/dialects/sm100';
import { write, role } from 'poundlock';
export default $kernel('example', {}, () => {
const tiles = new BlockwiseFP8TilePayload({
  a: [128, 128],
  b: [128, 128],
  aScales: [1, 128],
  stages: 1,
});
return [
  role('load', function* () {
    for (const { slices } of tiles.getTile(0)) slices.forEach((slice) => write(slice));
  }),
];
});