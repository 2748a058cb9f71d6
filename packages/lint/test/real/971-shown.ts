// Copies of URLs that are only shown, in a file that never lets go of one.
export class Player {
  audio: HTMLAudioElement | undefined;
  play(blob: Blob): Promise<void> {
    this.audio!.src = URL.createObjectURL(blob); // expect: leak
    return this.audio!.play();
  }
  remember(store: { url: string }, blob: Blob): void {
    store.url = URL.createObjectURL(blob); // expect: ok
  }
}
