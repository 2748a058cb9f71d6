// What a released handle can still be asked: whether it is there.
import { spawn } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { chromium } from 'playwright';
import puppeteer from 'puppeteer';

export async function property(): Promise<boolean> {
  const browser = await puppeteer.launch();
  await browser.close();
  return browser.connected;
}
export async function method(): Promise<boolean> {
  const browser = await chromium.launch();
  await browser.close();
  return browser.isConnected();
}
export async function local(): Promise<number> {
  const browser = await chromium.launch();
  await browser.close();
  return browser.contexts().length;
}
export function process(): unknown {
  const child = spawn('ls');
  child.kill();
  return [child.killed, child.exitCode];
}
export function socket(): boolean {
  const socket = new WebSocket('ws://localhost');
  socket.close();
  return socket.readyState === WebSocket.CLOSED;
}
export function database(): boolean {
  const database = new DatabaseSync('x');
  database.close();
  return database.isOpen;
}

export async function late(): Promise<unknown> {
  const browser = await chromium.launch();
  await browser.close();
  return browser.newPage(); // expect: use-after-release
}
export function lateQuery(): void {
  const database = new DatabaseSync('x');
  database.close();
  database.exec('select 1'); // expect: use-after-release
}
export async function lateCookies(): Promise<unknown> {
  const browser = await puppeteer.launch();
  await browser.close();
  return browser.cookies(); // expect: use-after-release
}
