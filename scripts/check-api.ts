import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

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

interface Problem {
  readonly messageId: string;
  /** The name the message is about. */
  readonly name: string;
  readonly text: string;
}

/** What the extractor finds in one entry point, and whether its list is not the recorded one. */
function extract(config: ExtractorConfig): { readonly problems: readonly Problem[]; readonly changed: boolean } {
  const problems: Problem[] = [];
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: write,
    messageCallback: (message) => {
      if (message.logLevel === ExtractorLogLevel.Error) {
        const name = /"(\w+)"/u.exec(message.text)?.[1] ?? '';
        problems.push({ messageId: message.messageId, name, text: message.formatMessageWithLocation(root) });
      }
      message.handled = true;
    },
  });
  return { problems, changed: apiReportChanged && !write };
}

/**
 * Whether a finding counts. A member may speak for itself (`name: PackName`), an exported name may not; and a type that
 * the package's main entry point has is public, whichever entry point uses it.
 */
function counts({ messageId, name }: Problem, publicNames: ReadonlySet<string>): boolean {
  if (messageId === 'ae-undocumented') return publicNames.has(name);
  return messageId !== 'ae-forgotten-export' || !publicNames.has(name);
}

async function judgePackage(subject: WorkspacePackage): Promise<string[]> {
  const findings: string[] = [];
  const publicNames = new Set<string>();
  const reports = join(subject.folder, 'api');
  if (subject.entryPoints.length > 0) await mkdir(reports, { recursive: true });
  for (const entry of subject.entryPoints) {
    const { problems, changed } = extract(configure(subject, entry, temporary));
    for (const name of await exportedNames(join(temporary, `${entry.name}.api.md`))) publicNames.add(name);
    const where = relative(root, join(reports, `${entry.name}.api.md`));
    for (const problem of problems) if (counts(problem, publicNames)) findings.push(`${where}: ${problem.text}`);
    if (changed) findings.push(`${where}: public-list-changed: \`pnpm api\` records it; review and commit that.`);
  }
  return findings;
}

async function exportedNames(report: string): Promise<readonly string[]> {
  const text = await readFile(report, 'utf8');
  const names = text.matchAll(/^export (?:\w+ )*?(?:class|const|function|interface|type) (\w+)/gmu);
  return [...names].map(([, name]) => name ?? '');
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
