// The two-role ring in SIM.JS, like two_role.py in SimPy.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';

// The published bundle exports nothing in Node: it is an expression that returns its modules.
const bundle = readFileSync(createRequire(import.meta.url).resolve('simjs'), 'utf8');
const ENTRY = 7;
const { Buffer, Entity, Facility, Sim } = runInThisContext(bundle)(ENTRY);

const [WAIT, EXPECT, ISSUE, ARRIVE] = [112, 56, 59, 10];
const [LATENCY, BYTES, BYTES_PER_CYCLE] = [250, 8192, 106];

class Copies extends Entity {
  start({ link, full }) {
    this.link = link;
    this.full = full;
  }

  copy() {
    this.useFacility(this.link, BYTES / BYTES_PER_CYCLE).done(() => {
      this.setTimer(LATENCY).done(() => this.putBuffer(this.full, 1));
    });
  }
}

class Producer extends Entity {
  start({ tiles, empty, copies }) {
    let left = tiles;
    const next = () => {
      if (left-- === 0) return;
      this.getBuffer(empty, 1).done(() => {
        this.setTimer(WAIT + EXPECT).done(() => {
          copies.copy();
          this.setTimer(ISSUE).done(next);
        });
      });
    };
    next();
  }
}

class Consumer extends Entity {
  start({ tiles, empty, full, consumerCycles }) {
    let left = tiles;
    const next = () => {
      if (left-- === 0) return;
      this.getBuffer(full, 1).done(() => {
        this.setTimer(WAIT + consumerCycles + ARRIVE).done(() => {
          this.putBuffer(empty, 1).done(next);
        });
      });
    };
    next();
  }
}

/** The time at which the last tile is done. */
export function run(tiles, stages, consumerCycles) {
  const sim = new Sim();
  const empty = new Buffer('empty', stages, stages);
  const full = new Buffer('full', stages, 0);
  const link = new Facility('link', Facility.FCFS, 1);
  const copies = sim.addEntity(Copies, 'copies', { link, full });
  sim.addEntity(Producer, 'producer', { tiles, empty, copies });
  sim.addEntity(Consumer, 'consumer', { tiles, empty, full, consumerCycles });
  sim.simulate(Number.MAX_SAFE_INTEGER);
  return sim.time();
}
