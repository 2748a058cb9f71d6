#!/usr/bin/env node
// Starts `npm create poundlock` on a Node that can run it. This file itself parses on any Node.
import process from 'node:process';

var NEEDED_MAJOR = 24;
var CANNOT_RUN = 2;

if (parseInt(process.versions.node, 10) < NEEDED_MAJOR) {
  process.stderr.write(
    'create-poundlock: needs Node ' + NEEDED_MAJOR + ', this is ' + process.versions.node + '\n',
  );
  process.exitCode = CANNOT_RUN;
} else {
  var isSource = (process.execArgv.join(' ') + ' ' + process.env.NODE_OPTIONS).includes(
    '--conditions=poundlock-source',
  );
  import(isSource ? '../src/main.ts' : '../dist/main.js').then(function (module) {
    return module.runProcess();
  });
}
