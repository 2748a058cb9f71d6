// Tensors outside `tf.tidy`.
import type { AcquireCall, ResourceModel } from '../model.ts';

/** Functions of `tf` that return a tensor. */
const MAKERS =
  'tensor tensor1d tensor2d tensor3d tensor4d tensor5d tensor6d scalar zeros ones fill range ' +
  'linspace eye oneHot randomNormal randomUniform truncatedNormal multinomial concat concat1d ' +
  'concat2d concat3d concat4d stack matMul dot einsum outerProduct softmax logSoftmax sigmoid ' +
  'relu relu6 elu leakyRelu prelu tanh softplus cast expandDims squeeze transpose tile slice ' +
  'slice1d slice2d slice3d slice4d stridedSlice zerosLike onesLike pad pad1d pad2d pad3d pad4d ' +
  'gather gatherND reshape broadcastTo batchToSpaceND spaceToBatchND sub add addN mul div ' +
  'divNoNan floorDiv mod pow squaredDifference mean sum prod max min maximum minimum sqrt rsqrt ' +
  'square abs exp log log1p sin cos tan atan atan2 floor ceil round sign reciprocal argMax ' +
  'argMin norm cumsum clipByValue conv1d conv2d conv2dTranspose depthwiseConv2d maxPool avgPool ' +
  'batchNorm reverse where greater greaterEqual less lessEqual equal notEqual logicalAnd ' +
  'logicalOr logicalNot all any real imag complex fft ifft';

/** Functions and methods that return several tensors. */
const SPLITTERS = ['split', 'unstack'];

const RECEIVER = /^(this\.)?(tf|tfc|tfjs)$/;
/** Names that are unique to TensorFlow.js where they are undeclared. */
const BARE = /^tensor[1-6]d$/;
const functions: AcquireCall[] = MAKERS.split(' ').map((call) => ({
  call,
  receiver: RECEIVER,
  ...(BARE.test(call) && { bare: true }),
}));
const splitters: AcquireCall[] = SPLITTERS.map((call) => ({
  call,
  receiver: RECEIVER,
  many: true,
}));

/** Methods of a tensor that return another one. */
const METHODS =
  'add sub mul div matMul dot pow sqrt square abs neg exp log mean sum max min maximum minimum ' +
  'argMax argMin reshape reshapeAs flatten squeeze expandDims transpose tile slice gather pad ' +
  'concat stack cast toFloat toInt toBool asType as1D as2D as3D as4D asScalar clone clipByValue ' +
  'softmax sigmoid relu resizeBilinear resizeNearestNeighbor reverse equal greater less norm ' +
  'tanh rsqrt all any logicalAnd logicalOr logicalNot notEqual greaterEqual lessEqual mod prod ' +
  'cumsum round floor ceil sign reciprocal batchNorm conv2d broadcastTo';

/** Methods of models, which only borrow their inputs. */
const RUNS = 'predict execute executeAsync predictOnBatch evaluate trainOnBatch fit';

/** Methods that arrays, collections and promises have, too, where they store their arguments. */
const OTHERS_TOO = new Set(['concat', 'all', 'any']);

export const tfTensor: ResourceModel = {
  id: 'tf.tensor',
  modules: ['@tensorflow/tfjs', '@tensorflow/tfjs-core', '@tensorflow/tfjs-node'],
  types: ['Tensor', 'Tensor1D', 'Tensor2D', 'Tensor3D', 'Tensor4D', 'Scalar'],
  acquire: [
    ...functions,
    ...splitters,
    { call: 'fromPixels', receiver: /^tf\.browser$/ },
    { call: 'resizeBilinear', receiver: /^tf\.image$/ },
    { call: 'resizeNearestNeighbor', receiver: /^tf\.image$/ },
    { call: 'cropAndResize', receiver: /^tf\.image$/ },
    { call: 'decodeImage', receiver: /^tf\.node$/ },
    { call: 'decodeJpeg', receiver: /^tf\.node$/ },
    { call: 'decodePng', receiver: /^tf\.node$/ },
    { call: 'tidy', receiver: /^((this\.)?(tf|tfc|tfjs)|tidy)$/, bare: true, whenReleased: true },
    // Only tensors have these methods.
    { call: 'predict', receiver: /./, usedFor: ['dataSync', 'arraySync'] },
    { call: 'predict', receiver: /[mM]odel$/, usedFor: ['data', 'array'] },
    { call: 'execute', receiver: /[mM]odel$/, usedFor: ['dataSync', 'arraySync'] },
    {
      call: 'executeAsync',
      receiver: /[mM]odel$/,
      async: true,
      usedFor: ['dataSync', 'arraySync'],
    },
    { call: 'predict', receiver: /./, whenReleased: true },
  ],
  release: ['dispose'],
  namespace: 'tf',
  creates: METHODS.split(' '),
  borrowers: [...RUNS.split(' '), ...METHODS.split(' ').filter((name) => !OTHERS_TOO.has(name))],
  // Operations are queued when they are called: inputs may be disposed of at once.
  releaseWaits: true,
  takers: [{ call: 'keep', argument: 0 }],
  via: [{ call: 'dispose', argument: 0, receiver: /(^|\.)tf$/, bare: true }],
  idempotent: true,
  safe: ['shape', 'dtype', 'size', 'rank', 'id', 'isDisposed'],
  tidies: ['tidy'],
  doubleRelease: 'no-op',
  useAfterRelease: 'TypeError',
  leak: 'GPU/CPU memory',
  evidence: 'probed',
};
