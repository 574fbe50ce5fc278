#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { cacheFolder } from './settings/cache-folder.js';

const { argv, env, platform } = process;
const words = argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${packageJson.version}\n`);
} else {
  // In a folder of the person's own: Node's default lies where everybody can write, and what is in it is executed.
  enableCompileCache(join(cacheFolder({ env, home: homedir(), platform }), 'compile'));
  const { runCommandLine } = await import('./frame/run-command-line.js');
  await runCommandLine(words, { version: packageJson.version, entry: import.meta.url });
}
