// The second wait of the consumer has no `yield*`: the call creates the operation and nothing
// performs it, so that the consumer ends without waiting for the second tile. Unlike
// silent-producer.ts, where the signal is missing, here every signal is sent.
import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('missing-yield', { performs: false }, ({ performs }) => {
  const full = barrier('full');
  const empty = barrier('empty');
  return [
    role('load', function* () {
      arrive(full);
      yield* wait(empty, 0);
      arrive(full);
    }),
    role('use', function* () {
      yield* wait(full, 0);
      arrive(empty);
      const second = wait(full, 1);
      if (performs) yield* second;
    }),
  ];
});
