// What components show, in a file that never lets go of a URL.
import { useMemo, useState } from 'react';
import * as tf from '@tensorflow/tfjs';
declare const model: any;
export function useList(): (files: File[]) => void {
  const [, setItems] = useState<{ name: string; url: string }[]>([]);
  return (files) => {
    const items = files.map((file) => ({ name: file.name, url: URL.createObjectURL(file) })); // expect: leak
    setItems(items);
  };
}
export function useGrowing(): (file: File) => void {
  const [, setItems] = useState<{ name: string; url: string }[]>([]);
  return (file) => {
    setItems((old) => [...old, { name: file.name, url: URL.createObjectURL(file) }]); // expect: leak
  };
}
export function usePreview(file: File): string {
  const url = useMemo(() => URL.createObjectURL(file), [file]); // expect: ok
  return url;
}
export function useShown(file: File, image: HTMLImageElement): void {
  const url = useMemo(() => URL.createObjectURL(file), [file]); // expect: leak
  image.src = url;
}
export function usePlain(): (name: string) => void {
  const [, setItems] = useState<string[]>([]);
  return (name) => { setItems((old) => [...old, name]); }; // expect: ok
}
export function scores(image: HTMLImageElement): number[] {
  const input = tf.tidy(() => tf.browser.fromPixels(image).expandDims(0)); // expect: ok
  const output = model.predict(input); // expect: leak
  const data = output.dataSync();
  input.dispose();
  return Array.from(data as ArrayLike<number>);
}
export function scoresAndNothingElse(image: HTMLImageElement): number[] {
  const input = tf.tidy(() => tf.browser.fromPixels(image).expandDims(0)); // expect: ok
  const output = model.predict(input); // expect: ok
  const data = output.dataSync();
  tf.dispose([input, output]);
  return Array.from(data as ArrayLike<number>);
}
export function prices(forest: any, rows: number[][]): number[] {
  const predicted = forest.predict(rows); // expect: ok
  return predicted.map((each: number) => each * 2);
}
