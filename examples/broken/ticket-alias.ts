// Bug: workers draw a ticket and then wait for its stage, and there are more workers than stages.
// On hardware: the second worker wants the second item of stage 0 before the first is there. For
// a parity bit that is the previous item, long complete: its wait passes, and it reads garbage.
// Fix: claim only what is ready (work-queue.ts), or at least as many stages as workers.
import {
  arrive,
  barrier,
  buffer,
  cell,
  fetchAdd,
  kernel,
  read,
  role,
  wait,
  write,
} from 'poundlock';

export default kernel('ticket-alias', { workers: 2, stages: 1 }, ({ workers, stages }) => {
  const ring = Array.from({ length: stages }, (_, s) => s);
  const full = ring.map((s) => barrier(`full[${s}]`));
  const empty = ring.map((s) => barrier(`empty[${s}]`));
  const slot = ring.map((s) => buffer(`slot[${s}]`));
  const next = cell('next');

  const scheduler = role('scheduler', function* () {
    for (let item = 0; item < workers; item++) {
      const [s, lap] = [item % stages, Math.floor(item / stages)];
      yield* wait(empty[s]!, lap - 1);
      write(slot[s]!);
      arrive(full[s]!);
    }
  });

  const worker = (w: number) =>
    role(`worker${w}`, function* () {
      const ticket = yield* fetchAdd(next, 1);
      const [s, lap] = [ticket % stages, Math.floor(ticket / stages)];
      yield* wait(full[s]!, lap);
      read(slot[s]!);
      arrive(empty[s]!);
    });

  return [scheduler, ...Array.from({ length: workers }, (_, w) => worker(w))];
});
