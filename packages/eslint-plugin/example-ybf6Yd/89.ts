import { count, integer, kernel, role } from 'poundlock';

const splits = integer(2, { min: 1, max: 16 });
export default kernel('splits', { splits }, ({ splits }) => {
  const items = count(splits);
  return [
    role('reduce', function* () {
      while (yield* items.more());
    }),
  ];
});