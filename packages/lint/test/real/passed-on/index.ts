// Passes on what a package exports, which is not installed.
export { default as driver } from 'puppeteer-core';
