#!/usr/bin/env node
// Starts the command line on a Node that can run it. This file itself parses on any Node.
'use strict';

var path = require('path');
var fs = require('fs');

var NEEDED_MAJOR = 24;
var CANNOT_RUN = 2;

var own = path.join(__dirname, '..');
var source = path.join(own, 'src', 'cli', 'main.ts');
var bundle = path.join(own, 'lib', 'bundle', 'main.js');
var main = runsSources() ? source : path.join(own, 'lib', 'cli', 'main.js');

if (majorOf(process.versions.node) < NEEDED_MAJOR) {
  startOnInstalledNode();
} else if (!fs.existsSync(main)) {
  stop('lib/ is not built: run `npm run build` in ' + own);
} else {
  start();
}

function start() {
  // What was compiled, and stripped of its types, is remembered for the next start. Where it can
  // not be written, or NODE_DISABLE_COMPILE_CACHE is set, everything works as well without.
  require('module').enableCompileCache();
  // A Node this new loads a module by `require`; an `import` would not parse on an old one.
  Promise.resolve()
    .then(function () {
      var words = process.argv.slice(2);
      if (main !== source && needsNoModules(words) && fs.existsSync(bundle)) main = bundle;
      return require(main).runProcess(words);
    })
    .catch(function (error) {
      stop((error && error.stack) || error);
    });
}

// Whether no module of the user is loaded, which would import the modules that the bundle has copies
// of: a kernel as built is named, and nothing that is, or may have, a program text.
function needsNoModules(words) {
  if (!/^(?:check|simulate|advise|export)$/.test(words[0])) return false;
  if (!/\.(?:ptx|jsonl?)$/i.test(words[1])) return false;
  return !words.some(function (word) {
    return /[*?{[]|\.[cm]?[jt]sx?\b/i.test(word) || isFolder(word);
  });
}

function isFolder(word) {
  try {
    return fs.statSync(word).isDirectory();
  } catch (_) {
    return false;
  }
}

// The npm package `node`, where it is installed beside this one, brings a Node of its own.
function startOnInstalledNode() {
  var binary = installedNode();
  if (!binary) {
    stop('needs Node ' + NEEDED_MAJOR + ' or newer, this is ' + process.versions.node);
    process.stderr.write('   npm has one: ' + commandWithNode() + '\n');
    return;
  }
  var args = [__filename].concat(process.argv.slice(2));
  var child = require('child_process').spawn(binary, args, { stdio: 'inherit' });
  // Ctrl-C reaches both processes: the child reports what it knows, then this one ends with it.
  process.on('SIGINT', function () {});
  process.on('SIGTERM', function () {
    child.kill('SIGTERM');
  });
  child.on('error', function (error) {
    stop(error.message);
  });
  child.on('exit', function (exitCode) {
    process.exitCode = exitCode === null ? CANNOT_RUN : exitCode;
  });
}

// The same command on a Node that npm brings.
function commandWithNode() {
  var words = process.argv.slice(2).map(function (word) {
    return /^[\w./,:=@%+-]+$/.test(word) ? word : JSON.stringify(word);
  });
  return ['npx -p node@' + NEEDED_MAJOR + ' -p poundlock poundlock'].concat(words).join(' ');
}

// The condition under which the packages of this repository find their TypeScript.
function runsSources() {
  var words = process.execArgv.concat((process.env.NODE_OPTIONS || '').split(' '));
  return fs.existsSync(source) && words.indexOf('--conditions=poundlock-source') >= 0;
}

function installedNode() {
  try {
    var manifest = require.resolve('node/package.json');
    if (majorOf(require(manifest).version) < NEEDED_MAJOR) return null;
    var name = process.platform === 'win32' ? 'node.exe' : 'node';
    var binary = path.join(path.dirname(manifest), 'bin', name);
    return fs.existsSync(binary) ? binary : null;
  } catch (_) {
    return null;
  }
}

function majorOf(version) {
  return parseInt(version, 10);
}

function stop(message) {
  process.stderr.write('poundlock: ' + message + '\n');
  process.exitCode = CANNOT_RUN;
}
