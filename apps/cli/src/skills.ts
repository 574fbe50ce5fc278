import { enableCompileCache } from 'node:module';
import packageJson from '../package.json' with { type: 'json' };

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${packageJson.version}\n`);
} else {
  enableCompileCache();
  const { runCommandLine } = await import('./frame/run-command-line.js');
  await runCommandLine(words, { version: packageJson.version, entry: import.meta.url });
}
