// Three roles, or up to six that share one ring in batches, with random delays, one of which is
// killed repeatedly while the main thread may be blocked: no item is lost or duplicated,
// no role hangs, every role receives the error of the victim, and memory use stays constant.
//
//   node bench/soak.mjs                 ten minutes
//   node bench/soak.mjs --seconds 20    a short one
//   node bench/soak.mjs --seed 7
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createRing } from '../packages/ring/dist/ring/src/public.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, seed: { type: 'string', default: '1' } },
});
const SECONDS = Number(values.seconds);
/** How long a round may continue after its victim is dead, until all other roles have the error. */
const HANG_MS = 10_000;
const ROLES = ['make', 'change', 'take'];
const POLICIES = ['wait', 'spin', 'auto'];
const FAILURES = ['terminate', 'throw', 'exit'];
const MIB = 2 ** 20;

let state = Number(values.seed) | 1;
const random = (most) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state >>> 8) % most;
};
const pause = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));
const schema = { seq: 'u32', check: 'f64' };

function stop(message) {
  console.error(`soak: ${message}`);
  process.exit(1);
}

/** One round from item `from` on; returns how many items were taken when it was over. */
async function round(from, items, kills) {
  const log = new Int32Array(new SharedArrayBuffer(8));
  log[0] = from;
  const [first, second] = [0, 1].map((at) => {
    const name = `ring${at}`;
    return createRing({
      name,
      stages: 1 + random(8),
      schema,
      // Two or more CPUs exercise all waiting strategies only if no more than two threads wait.
      threads: 2 + random(2),
      policy: POLICIES[random(POLICIES.length)],
    });
  });
  const victim = kills ? random(ROLES.length) : -1;
  const failure = FAILURES[random(FAILURES.length)];
  const messages = [];
  const workers = ROLES.map((role, at) => {
    const links = { make: [null, first], change: [first, second], take: [second, null] }[role];
    const [source, sink] = links.map((ring) => ring?.transfer(role) ?? null);
    const job = { role, from: source, to: sink, log, seed: random(2 ** 24), items };
    const worker = new Worker(new URL('./run/soak-thread.mjs', import.meta.url), {
      workerData: { ...job, failure: at === victim ? failure : 'terminate' },
    });
    // The victim may die before it opens its endpoint.
    links[0]?.supervise(worker, source);
    links[1]?.supervise(worker, sink);
    worker.on('message', (message) => {
      if (message.wrong !== undefined) stop(message.wrong);
      messages.push(message);
    });
    worker.on('error', (error) => {
      if (at !== victim) stop(`${role} threw: ${error.stack}`);
    });
    return { worker, over: new Promise((resolve) => void worker.once('exit', resolve)) };
  });
  if (victim >= 0) {
    await pause(60 + random(200));
    Atomics.store(log, 1, 1);
    if (failure === 'terminate') await workers[victim].worker.terminate();
  }
  const hang = setTimeout(
    () => {
      for (const ring of [first, second])
        console.error(ring.name, ring.failure?.message, ring.items(), JSON.stringify(ring.held()));
      stop(
        `a hang: ${failure} of ${ROLES[victim]}, ${log[0]} of ${items} items, messages ${JSON.stringify(messages)}`,
      );
    },
    victim < 0 ? 60_000 : HANG_MS,
  );
  await Promise.all(workers.map(({ over }) => over));
  clearTimeout(hang);
  const isDone = log[0] === items;
  if (victim < 0 && !isDone) stop(`${log[0]} of ${items} items came`);
  for (const { text, name } of messages) {
    if (name !== 'RingPoisoned' && name !== 'RingClosed') stop(`a role received ${name}: ${text}`);
  }
  return log[0];
}

const CROWD_ITEMS = 400;

/**
 * One round of up to 3 producers and 3 consumers of one ring, in batches; this thread blocks for
 * part of the time. Returns how many items were taken.
 */
async function crowd(kills) {
  const [producers, consumers, stages] = [1 + random(3), 1 + random(3), 1 + random(8)];
  const items = kills ? CROWD_ITEMS * 100 : CROWD_ITEMS;
  const policy = POLICIES[random(POLICIES.length)];
  const ring = createRing({ stages, schema, producers, consumers, policy, threads: 2 + random(2) });
  const counts = new Int32Array(new SharedArrayBuffer(4 * items * producers));
  const log = new Int32Array(new SharedArrayBuffer(8));
  const roles = [...Array(producers).fill('put'), ...Array(consumers).fill('get')];
  const victim = kills ? random(roles.length) : -1;
  const failure = FAILURES[random(FAILURES.length)];
  const names = [];
  const workers = roles.map((role, at) => {
    const transferred = ring.transfer(role + at);
    const job = { role, from: transferred, to: transferred, log, seed: random(2 ** 24), items };
    const more = { counts, number: at, batch: stages };
    const worker = new Worker(new URL('./run/soak-thread.mjs', import.meta.url), {
      workerData: { ...job, ...more, failure: at === victim ? failure : 'terminate' },
    });
    ring.supervise(worker, transferred);
    worker.on('message', (message) => {
      if (message.wrong !== undefined) stop(message.wrong);
      names.push(message.name);
    });
    worker.on('error', (error) => {
      if (at !== victim) stop(`${role} threw: ${error.stack}`);
    });
    return { worker, over: new Promise((resolve) => void worker.once('exit', resolve)) };
  });
  const hang = setTimeout(() => {
    console.error(ring.failure?.message, ring.items(), JSON.stringify(ring.held()));
    stop(
      `a hang of ${producers} × ${consumers} on ${stages} stages: ${failure} of ${roles[victim]}`,
    );
  }, 60_000);
  if (kills) {
    await pause(60 + random(100));
    Atomics.store(log, 1, 1);
    if (failure === 'terminate') void workers[victim].worker.terminate();
    // No event loop of this thread: the others must learn of the death without it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, random(100));
  }
  await Promise.all(workers.map(({ over }) => over));
  clearTimeout(hang);
  if (!kills && counts.some((count) => count !== 1)) {
    stop(`an item of ${producers} × ${consumers} on ${stages} stages did not come once`);
  }
  const wrong = names.find((name) => name !== 'RingPoisoned' && name !== 'RingClosed');
  if (wrong !== undefined || (!kills && names.length > 0)) stop(`a role received ${wrong}`);
  return log[0];
}

const start = performance.now();
const sizes = [];
let [rounds, total, from] = [0, 0, 0];
const ITEMS = 1_000_000_000;
while (performance.now() - start < SECONDS * 1000) {
  if (rounds % 5 === 3) total += await crowd(false);
  else if (rounds % 5 === 1) total += await crowd(true);
  else if (rounds % 5 === 4) {
    // A round without a failure ends by itself.
    total += await round(0, 5000, false);
  } else {
    const reached = await round(from, ITEMS, true);
    if (reached < from) stop(`taken items went from ${from} to ${reached}`);
    total += reached - from;
    from = reached;
  }
  rounds++;
  globalThis.gc?.();
  sizes.push(process.memoryUsage().rss);
}
const quarter = Math.max(1, sizes.length >> 2);
const median = (all) => all.toSorted((a, b) => a - b)[all.length >> 1];
const [early, late] = [median(sizes.slice(0, 2 * quarter)), median(sizes.slice(-quarter))];
console.log(
  `${rounds} rounds, ${total.toLocaleString('en')} items, none lost and none twice; ` +
    `memory ${(early / MIB).toFixed(0)} MiB, then ${(late / MIB).toFixed(0)} MiB`,
);
if (SECONDS >= 60 && late > early * 1.25 + 16 * MIB) stop('memory grows');
