// Helpers of what tidies up, and of what does not: see ../cases/README.md.
import * as tf from '@tensorflow/tfjs';
function scaledForNobody(value: tf.Tensor): tf.Tensor {
  return tf.mul(tf.square(value), 2); // expect: leak
}
export async function read(value: tf.Tensor): Promise<unknown> {
  const scaled = scaledForNobody(value); // expect: leak
  const data = await scaled.data();
  scaled.dispose();
  return data;
}
function scaledInside(value: tf.Tensor): tf.Tensor {
  return tf.mul(tf.square(value), 2); // expect: ok
}
export function tidied(value: tf.Tensor): tf.Tensor {
  return tf.tidy(() => scaledInside(value)); // expect: ok
}
function helper(value: tf.Tensor): tf.Tensor {
  return tf.mul(tf.square(value), 2); // expect: ok
}
export function helperOfAnybody(value: tf.Tensor): tf.Tensor { return helper(value); }
export class Layer extends tf.layers.Layer {
  call(value: tf.Tensor): tf.Tensor { return tf.mul(tf.square(value), 2); } // expect: ok
}
export async function applied(layer: Layer, value: tf.Tensor): Promise<void> { await layer.call(value).data(); }
