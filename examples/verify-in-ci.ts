/*
 * A bot for CI: are the skills of a project what was installed and locked? It needs no network and no archive, writes a
 * summary in Markdown (into the job's page, on GitHub), and fails the job where a byte differs, or where nothing is
 * there to be verified, as in a folder that is misspelt. `node examples/verify-in-ci.ts <project>`, with Node 22.19 or
 * newer, after `npx -y pnpm@12 build`.
 */
import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { projectRoot, verifyRoot, type VerifiedPack } from '@skillpack/cli-dist';
import { lockFileName, visibleText } from '@skillpack/core';

const project = resolve(process.argv[2] ?? '.');
const report = await verifyRoot({ root: projectRoot(project) });
const nothing = report.packs.length === 0;
const lock = report.locked ? 'Its lock file holds no pack.' : `It has no ${lockFileName}: is it spelled right?`;
const differs = report.ok ? '## Skills: as installed' : '## Skills: something differs';
const summary = [
  nothing ? '## Skills: nothing to verify' : differs,
  '',
  ...(nothing
    ? [`No pack is installed in ${cell(project)}. ${lock}`]
    : ['| pack | version | files | |', '| --- | --- | ---: | --- |']),
  ...report.packs.map(rowOf),
  ...report.shadowing.map(({ path, skill }) => `| | | | ${cell(path)} stands in for the skill ${cell(skill)} |`),
  ...(report.ok
    ? []
    : ['', 'To see what to do about it: `skills doctor`. To restore what was installed: `skills install --replace`.']),
  '',
].join('\n');
console.log(summary);

const page = process.env['GITHUB_STEP_SUMMARY'];
if (page !== undefined) await appendFile(page, summary);
if (!report.ok || nothing) process.exitCode = 1;

function rowOf({ name, version = '', files, findings }: VerifiedPack): string {
  const found = findings.map((finding) => `${finding.kind}${'path' in finding ? ` ${cell(finding.path)}` : ''}`);
  return `| ${name} | ${version} | ${files} | ${found.length === 0 ? 'ok' : found.join('<br>')} |`;
}

/** Names of files are whatever somebody chose; as references of characters they are text, and no Markdown or HTML. */
function cell(text: string): string {
  return visibleText(text).replaceAll(/[^\p{L}\p{N} ./-]/gu, (character) => `&#${character.codePointAt(0)};`);
}
