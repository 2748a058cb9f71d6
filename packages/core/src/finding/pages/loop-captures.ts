// `poundlock explain loop-captures`.
import type { Page } from './page.ts';

const rejected = `import { arrive, barrier, count, end, kernel, loop, role } from 'poundlock';

export default kernel('captured-counter', { tiles: 3 }, ({ tiles }) => {
  const items = count(tiles);
  const even = barrier('even');
  const odd = barrier('odd');
  return [
    role('load', function* () {
      let tile = 0;
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        arrive(tile % 2 === 0 ? even : odd);
        tile++; // lives outside of the loop's state
        return null;
      });
    }),
  ];
});`;

const fix = `import { arrive, barrier, count, end, kernel, loop, role } from 'poundlock';

export default kernel('carried-counter', { tiles: 3 }, ({ tiles }) => {
  const items = count(tiles);
  const even = barrier('even');
  const odd = barrier('odd');
  return [
    role('load', function* () {
      yield* loop(0, function* (tile) {
        if (!(yield* items.more())) return end(tile);
        arrive(tile % 2 === 0 ? even : odd);
        return tile + 1;
      });
    }),
  ];
});`;

export const loopCaptures: Page = {
  rule: 'loop-captures',
  title: 'the body of a loop changes a variable from outside of it',
  what:
    "The search restores a round of `loop` from the loop's state alone, because that is what " +
    'lets rounds that look the same be seen once. A variable that the body changes is not ' +
    'restored, so the search and a real run would do different things. Carry it in the state: ' +
    "return the next value, and take it as the body's argument.",
  rejected,
  fix,
  seeAlso: ['nondeterministic-role'],
};
