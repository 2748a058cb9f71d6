// Probes of the platform, in a page of Chromium: each creates a handle, releases it twice and uses it
// after that. `outcome` is a global. Handles without a device are not probed.

export const PAGE_PROBES = {
  async 'web.fileWritable'() {
    const root = await navigator.storage.getDirectory();
    const file = await root.getFileHandle('written', { create: true });
    const writable = await file.createWritable();
    await writable.close();
    return [await outcome(() => writable.close()), await outcome(() => writable.write('x'))];
  },
  async 'web.syncAccess'() {
    // Only workers have it.
    const work = async () => {
      const root = await navigator.storage.getDirectory();
      const file = await root.getFileHandle('synced', { create: true });
      const handle = await file.createSyncAccessHandle();
      handle.close();
      postMessage([await outcome(() => handle.close()), await outcome(() => handle.getSize())]);
    };
    const url = URL.createObjectURL(new Blob([`${outcome};(${work})()`]));
    const worker = new Worker(url);
    return new Promise((resolve) =>
      worker.addEventListener('message', ({ data }) => resolve(data)),
    );
  },
  async 'web.videoFrame'() {
    const init = { format: 'RGBA', codedWidth: 1, codedHeight: 1, timestamp: 0 };
    const frame = new VideoFrame(new Uint8Array(4), init);
    frame.close();
    return [await outcome(() => frame.close()), await outcome(() => frame.clone())];
  },
  async 'web.audioData'() {
    const data = new AudioData({
      format: 'f32',
      sampleRate: 8000,
      numberOfFrames: 1,
      numberOfChannels: 1,
      timestamp: 0,
      data: new Float32Array(1),
    });
    data.close();
    return [await outcome(() => data.close()), await outcome(() => data.clone())];
  },
  async 'web.codec'() {
    const encoder = new VideoEncoder({ output() {}, error() {} });
    encoder.close();
    const config = { codec: 'vp8', width: 2, height: 2 };
    const late = [
      await outcome(() => encoder.configure(config)),
      await outcome(() => encoder.flush()),
    ];
    return [await outcome(() => encoder.close()), late.join('; ')];
  },
  async 'web.imageDecoder'() {
    const data = await (await fetch(document.createElement('canvas').toDataURL())).arrayBuffer();
    const decoder = new ImageDecoder({ data, type: 'image/png' });
    decoder.close();
    return [await outcome(() => decoder.close()), await outcome(() => decoder.decode())];
  },
  async 'web.imageBitmap'() {
    const bitmap = await createImageBitmap(new ImageData(1, 1));
    bitmap.close();
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    const late = await outcome(() => context.drawImage(bitmap, 0, 0));
    return [await outcome(() => bitmap.close()), `${late}; its width is ${bitmap.width}`];
  },
  async 'web.gpuBuffer'() {
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice();
    const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST });
    buffer.destroy();
    const checked = async (act) => {
      device.pushErrorScope('validation');
      const result = await outcome(act);
      const error = await device.popErrorScope();
      return error === null
        ? result
        : `a ${error.constructor.name}: ${error.message.split('\n')[0]}`;
    };
    return [
      await checked(() => buffer.destroy()),
      await checked(() => device.queue.writeBuffer(buffer, 0, new Uint8Array(4))),
    ];
  },
  async 'web.gpuDevice'() {
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice();
    device.destroy();
    const { reason } = await device.lost;
    const buffer = { size: 4, usage: GPUBufferUsage.COPY_DST };
    const late = await outcome(() => device.createBuffer(buffer));
    return [await outcome(() => device.destroy()), `${late}, and is lost: ${reason}`];
  },
  async 'web.rtc'() {
    const peer = new RTCPeerConnection();
    peer.close();
    return [await outcome(() => peer.close()), await outcome(() => peer.createOffer())];
  },
  async 'web.mediaTrack'() {
    const stream = await navigator.mediaDevices.getUserMedia({ video: true });
    const [track] = stream.getTracks();
    track.stop();
    const second = await outcome(() => track.stop());
    const late = await outcome(() => track.applyConstraints({}));
    return [second, `its state is ${track.readyState}; applyConstraints ${late}`];
  },
  async 'web.audioContext'() {
    const context = new AudioContext();
    await context.close();
    return [await outcome(() => context.close()), await outcome(() => context.resume())];
  },
  async 'web.webSocket'() {
    const socket = new WebSocket(location.origin.replace('http', 'ws'));
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    socket.close();
    const late = await outcome(() => socket.send('x'));
    const unopened = new WebSocket(location.origin.replace('http', 'ws'));
    const early = await outcome(() => unopened.send('x'));
    return [await outcome(() => socket.close()), `send ${late}; before it is open: ${early}`];
  },
  async 'web.wakeLock'() {
    const lock = await navigator.wakeLock.request('screen');
    await lock.release();
    return [await outcome(() => lock.release()), `released is ${lock.released}`];
  },
  async 'web.idb'() {
    const request = indexedDB.open('probe', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('store');
    await new Promise((resolve) => (request.onsuccess = resolve));
    const database = request.result;
    database.close();
    return [
      await outcome(() => database.close()),
      await outcome(() => database.transaction('store')),
    ];
  },
};
