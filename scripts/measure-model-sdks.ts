// Measures what models of OpenAI's and Anthropic's protocols cost with their own SDKs, with providers of the AI SDK, and with
// a parser of events alone, and prints the tables of docs/decisions/2026-11-22-model-providers.md. It installs into a
// temporary folder with npm.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

interface Way {
  readonly title: string;
  readonly packages: readonly string[];
  /** What an adapter would import, and use, of it. */
  readonly code: string;
}

const ways: readonly Way[] = [
  {
    title: '`openai`',
    packages: ['openai'],
    code: "import OpenAI from 'openai'; const make = (options) => new OpenAI(options).chat.completions;",
  },
  {
    title: '`@anthropic-ai/sdk`',
    packages: ['@anthropic-ai/sdk'],
    code: "import Anthropic from '@anthropic-ai/sdk'; const make = (options) => new Anthropic(options).messages;",
  },
  {
    title: 'both SDKs',
    packages: ['openai', '@anthropic-ai/sdk'],
    code: "import OpenAI from 'openai'; import Anthropic from '@anthropic-ai/sdk'; const make = (options) => [new OpenAI(options).chat.completions, new Anthropic(options).messages];",
  },
  {
    title: '`@ai-sdk/openai-compatible`',
    packages: ['@ai-sdk/openai-compatible'],
    code: "import { createOpenAICompatible } from '@ai-sdk/openai-compatible'; const make = (options) => createOpenAICompatible(options)('m');",
  },
  {
    title: '`@ai-sdk/anthropic`',
    packages: ['@ai-sdk/anthropic'],
    code: "import { createAnthropic } from '@ai-sdk/anthropic'; const make = (options) => createAnthropic(options)('m');",
  },
  {
    title: 'both providers of the AI SDK',
    packages: ['@ai-sdk/openai-compatible', '@ai-sdk/anthropic'],
    code: "import { createOpenAICompatible } from '@ai-sdk/openai-compatible'; import { createAnthropic } from '@ai-sdk/anthropic'; const make = (options) => [createOpenAICompatible(options)('m'), createAnthropic(options)('m')];",
  },
  {
    title: 'by hand, with `eventsource-parser`',
    packages: ['eventsource-parser'],
    code: "import { createParser } from 'eventsource-parser'; const make = (options) => createParser(options);",
  },
];

const root = mkdtempSync(join(tmpdir(), 'model-sdks-'));
const rounds = 15;

function installed(way: Way, index: number): string {
  const folder = join(root, String(index));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, ...way.packages], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(join(folder, 'used.mjs'), `${way.code}\nglobalThis.kept = make;\n`);
  return folder;
}

function measureFolder(folder: string): {
  readonly files: number;
  readonly kilobytes: number;
  readonly packages: number;
} {
  const names = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' });
  const sizes = names.map((name) => statSync(join(folder, 'node_modules', name))).filter((stats) => stats.isFile());
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
  const lock: unknown = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  // npm writes it so; the first entry is the folder itself.
  const { packages } = lock as { readonly packages: object };
  return { files: sizes.length, kilobytes: Math.round(bytes / 1024), packages: Object.keys(packages).length - 1 };
}

/** Milliseconds of a process that loads a file and ends, the median of many; the empty one and this take turns. */
function importTimes(folder: string): { readonly milliseconds: number; readonly ratio: number } {
  writeFileSync(join(folder, 'empty.mjs'), '');
  const times = { used: [] as number[], empty: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['empty', 'used'] as const) {
      const start = performance.now();
      execFileSync(process.execPath, [`${name}.mjs`], { cwd: folder });
      times[name].push(performance.now() - start);
    }
  }
  const [used, empty] = [medianOf(times.used), medianOf(times.empty)];
  return { milliseconds: used - empty, ratio: used / empty };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function bundled(folder: string): { readonly kilobytes: number; readonly zipped: number } {
  const { outputFiles } = buildSync({
    entryPoints: [join(folder, 'used.mjs')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  return { kilobytes: Math.round(contents.length / 1024), zipped: Math.round(gzipSync(contents).length / 1024) };
}

const prompt = "[{ role: 'user', content: [{ type: 'text', text: 'x' }] }]";
const attempts: readonly (readonly [title: string, index: number, code: string])[] = [
  [
    '`openai`',
    0,
    "import OpenAI from 'openai'; const c = new OpenAI({ apiKey: 'k', baseURL }); console.log('timeout ' + c.timeout); await c.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'x' }], stream: true });",
  ],
  [
    '`@anthropic-ai/sdk`',
    1,
    "import Anthropic from '@anthropic-ai/sdk'; const c = new Anthropic({ apiKey: 'k', baseURL }); console.log('timeout ' + c.timeout); await c.messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }], stream: true });",
  ],
  [
    '`@ai-sdk/openai-compatible`, `doStream`',
    3,
    `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'; await createOpenAICompatible({ name: 'n', baseURL })('m').doStream({ prompt: ${prompt} });`,
  ],
  [
    '`@ai-sdk/anthropic`, `doStream`',
    4,
    `import { createAnthropic } from '@ai-sdk/anthropic'; await createAnthropic({ apiKey: 'k', baseURL })('m').doStream({ prompt: ${prompt} });`,
  ],
];

/** How often a server that fails is asked. The server runs here, so the client runs beside it. */
async function countAttempts(
  folder: string,
  code: string,
): Promise<{ readonly calls: number; readonly timeout: string }> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume().on('end', () => response.writeHead(503, { 'retry-after-ms': '1' }).end('{}'));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, 'ask.mjs'), "try { await import('./asked.mjs'); } catch {}");
  writeFileSync(join(folder, 'asked.mjs'), `const baseURL = 'http://127.0.0.1:${port}';\n${code}\n`);
  const child = spawn(process.execPath, ['ask.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  for await (const chunk of child.stdout) told += String(chunk);
  server.close();
  return { calls, timeout: /timeout (\d+)/u.exec(told)?.[1] ?? 'none' };
}

try {
  const folders = ways.map((way, index) => installed(way, index));
  process.stdout.write(
    '| | packages | files | KB | loading, ms | against an empty process | bundled, KB | gzipped, KB |\n',
  );
  process.stdout.write('| - | -: | -: | -: | -: | -: | -: | -: |\n');
  for (const [index, { title }] of ways.entries()) {
    const folder = folders[index] ?? '';
    const { packages, files, kilobytes } = measureFolder(folder);
    const { milliseconds, ratio } = importTimes(folder);
    const bundle = bundled(folder);
    process.stdout.write(
      `| ${title} | ${packages} | ${files} | ${kilobytes} | ${Math.round(milliseconds)} | ${ratio.toFixed(1)} × | ${bundle.kilobytes} | ${bundle.zipped} |\n`,
    );
  }
  process.stdout.write('\n| | requests to a server that answers 503 | timeout, ms |\n| - | -: | -: |\n');
  for (const [title, index, code] of attempts) {
    const { calls, timeout } = await countAttempts(folders[index] ?? '', code);
    process.stdout.write(`| ${title} | ${calls} | ${timeout} |\n`);
  }
  for (const index of [2, 5]) {
    const { stdout } = spawnSync('npm', ['ls', '--depth=0'], { cwd: folders[index] ?? '', encoding: 'utf8' });
    process.stdout.write(stdout.replace(/^.*\n/u, '\n'));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
