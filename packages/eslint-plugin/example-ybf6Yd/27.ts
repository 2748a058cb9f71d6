import { kernel as $kernel } from 'poundlock';
import { BlockScaledTilePayload } from '@poundlock/dialects/sm100';
import { write, role } from 'poundlock';
export default $kernel('example', {}, () => {
const tiles = new BlockScaledTilePayload({
  a: [128, 128],
  b: [128, 128],
  sfa: [128, 4],
  sfb: [128, 4],
  stages: 1,
});
return [
  role('load', function* () {
    for (const { slices } of tiles.getTile(0)) slices.forEach((slice) => write(slice));
  }),
];
});