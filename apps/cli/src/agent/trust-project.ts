import { visibleText } from '@skillpack/core';
import type { Reporter } from '../frame/reporter.js';
import { count } from '../render/count.js';
import { shortened } from '../render/shortened.js';
import { readTrustedProjects } from '../settings/trusted-projects.js';
import { shellLine } from './approving-command.js';
import type { GrantedScripts } from './granted-scripts.js';
import { folderOption } from './kept-options.js';
import type { Person } from './person.js';
import { showCommand } from './resume-command.js';

/** A project, and what of it would reach a model. */
export interface ProjectOffer {
  readonly projectDir: string;
  readonly skillsHome: string;
  /** Whether it is the person's home folder. */
  readonly atHome: boolean;
  /** Whether the command line says that it is trusted. */
  readonly trustProject: boolean;
  /** Names of its skills. */
  readonly skills: readonly string[];
  /** Those of them whose scripts run without a question in a sandbox, and what they list of them. */
  readonly granted: readonly GrantedScripts[];
  /** Whether it has an AGENTS.md. */
  readonly instructions: boolean;
  /** A run that is to go on from its record, which is the project's, too. */
  readonly resume: string | undefined;
}

/** Who can be asked, and told. */
export interface TrustPorts {
  /** The command line, without the program. */
  readonly words: readonly string[];
  /** `undefined` where there is no terminal. */
  readonly person: Person | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

const mostNamed = 10;

/**
 * Whether what a project says may reach a model: where it is the person's own, where they say so now, or where they did
 * once. They are asked only when there is something to ask for and somebody at a terminal; else it is left out, with one
 * warning. Their yes is kept, and so is a never, which holds except for the record of a run that they want to go on. All
 * else is a no for now, and they are told so.
 *
 * @throws `INVALID_CONFIG` for a list of trusted projects that cannot be used; `IO_ERROR`, `INTERRUPTED`.
 */
export async function trustProject(offer: ProjectOffer, ports: TrustPorts): Promise<boolean> {
  const { person, reporter, signal } = ports;
  const { projectDir, skillsHome, resume } = offer;
  if (offer.atHome || offer.trustProject) return true;
  const trusted = readTrustedProjects(skillsHome);
  const verdict = trusted.verdictOn(projectDir);
  if (verdict === 'trusted') return true;
  if (offer.skills.length === 0 && !offer.instructions && resume === undefined) return false;
  if (person === undefined || (verdict === 'declined' && resume === undefined)) {
    // Without its record a run cannot go on at all: whoever asked for it is told so.
    if (resume !== undefined) return false;
    const declined = verdict === 'declined' ? trusted.path : undefined;
    // Of what they said themselves, a person is reminded; nobody has to be warned.
    if (person === undefined) reporter.warn(leftOut(offer, declined));
    else reporter.step(leftOut(offer, declined));
    return false;
  }
  const answer = await person.ask(questionOf(offer, ports.words), { signal });
  if (/^y(?:es)?$/iu.test(answer ?? '')) {
    await trusted.remember(projectDir, 'trusted');
    return true;
  }
  // Whoever resumes is told by the error that there is nothing to go on from.
  if (resume !== undefined) return false;
  const out = `${whatIs(offer)} of this project ${isOne(offer) ? 'is' : 'are'} left out`;
  if (/^(?:v|never)$/iu.test(answer ?? '')) {
    await trusted.remember(projectDir, 'declined');
    reporter.step(`${out}. You are not asked again; to be asked, remove the project from ${trusted.path}.`);
  } else reporter.warn(`That is a no for now: ${out}. You are asked again the next time.`);
  return false;
}

function questionOf(offer: ProjectOffer, words: readonly string[]): string {
  const { skills, resume } = offer;
  return [
    `This project brings ${whatIs(offer)}${namesOf(skills)}.`,
    visibleText(offer.projectDir),
    ...(resume === undefined ? [] : [`What the run did: ${visibleText(showCommand(resume, words))}`]),
    ...(skills.length === 0 ? [] : [`What a skill says: ${visibleText(inspectCommand(skills, words))}`]),
    ...grantOf(offer.granted),
    `A model would do what they say. Trust them? ${resume === undefined ? '[y]es, [n]ot now, ne[v]er' : '[y]es, [n]o'}: `,
  ].join('\n');
}

/** Who trusts the project says yes to these beforehand. */
function grantOf(granted: readonly GrantedScripts[]): readonly string[] {
  if (granted.length === 0) return [];
  const lines = granted
    .slice(0, mostNamed)
    .map(
      ({ name, entries }) =>
        `  ${shortened(visibleText(name), 64)}: ${shortened(visibleText(entries.join(', ')), 160)}`,
    );
  const more = granted.length - lines.length;
  return [
    'In a sandbox, scripts that a skill lists in its allowed-tools run without a question:',
    ...lines,
    ...(more > 0 ? [`  and of ${count(more, 'more skill')}`] : []),
  ];
}

/** The command line that shows one of them; a name that looks strange is left to the person. */
function inspectCommand(skills: readonly string[], words: readonly string[]): string {
  const name = skills.find((skill) => /^[\p{L}\p{M}\p{N}._-]{1,64}$/u.test(skill)) ?? '<name>';
  return shellLine(['skills', 'inspect', name, '--body', ...folderOption(words)]);
}

/** @param list where the person's no is kept, if there was one. */
function leftOut(offer: ProjectOffer, list: string | undefined): string {
  const what = `${whatIs(offer)} of this project ${isOne(offer) ? 'is' : 'are'} left out`;
  return list === undefined
    ? `${what}, since nobody has said that the project is trusted. --trust-project says so for this once.`
    : `${what}, since you said no. --trust-project says yes for this once; to be asked again, remove the project from ${list}.`;
}

function whatIs({ skills, instructions, resume }: ProjectOffer): string {
  const parts = [
    ...(resume === undefined ? [] : [`the record of the run ${resume}`]),
    ...(instructions ? ['AGENTS.md'] : []),
    // Last, so that their names can follow.
    ...(skills.length === 0 ? [] : [count(skills.length, 'skill')]),
  ];
  return parts.length > 2 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join(' and ');
}

function isOne({ skills, instructions }: ProjectOffer): boolean {
  return skills.length + (instructions ? 1 : 0) === 1;
}

function namesOf(skills: readonly string[]): string {
  if (skills.length === 0) return '';
  const names = skills.slice(0, mostNamed).map((name) => shortened(visibleText(name), 64));
  const more = skills.length - names.length;
  return `: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
