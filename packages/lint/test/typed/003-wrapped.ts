// Handles inside objects: of options, of errors, of other handles.
import { EventEmitter } from 'node:events';
import type net from 'node:net';
import tls from 'node:tls';

declare function connect(port: number): Promise<net.Socket>;

async function secure(socket: net.Socket): Promise<tls.TLSSocket> {
  const options = { host: 'x', socket };
  const outer = tls.connect(options);
  await new Promise((resolve) => outer.once('secureConnect', resolve));
  return outer;
}
export async function open(port: number, isSecure: boolean): Promise<net.Socket> {
  let socket = await connect(port);
  if (!isSecure) return socket;
  try {
    socket = await secure(socket);
  } catch (error) {
    socket.end();
    throw error;
  }
  return socket;
}

export class Failed extends EventEmitter {
  readonly response: Response;
  constructor(response: Response) {
    super();
    this.response = response;
  }
}
export async function thrown(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Failed(response);
  return response.json();
}
export async function lost(url: string): Promise<unknown> {
  const response = await fetch(url); // expect: leak
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
