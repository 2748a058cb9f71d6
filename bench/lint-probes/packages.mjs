// Probes of packages: each creates a handle, releases it twice and uses it after that.
// run.mjs copies this file to where they are installed: node packages.mjs PORT-OF-POSTGRESQL
import { createServer } from 'node:http';
import { outcome } from './outcome.mjs';

const port = Number(process.argv[2]);
const postgres = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };

/** A server that always answers the same, for one probe. */
async function served(probe) {
  const server = createServer((_, response) => response.end('some text'));
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    return await probe(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const PROBES = {
  async 'pg.client'() {
    const { default: pg } = await import('pg');
    const client = new pg.Client(postgres);
    await client.connect();
    await client.end();
    return [await outcome(() => client.end()), await outcome(() => client.query('select 1'))];
  },
  async 'pg.cursor'() {
    const [{ default: pg }, { default: Cursor }] = [await import('pg'), await import('pg-cursor')];
    const client = new pg.Client(postgres);
    await client.connect();
    const cursor = client.query(new Cursor('select generate_series(1, 9)'));
    await cursor.read(2);
    await cursor.close();
    const found = [
      await outcome(() => cursor.close()),
      await outcome(() => cursor.read(2).then((rows) => `${rows.length} rows`)),
    ];
    await client.end();
    return found;
  },
  async 'undici.body'() {
    const { request } = await import('undici');
    return served(async (url) => {
      const { body } = await request(url);
      await body.text();
      const { body: dumped } = await request(url);
      await dumped.dump();
      return [
        `text: ${await outcome(() => body.text())}; dump: ${await outcome(() => dumped.dump())}`,
        await outcome(() => dumped.text()),
      ];
    });
  },
  async 'rx.subscription'() {
    const { interval } = await import('rxjs');
    const subscription = interval(1000).subscribe();
    subscription.unsubscribe();
    const second = await outcome(() => subscription.unsubscribe());
    let isRun = false;
    subscription.add(() => void (isRun = true));
    return [second, `a function passed to add() ${isRun ? 'runs at once' : 'is stored'}`];
  },
  async 'otel.span'() {
    const { BasicTracerProvider } = await import('@opentelemetry/sdk-trace-base');
    const { diag, DiagConsoleLogger } = await import('@opentelemetry/api');
    const logged = [];
    const logger = new DiagConsoleLogger();
    for (const level of ['error', 'warn'])
      logger[level] = (text) => logged.push(`${level} "${text.replace(/ \{.*\}| \S*-\S* -/, '')}"`);
    diag.setLogger(logger);
    const span = new BasicTracerProvider().getTracer('probe').startSpan('probe');
    span.end();
    const second = await outcome(() => span.end());
    const secondLog = logged.splice(0).join(' ');
    await outcome(() => span.setAttribute('late', 1));
    const isRecorded = 'late' in span.attributes;
    return [
      `${second}; logs ${secondLog}`,
      `${isRecorded ? 'recorded' : 'ignored'}; logs ${logged.join(' ')}`,
    ];
  },
  async 'tf.variable'() {
    const tf = await import('@tensorflow/tfjs-core');
    await import('@tensorflow/tfjs-backend-cpu');
    const layers = await import('@tensorflow/tfjs-layers');
    await tf.setBackend('cpu');
    const variable = tf.variable(tf.tensor1d([1, 2]));
    variable.dispose();
    const model = layers.sequential({
      layers: [layers.layers.dense({ units: 1, inputShape: [2] })],
    });
    model.dispose();
    const [twice, late] = [
      await outcome(() => variable.dispose()),
      await outcome(() => tf.add(variable, 1)),
    ];
    return [
      `Variable ${twice}; LayersModel ${await outcome(() => model.dispose())}`,
      `Variable ${late}; LayersModel ${await outcome(() => model.predict(tf.ones([1, 2])))}`,
    ];
  },
  async 'onnx.session'() {
    const ort = await import('onnxruntime-web');
    ort.env.wasm.numThreads = 1;
    const session = await ort.InferenceSession.create(IDENTITY);
    await session.release();
    const x = new ort.Tensor('float32', [1], []);
    return [await outcome(() => session.release()), await outcome(() => session.run({ x }))];
  },
  async 'three.gpu'() {
    const { WebGLRenderTarget } = await import('three');
    const target = new WebGLRenderTarget(2, 2);
    let notified = 0;
    target.addEventListener('dispose', () => void notified++);
    target.dispose();
    const second = await outcome(() => target.dispose());
    return [
      `${second}; its listeners hear of it ${notified} times`,
      await outcome(() => target.setSize(4, 4)),
    ];
  },
  async 'typeorm.dataSource'() {
    await import('reflect-metadata');
    const { DataSource } = await import('typeorm');
    const source = new DataSource({ type: 'sqljs', driver: (await import('sql.js')).default });
    await source.initialize();
    await source.destroy();
    return [await outcome(() => source.destroy()), await outcome(() => source.query('select 1'))];
  },
  async 'test.spy'() {
    const { default: sinon } = await import('sinon');
    const { mock } = await import('node:test');
    const subject = { call: () => 1 };
    const stub = sinon.stub(subject, 'call').returns(2);
    stub.restore();
    const second = await outcome(() => stub.restore());
    const late = await outcome(() => stub());
    const spy = mock.method(subject, 'call', () => 2);
    spy.mock.restore();
    return [
      `stub ${second}; mock.method ${await outcome(() => spy.mock.restore())}`,
      `stub ${late}, the subject ${await outcome(() => subject.call())}`,
    ];
  },
  async 'wasm.bindgen'() {
    const { get_encoding: make } = await import('tiktoken');
    const encoding = make('gpt2');
    encoding.free();
    return [await outcome(() => encoding.free()), await outcome(() => encoding.encode('x'))];
  },
  async 'std.stack'() {
    const stack = new DisposableStack();
    const later = new AsyncDisposableStack();
    stack.dispose();
    await later.disposeAsync();
    const both = async (act) =>
      `${await outcome(() => act(stack))}; async: ${await outcome(() => act(later))}`;
    return [
      await both((one) => (one.dispose ?? one.disposeAsync).call(one)),
      await both((one) => one.defer(() => {})),
    ];
  },
};

/** ONNX: `y = Identity(x)`, one float, opset 13. */
const IDENTITY = Uint8Array.from([
  8, 7, 58, 47, 10, 16, 10, 1, 120, 18, 1, 121, 34, 8, 73, 100, 101, 110, 116, 105, 116, 121, 18, 1,
  103, 90, 11, 10, 1, 120, 18, 6, 10, 4, 8, 1, 18, 0, 98, 11, 10, 1, 121, 18, 6, 10, 4, 8, 1, 18, 0,
  66, 4, 10, 0, 16, 13,
]);

const found = {};
for (const [model, probe] of Object.entries(PROBES)) {
  try {
    found[model] = await probe();
  } catch (error) {
    found[model] = [`not probed: ${String(error).split('\n')[0]}`, ''];
  }
}
console.log(`\n@@${JSON.stringify(found)}`);
process.exit(0);
