// `poundlock explain release-order`.
import type { Page } from './page.ts';

const rejected = `import { arrive, kernel, pipeline, role, tma } from 'poundlock';

export default kernel('prefetch-and-release', { stages: 3 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384 });

  const load = role('load', function* () {
    const first = yield* ab.acquireProducer();
    tma.load(first);
    ab.producerStep(); // moves on by hand, to prefetch a second tile
    const second = yield* ab.acquireProducer();
    tma.load(second);
    first.release(); // steps past stage 1, not past stage 0
    second.release();
  });

  const use = role('use', function* () {
    for (let tile = 0; tile < 2; tile++) {
      arrive(ab.consumerMbar(yield* ab.waitProducer()));
      ab.consumerStep();
    }
  });

  return [load, use];
});`;

const fix = `import { arrive, kernel, pipeline, role, tma } from 'poundlock';

export default kernel('prefetch-in-order', { stages: 3 }, ({ stages }) => {
  const ab = pipeline('ab', { stages, bytes: 16_384, advance: 'acquire' });

  const load = role('load', function* () {
    const first = yield* ab.acquireProducer(); // the counter moves here
    tma.load(first);
    const second = yield* ab.acquireProducer();
    tma.load(second);
    first.release();
    second.release();
  });

  const use = role('use', function* () {
    for (let tile = 0; tile < 2; tile++) {
      arrive(ab.consumerMbar(yield* ab.waitProducer()));
      ab.consumerStep();
    }
  });

  return [load, use];
});`;

/** A handle, and one that lives in it. */
const SESSION = `/** @mustRelease end */
declare class Session {
  /**
   * @returnsOwned
   * @releaseBefore this
   */
  open(): Cursor;
  end(): void;
}
/** @mustRelease shut */
declare class Cursor {
  shut(): void;
}

`;

const ofSources = {
  rejected: `${SESSION}export function readAll(): void {
  const session = new Session();
  const cursor = session.open();
  session.end(); // the cursor lives in the session
  cursor.shut();
}`,
  fix: `${SESSION}export function readAll(): void {
  const session = new Session();
  const cursor = session.open();
  cursor.shut();
  session.end();
}`,
};

export const releaseOrder: Page = {
  rule: 'release-order',
  title: 'stages are released in an order that their scopes or their pipeline do not follow',
  what:
    'Where the counter moves at the release, the release does not ask which handle it is: it ' +
    'steps past the stage that the counter stands at. So only that stage can be released, and ' +
    'a stage that was stepped past by hand is never released, only signalled. Scopes of one ' +
    'role end in the reverse order of their acquires, which `using` does by itself. In a ' +
    'source, of handles of any kind: what lives in another has to be released before it.',
  rejected,
  fix,
  ofSources,
  seeAlso: ['double-acquire', 'double-release', 'child-outlives-parent'],
};
