import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Extractor, ExtractorConfig, ExtractorLogLevel, type ExtractorMessage } from '@microsoft/api-extractor';

import { readWorkspacePackages, type WorkspacePackage } from './check/workspace-packages.ts';

/*
 * Each entry point's public list lies in `<package>/api/<entry>.api.md`. A change to it is a change somebody reviews;
 * `--write` records one that was meant. Every public name has a doc comment, and names no type that is not public too.
 */

const silent = { default: { logLevel: ExtractorLogLevel.None } };
const error = { logLevel: ExtractorLogLevel.Error };

type EntryPoint = WorkspacePackage['entryPoints'][number];

function configure(subject: WorkspacePackage, entry: EntryPoint, temporary: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(subject.folder, 'package.json'),
    configObject: {
      projectFolder: subject.folder,
      mainEntryPointFilePath: entry.declarations,
      compiler: { tsconfigFilePath: join(subject.folder, 'tsconfig.build.json') },
      apiReport: {
        enabled: true,
        reportFileName: `${entry.name}.api.md`,
        reportFolder: join(subject.folder, 'api'),
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: error },
        extractorMessageReporting: { ...silent, 'ae-forgotten-export': error, 'ae-undocumented': error },
        tsdocMessageReporting: silent,
      },
    },
  });
}

/** A member may speak for itself (`name: PackName`); an exported name may not. */
function concernsMember({ messageId, properties, text }: ExtractorMessage): boolean {
  return messageId === 'ae-undocumented' && !text.includes(`"${properties.exportName ?? ''}"`);
}

/** A type that the package's main entry point has is public, whichever entry point uses it. */
function concernsPublicName({ messageId, text }: ExtractorMessage, publicNames: ReadonlySet<string>): boolean {
  return messageId === 'ae-forgotten-export' && publicNames.has(/"(\w+)"/u.exec(text)?.[1] ?? '');
}

function judgeEntryPoint(config: ExtractorConfig, publicNames: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: write,
    messageCallback: (message) => {
      const ours = message.logLevel === ExtractorLogLevel.Error;
      if (ours && !concernsMember(message) && !concernsPublicName(message, publicNames)) {
        problems.push(message.formatMessageWithLocation(root));
      }
      message.handled = true;
    },
  });
  if (apiReportChanged && !write) problems.push('public-list-changed: `pnpm api` records it; review and commit that.');
  return problems;
}

async function judgePackage(subject: WorkspacePackage): Promise<string[]> {
  const problems: string[] = [];
  const publicNames = new Set<string>();
  const reports = join(subject.folder, 'api');
  if (subject.entryPoints.length > 0) await mkdir(reports, { recursive: true });
  for (const entry of subject.entryPoints) {
    const config = configure(subject, entry, temporary);
    const report = join(reports, `${entry.name}.api.md`);
    for (const problem of judgeEntryPoint(config, publicNames)) problems.push(`${relative(root, report)}: ${problem}`);
    const present = await readFile(join(temporary, `${entry.name}.api.md`), 'utf8');
    for (const [, name] of present.matchAll(/^export (?:\w+ )*?(?:class|const|function|interface|type) (\w+)/gmu)) {
      if (name !== undefined) publicNames.add(name);
    }
  }
  return problems;
}

const root = process.cwd();
const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
const write = values.write ?? false;
const temporary = await mkdtemp(join(tmpdir(), 'skillpack-api-'));
try {
  for (const subject of await readWorkspacePackages(root, positionals)) {
    for (const problem of await judgePackage(subject)) {
      console.log(problem);
      process.exitCode = 1;
    }
  }
} finally {
  await rm(temporary, { recursive: true, force: true });
}
