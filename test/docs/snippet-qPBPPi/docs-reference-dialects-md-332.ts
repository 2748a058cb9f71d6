import { arrive, asyncCopy, barrier, buffer, kernel, read, role, UNITS, waitParity } from 'poundlock';

export default kernel('thunderkittens', { tiles: 5 }, ({ tiles }) => {
  const stages = 2;
  const inputsArrived = [0, 1].map((i) => barrier(`arrived[${i}]`, { count: 1 }));
  const inputsFinished = [0, 1].map((i) => barrier(`finished[${i}]`, { count: 4 })); // NUM_CONSUMER_WARPS
  const input = [0, 1].map((i) => buffer(`input[${i}]`));
  const bitOf = (field: number, half: 0 | 1, ring: number) => (field >>> (ring + 16 * half)) & 1;
  const flip = (field: number, half: 0 | 1, ring: number) => field ^ (1 << (ring + 16 * half));

  const producer = role('producer', function* () {
    let field = 0xffff0000;
    for (let iter = 0, ring = 0; iter < tiles; iter++, ring = (ring + 1) % stages) {
      yield* waitParity(inputsFinished[ring]!, bitOf(field, 1, ring)); // wait(…, get_phasebit<1>(…))
      field = flip(field, 1, ring); // update_phasebit<1>
      arrive(inputsArrived[ring]!, { bytes: 16_384 }); // tma::expect
      asyncCopy(UNITS.tma, { into: [input[ring]!], bar: inputsArrived[ring]!, bytes: 16_384 });
    }
  });
  const consumer = role('consumer', { lanes: 128 }, function* () {
    let field = 0xffff0000;
    for (let iter = 0, ring = 0; iter < tiles; iter++, ring = (ring + 1) % stages) {
      yield* waitParity(inputsArrived[ring]!, bitOf(field, 0, ring));
      field = flip(field, 0, ring);
      read(input[ring]!);
      arrive(inputsFinished[ring]!, { count: 4 }); // warp::arrive, once for each of four warps
    }
  });
  return [producer, consumer];
});
