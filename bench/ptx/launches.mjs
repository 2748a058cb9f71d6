// The launches of the measured rows of bench/cuda, as its host code makes them.

/** What the host of bench/cuda keeps of a GPU. */
const WINDOW = 256 * 1024;
const SHARED_OF_SM = 233_472;
const A_BYTES = 8192;
const B_ROW_BYTES = 128;

/** Addresses of what the host allocates: far apart, so that nothing overlaps. */
const SOURCE = 0x7f00_0000_0000n;
const SINK = 0x7f40_0000_0000n;
const SPANS = 0x7f60_0000_0000n;

/** The bytes of a structure, aligned as in C. */
class Bytes {
  #bytes = [];

  #number(value, size) {
    while (this.#bytes.length % size !== 0) this.#bytes.push(0);
    const bits = BigInt.asUintN(8 * size, BigInt(value));
    for (let at = 0; at < size; at++) this.#bytes.push(Number((bits >> BigInt(8 * at)) & 255n));
    return this;
  }

  int(...values) {
    for (const value of values) this.#number(value, 4);
    return this;
  }

  wide(...values) {
    for (const value of values) this.#number(value, 8);
    return this;
  }

  flag(value) {
    this.#bytes.push(value ? 1 : 0);
    return this;
  }

  /** `Source`: where the tiles of a CTA are. */
  source({ from = SOURCE, stride, tiles, bytes }) {
    return this.wide(from, stride).int(tiles, bytes);
  }

  get text() {
    while (this.#bytes.length % 8 !== 0) this.#bytes.push(0);
    return Buffer.from(this.#bytes).toString('hex');
  }
}

/** `source_of` of the host. */
function sourceOf({ source }, tiles, bytes, from = SOURCE) {
  const window = source === 'hbm' ? tiles : Math.max(1, Math.floor(WINDOW / bytes));
  return { from, stride: window * bytes, tiles: window, bytes };
}

/** A launch: the bytes of its one structure come last, a tensor map first. */
function launchOf({ kernel, ctas = 1, threads, shared, cluster = 1, source, bytes, box }) {
  const dynamicSharedMemory = Math.max(shared, SHARED_OF_SM / 2);
  const map = { parameter: 0, offset: 0, boxBytes: box };
  return {
    kernel,
    grid: [ctas],
    block: [threads],
    cluster: [cluster],
    dynamicSharedMemory,
    ...(source === undefined ? {} : { source }),
    parameters: [...(box === undefined ? [] : [{ bytes: '' }]), { bytes: bytes.text }],
    ...(box === undefined ? {} : { tensorMaps: [map] }),
  };
}

const ARITHMETIC = ['fmas', 'softmax', 'convert', 'mma'];
const ORDERS = { scoped: 0, linear: 1 };

/** By table: the launch of a row, whose cells are numbers or words by their titles. */
export const LAUNCHES = {
  two_role(row) {
    const { source, ctas, consumers, stages, tile_bytes, tiles } = row;
    const from = sourceOf(row, tiles, tile_bytes);
    const bytes = new Bytes()
      .source(from)
      .int(stages, tiles, consumers, row.producer_cycles, row.consumer_cycles)
      .wide(SPANS, SOURCE);
    const kernel = '_Z8two_roleILb0EEv7TwoRole';
    return launchOf({
      kernel,
      ctas,
      threads: 32 * (1 + consumers),
      shared: stages * tile_bytes,
      source,
      bytes,
    });
  },
  three_role(row) {
    const { source, stages, tile_bytes, k_steps, output_tiles, accum_stages } = row;
    const bytes = new Bytes()
      .source(sourceOf(row, output_tiles * k_steps, tile_bytes))
      .int(stages, k_steps, output_tiles, accum_stages, row.mma_cycles, row.epilogue_cycles)
      .wide(SPANS, SOURCE);
    const kernel = '_Z10three_roleILb0EEv9ThreeRole';
    return launchOf({ kernel, threads: 96, shared: stages * tile_bytes, source, bytes });
  },
  release_order(row) {
    const { source, a_stages, a_bytes, b_stages, b_bytes, tiles, order } = row;
    const a = sourceOf(row, tiles, a_bytes);
    const bytes = new Bytes()
      .source(a)
      .source(sourceOf(row, tiles, b_bytes, SOURCE + BigInt(a.stride)))
      .int(a_stages, b_stages, tiles, row.use_a_cycles, row.use_b_cycles, ORDERS[order])
      .wide(SPANS, SOURCE);
    const shared = a_stages * a_bytes + b_stages * b_bytes;
    const kernel = '_Z13release_orderILb0EEv12ReleaseOrder';
    return launchOf({ kernel, threads: 96, shared, source, bytes });
  },
  styles(row) {
    const { source, ctas, lanes, stages, tile_bytes, tiles, consumer_cycles } = row;
    const bytes = new Bytes()
      .source(sourceOf(row, tiles, tile_bytes))
      .int(lanes, stages, tiles, consumer_cycles)
      .wide(SPANS, SOURCE);
    const threads = 32 + (lanes === 128 ? 128 : 32);
    const kernel = '_Z6stylesILb0EEv6Styles';
    return launchOf({ kernel, ctas, threads, shared: stages * tile_bytes, source, bytes });
  },
  tensormap(row) {
    const { source, ctas, stages, tile_bytes, copies, tiles, consumer_cycles } = row;
    const bytes = new Bytes()
      .source(sourceOf(row, tiles * copies, tile_bytes))
      .int(stages, copies, tiles, consumer_cycles)
      .wide(SPANS);
    const shared = stages * tile_bytes * copies;
    const kernel = '_Z9tensormapILb0EEv14CUtensorMap_st6Mapped';
    return launchOf({ kernel, ctas, threads: 64, shared, source, bytes, box: tile_bytes });
  },
  multicast(row) {
    const { source, ctas, stages, a_bytes, b_bytes, tiles, consumer_cycles } = row;
    const a = sourceOf(row, tiles, a_bytes);
    const bytes = new Bytes()
      .source(a)
      .source(sourceOf(row, tiles, b_bytes, SOURCE + BigInt(a.stride * ctas)))
      .int(stages, tiles, consumer_cycles)
      .wide(SPANS, SOURCE);
    const shared = stages * (a_bytes + b_bytes);
    const kernel = '_Z9multicastILb0EEv9Multicast';
    return launchOf({ kernel, ctas, threads: 64, shared, cluster: 2, source, bytes });
  },
  store(row) {
    const { source, ctas, stages, out_stages, tile_bytes, tiles, compute_cycles, depth } = row;
    const bytes = new Bytes()
      .source(sourceOf(row, tiles, tile_bytes))
      .int(stages, out_stages, tiles, compute_cycles, depth)
      .wide(SINK, SPANS, SOURCE);
    const shared = (stages + out_stages) * tile_bytes;
    const kernel = '_Z5storeILb0EEv5Store';
    return launchOf({ kernel, ctas, threads: 96, shared, source, bytes });
  },
  cp_async(row) {
    const { source, ctas, lanes, stages, tile_bytes, tiles, consumer_cycles } = row;
    const bytes = new Bytes()
      .source(sourceOf(row, tiles, tile_bytes))
      .int(lanes, stages, tiles, consumer_cycles)
      .wide(SPANS, SOURCE);
    const kernel = '_Z8cp_asyncILb0EEv7Threads';
    return launchOf({
      kernel,
      ctas,
      threads: lanes + 32,
      shared: stages * tile_bytes,
      source,
      bytes,
    });
  },
  work(row) {
    const { work, copies, warps, stages, tile_bytes, tiles, repeats } = row;
    const bytes = new Bytes()
      .source(sourceOf({ source: 'l2' }, tiles, tile_bytes))
      .int(stages, tiles, warps, repeats)
      .wide(SPANS, SINK);
    const isTogether = copies === 'cp_async';
    const name = isTogether ? '15worked_together' : '6worked';
    const kernel = `_Z${name}IL10Arithmetic${ARITHMETIC.indexOf(work)}EEv6Worked`;
    const threads = 32 * (isTogether ? warps : warps + 1);
    return launchOf({ kernel, threads, shared: stages * tile_bytes, source: 'l2', bytes });
  },
  chain: (row) => chainOf(row, false),
  diamond: (row) => chainOf(row, true),
  tensor_core(row) {
    const { source, ctas, warpgroups, mma_n, stages, stage_bytes, k_blocks, order } = row;
    const from = sourceOf(row, k_blocks, stage_bytes);
    const cold = source === 'hbm';
    const bytes = new Bytes()
      .source(cold ? from : { ...from, tiles: 4, stride: 4 * stage_bytes })
      .int(stages, k_blocks, 1, 0)
      .flag(order === 'linear')
      .wide(SPANS, 0);
    const linear = ORDERS[order];
    const kernel = `_Z11tensor_coreILi${mma_n}ELi${warpgroups}EL3Use0EL4Mode1ELb${linear}EEv6Tensor`;
    const threads = warpgroups * 128 + 128;
    return launchOf({ kernel, ctas, threads, shared: stages * stage_bytes, source, bytes });
  },
  attention(row) {
    const { source, ctas, head_dim, stages, kv_blocks, softmax_cycles, ping_pong } = row;
    const tile = 256 * head_dim;
    const bytes = new Bytes()
      .source(sourceOf(row, 2 * kv_blocks, tile))
      .int(stages, kv_blocks, softmax_cycles)
      .flag(ping_pong === 1)
      .wide(SPANS);
    const kernel = `_Z9attentionILi${head_dim}ELb0EEv9Attention`;
    return launchOf({
      kernel,
      ctas,
      threads: 288,
      shared: 32_768 + 2 * stages * tile,
      source,
      bytes,
    });
  },
  gemm(row) {
    const { source, ctas, mma_n, stages, k_blocks, tiles, epilogue_cycles } = row;
    const tile = 2 * A_BYTES + mma_n * B_ROW_BYTES;
    const bytes = new Bytes()
      .source(sourceOf(row, 256, tile))
      .int(stages, k_blocks, tiles, epilogue_cycles)
      .wide(SINK, SPANS);
    const kernel = `_Z4gemmILi${mma_n}ELb0EEv4Gemm`;
    return launchOf({
      kernel,
      ctas,
      threads: 288,
      shared: stages * tile + 256 * mma_n,
      source,
      bytes,
    });
  },
};

function chainOf(row, isDiamond) {
  const { source, ctas, stages, tile_bytes, tiles } = row;
  const bytes = new Bytes()
    .source(sourceOf(row, tiles, tile_bytes))
    .int(stages, tiles, row.first_cycles, row.second_cycles, row.third_cycles)
    .wide(SPANS, SOURCE);
  const kernel = `_Z5chainILb${Number(isDiamond)}ELb0EEv5Chain`;
  return launchOf({ kernel, ctas, threads: 128, shared: stages * tile_bytes, source, bytes });
}

/** The rows of a table, with their measured cycles. */
export function rowsOf(text) {
  const [header, ...lines] = text.trim().split('\n');
  const titles = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',').map((cell) => (/^-?[\d.]+$/.test(cell) ? Number(cell) : cell));
    return Object.fromEntries(titles.map((title, at) => [title, cells[at]]));
  });
}
