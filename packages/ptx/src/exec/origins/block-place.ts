// The special registers that say where a block lies, as expressions over its place.
import type { Origin } from '../../values/origin.ts';
import { between, withRest } from '../../values/reach.ts';
import type { SpecialRegister, WarpPosition } from '../machine/special-registers.ts';

/** The special registers that say where a block lies, by the axis. */
const PLACE = /^%(?:ctaid|clusterid)\.([xyz])$/;

/** A special register that depends on where the block lies; `null` for others. */
export function placeOfBlock(
  name: string,
  special: SpecialRegister,
  position: WarpPosition,
): Origin | null {
  const letter = PLACE.exec(name)?.[1];
  if (letter === undefined) return null;
  const axis = 'xyz'.indexOf(letter);
  const { launch, cta } = position;
  const { grid, cluster } = launch;
  if (grid[axis] === cluster[axis]) return null;
  return {
    axes: 1 << axis,
    from: 0,
    isUniform: true,
    inputs: [],
    rule: `${name} ${cta.inCluster.join()}`,
    evaluate: (_inputs, lane, place, out) => {
      const [x, y, z] = place.map((at, index) => at * cluster[index]! + cta.inCluster[index]!);
      out.low = special({ ...position, cta: { ...cta, id: [x!, y!, z!] } }, lane) >>> 0;
      out.high = 0;
      return true;
    },
    reach: (_inputs, { from, to }) => {
      const isOfCluster = name.startsWith('%clusterid');
      const step = isOfCluster ? 1 : cluster[axis]!;
      const first = isOfCluster ? 0 : cta.inCluster[axis]!;
      const moves = new Map([[axis, step]]);
      const own = between(from[axis]! * step + first, to[axis]! * step + first, moves);
      return withRest(own, [first, first]);
    },
  };
}
