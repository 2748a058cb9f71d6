// Fields that get a new handle in every round of a loop: see ../cases/README.md.
import * as amqplib from 'amqplib';
export class Courier {
  connection: any;
  opened: any;
  last: any;
  only: any;
  async retried(): Promise<unknown> {
    while (true) {
      try {
        const connection = await amqplib.connect('amqp://host');
        this.connection = connection; // expect: leak
        return await connection.createChannel();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }
  async closedBefore(): Promise<unknown> {
    while (true) {
      try {
        this.opened = await amqplib.connect('amqp://host'); // expect: ok
        return await this.opened.createChannel();
      } catch {
        await this.opened?.close();
      }
    }
  }
  async tornDown(): Promise<unknown> {
    for (;;) {
      try {
        this.last = await amqplib.connect('amqp://host'); // expect: ok
        return await this.last.createChannel();
      } catch {
        await (this as any).tearDown();
      }
    }
  }
  async connectedOnce(): Promise<boolean> {
    for (let round = 0; round < 3; round++) {
      try {
        this.only = await amqplib.connect('amqp://host'); // expect: ok
        return true;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
    return false;
  }
}
export async function unclosed(url: string): Promise<void> {
  const connection = await amqplib.connect(url); // expect: leak
  const channel = await connection.createChannel();
  await channel.close();
}
export async function closed(url: string): Promise<void> {
  const connection = await amqplib.connect(url); // expect: ok
  try { await connection.createChannel().then((each: any) => each.close()); } finally { await connection.close(); }
}
export class Wire {
  #socket: any;
  #writer: any;
  async open(): Promise<void> {
    this.#socket = await Deno.connect({ port: 1 });
    this.#writer = this.#socket.writable.getWriter(); // expect: ok
  }
  async reopen(): Promise<void> {
    this.#socket.close();
    await this.open();
  }
  close(): void {
    this.#socket.close();
  }
}
export class Log {
  #writer: any;
  constructor(stream: WritableStream) {
    this.#writer = stream.getWriter(); // expect: leak
  }
  close(): void {}
}
