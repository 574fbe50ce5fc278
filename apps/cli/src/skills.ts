#!/usr/bin/env node
// By default, not by name: an older Node lacks the name, and would fail before it can be told.
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { isAbsolute, join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { isNodeSupported } from './frame/is-node-supported.js';
import { watchOutput } from './frame/watch-output.js';
import { cacheFolder } from './settings/cache-folder.js';
import { systemHome } from './settings/system-home.js';

const { argv, env, platform } = process;
const words = argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  printVersion(`${packageJson.version}\n`);
} else if (!isNodeSupported(process.versions.node)) {
  process.stderr.write(
    `error[USAGE]: skills needs Node ${packageJson.engines.node}, and this is ${process.versions.node} (${process.execPath}).\n`,
  );
  process.exitCode = 2;
} else {
  // In a folder of the person's own: Node's default lies where everybody can write, and what is in it is executed.
  const cache = cacheFolder({ env, home: systemHome(), platform });
  // Not the first time: a container that is thrown away never reads it, and to make it costs some 6 ms.
  if (isAbsolute(cache) && existsSync(cache)) nodeModule.enableCompileCache(join(cache, 'compile'));
  const { runCommandLine } = await import('./frame/run-command-line.js');
  await runCommandLine(words, { version: packageJson.version, entry: import.meta.url });
}

// A tenth of the start is spent on making the stream of stdout, which a line like this does without.
function printVersion(line: string): void {
  try {
    process.getBuiltinModule('node:fs').writeSync(1, line);
  } catch {
    // An old Node, a full disk, a reader that went away or is slow: the stream knows what to do.
    watchOutput(process);
    process.stdout.write(line);
  }
}
