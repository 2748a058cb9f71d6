// Every resource model, by preset.
import { InputError, nearest, option, optionTable } from '@poundlock/core/internal/base';
import type { OptionsOf } from '@poundlock/core/internal/base';
import { requireModel, type ResourceModel } from './model.ts';
import { amqpChannel } from './amqp/channel.ts';
import { amqpConnection } from './amqp/connection.ts';
import { dbTransacted } from './db/transacted.ts';
import { dbConnection } from './db/connection.ts';
import { dbClient } from './db/client.ts';
import { denoFile } from './deno/file.ts';
import { kafkajsClient } from './kafkajs/client.ts';
import { knexTrx } from './knex/trx.ts';
import { kyselyTx } from './kysely/tx.ts';
import { mongodbSession } from './mongodb/session.ts';
import { mongodbCursor } from './mongodb/cursor.ts';
import { mongodbClient } from './mongodb/client.ts';
import { mutexAsyncMutex } from './mutex/async-mutex.ts';
import { mutexAsyncSemaphore } from './mutex/async-semaphore.ts';
import { mutexAsyncSema } from './mutex/async-sema.ts';
import { mutexOwn } from './mutex/own.ts';
import { mutexProperLockfile } from './mutex/proper-lockfile.ts';
import { mutexRedlock } from './mutex/redlock.ts';
import { mysql2PoolConnection } from './mysql2/pool-connection.ts';
import { neo4jSession } from './neo4j/session.ts';
import { nodeFileHandle } from './node/file-handle.ts';
import { nodeFd } from './node/fd.ts';
import { nodeDir } from './node/dir.ts';
import { nodeStream } from './node/stream.ts';
import { nodeWriteStream } from './node/write-stream.ts';
import { nodeTempDir } from './node/temp-dir.ts';
import { nodeWatch } from './node/watch.ts';
import { nodeServer } from './node/server.ts';
import { nodeDgram } from './node/dgram.ts';
import { nodeChild } from './node/child.ts';
import { nodeWorker } from './node/worker.ts';
import { nodeReadline } from './node/readline.ts';
import { nodeInspector } from './node/inspector.ts';
import { nodeSqlite } from './node/sqlite.ts';
import { nodeTimer } from './node/timer.ts';
import { onnxSession } from './onnx/session.ts';
import { otelSpan } from './opentelemetry/span.ts';
import { pgPoolClient } from './pg/pool-client.ts';
import { pgClient } from './pg/client.ts';
import { pgCursor } from './pg/cursor.ts';
import { pwBrowser } from './playwright/browser.ts';
import { pwHandle, pwSession } from './playwright/handle.ts';
import { poolGeneric } from './pool/generic.ts';
import { poolOpened } from './pool/opened.ts';
import { poolOwn } from './pool/own.ts';
import { redisClient } from './redis/client.ts';
import { rxSubscription } from './rxjs/subscription.ts';
import { sentrySpan } from './sentry/span.ts';
import { sequelizeTransaction } from './sequelize/transaction.ts';
import { stdStack } from './std/stack.ts';
import { testSpy } from './test/spy.ts';
import { tfTensor } from './tf/tensor.ts';
import { tfVariable } from './tf/variable.ts';
import { threeGpu } from './three/gpu.ts';
import { tmpFile } from './tmp/file.ts';
import { typeormQueryRunner } from './typeorm/query-runner.ts';
import { typeormDataSource } from './typeorm/data-source.ts';
import { undiciBody } from './undici/body.ts';
import { vscodeDisposable } from './vscode/disposable.ts';
import { ringStage } from './poundlock/ring.ts';
import { wasmBindgen } from './wasm/bindgen.ts';
import { wasmEmbind } from './wasm/embind.ts';
import { webBodyReader } from './web/body-reader.ts';
import { webReader } from './web/reader.ts';
import { webByobReader } from './web/byob-reader.ts';
import { webWriter } from './web/writer.ts';
import { webBody } from './web/body.ts';
import { webFileWritable } from './web/file-writable.ts';
import { webSyncAccess } from './web/sync-access.ts';
import { webVideoFrame } from './web/video-frame.ts';
import { webAudioData } from './web/audio-data.ts';
import { webCodec } from './web/codec.ts';
import { webImageDecoder } from './web/image-decoder.ts';
import { webImageBitmap } from './web/image-bitmap.ts';
import { webGpuBuffer } from './web/gpu-buffer.ts';
import { webGpuDevice } from './web/gpu-device.ts';
import { webRtc } from './web/rtc.ts';
import { webMediaTrack } from './web/media-track.ts';
import { webAudioContext } from './web/audio-context.ts';
import { webWebTransport } from './web/web-transport.ts';
import { webWebSocket } from './web/web-socket.ts';
import { webChannel } from './web/channel.ts';
import { webWorker } from './web/worker.ts';
import { webObjectUrl } from './web/object-url.ts';
import { webWakeLock } from './web/wake-lock.ts';
import { webObserver } from './web/observer.ts';
import { webSerial } from './web/serial.ts';
import { webUsb } from './web/usb.ts';
import { webIdb } from './web/idb.ts';

/** The resource models by preset, which the option `presets` selects. */
export const PRESETS: Readonly<Record<string, readonly ResourceModel[]>> = {
  amqp: [amqpConnection, amqpChannel],
  db: [dbTransacted, dbConnection, dbClient],
  deno: [denoFile],
  kafkajs: [kafkajsClient],
  knex: [knexTrx],
  kysely: [kyselyTx],
  mongodb: [mongodbSession, mongodbCursor, mongodbClient],
  mutex: [
    mutexAsyncMutex,
    mutexAsyncSemaphore,
    mutexAsyncSema,
    mutexProperLockfile,
    mutexRedlock,
    ...mutexOwn,
  ],
  mysql2: [mysql2PoolConnection],
  neo4j: [neo4jSession],
  node: [
    nodeFileHandle,
    nodeFd,
    nodeDir,
    nodeStream,
    nodeWriteStream,
    nodeTempDir,
    nodeWatch,
    nodeServer,
    nodeDgram,
    nodeChild,
    nodeWorker,
    nodeReadline,
    nodeInspector,
    nodeSqlite,
    nodeTimer,
  ],
  onnx: [onnxSession],
  opentelemetry: [otelSpan],
  pg: [pgPoolClient, pgClient, pgCursor],
  playwright: [pwBrowser, pwHandle, pwSession],
  poundlock: [ringStage],
  pool: [poolGeneric, poolOwn, poolOpened],
  redis: [redisClient],
  rxjs: [rxSubscription],
  sentry: [sentrySpan],
  sequelize: [sequelizeTransaction],
  std: [stdStack],
  test: [testSpy],
  tf: [tfTensor, tfVariable],
  three: [threeGpu],
  tmp: [tmpFile],
  typeorm: [typeormQueryRunner, typeormDataSource],
  undici: [undiciBody],
  vscode: [vscodeDisposable],
  wasm: [wasmBindgen, wasmEmbind],
  web: [
    webBodyReader,
    webReader,
    webByobReader,
    webWriter,
    webBody,
    webFileWritable,
    webSyncAccess,
    webVideoFrame,
    webAudioData,
    webCodec,
    webImageDecoder,
    webImageBitmap,
    webGpuBuffer,
    webGpuDevice,
    webRtc,
    webMediaTrack,
    webAudioContext,
    webWebTransport,
    webWebSocket,
    webChannel,
    webWorker,
    webObjectUrl,
    webWakeLock,
    webObserver,
    webSerial,
    webUsb,
    webIdb,
  ],
};

export const MODEL_CHOICE = optionTable({
  /** Names of presets; all of them unless specified. */
  presets: option.checkedLater<readonly string[]>(),
  /** Ids of models to enable that are off by default. */
  optIn: option.checkedLater<readonly string[]>(),
  /** Your own models. */
  models: option.checkedLater<readonly ResourceModel[]>(),
});

/** Which resource models `lint` uses. */
export interface ModelChoice extends OptionsOf<typeof MODEL_CHOICE> {}

/**
 * The models of a run. Those of TypeScript's own library are always included; those that are off
 * by default apply only where a function releases the handle on another path.
 *
 * @throws InputError for an unknown preset or model.
 */
export function chosenModels({ presets, optIn = [], models = [] }: ModelChoice): ResourceModel[] {
  for (const model of models) requireModel(model);
  const available = Object.values(PRESETS).flat();
  const off = available.filter((model) => model.optIn).map(({ id }) => id);
  mustBeKnown('presets', presets ?? [], Object.keys(PRESETS));
  mustBeKnown('optIn', optIn, off);
  const names = presets === undefined ? Object.keys(PRESETS) : ['std', ...presets];
  const chosen = names.flatMap((name) => PRESETS[name] ?? []);
  const enabled = chosen.map((model) =>
    model.optIn === true && optIn.includes(model.id) ? { ...model, optIn: undefined } : model,
  );
  return [...models, ...enabled];
}

function mustBeKnown(key: string, names: readonly string[], valid: readonly string[]): void {
  const unknown = names.find((word) => !valid.includes(word));
  if (unknown === undefined) return;
  const meant = nearest(unknown, valid);
  const list = `there are ${valid.join(', ')}`;
  const help = meant === undefined ? list : `did you mean '${meant}'? (${list})`;
  throw new InputError(`poundlock.config: lint.${key} has no ${unknown}: ${help}`);
}
