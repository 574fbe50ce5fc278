import { visibleText } from '@skillpack/core';
import type { Reporter } from '../frame/reporter.js';
import { count } from '../render/count.js';
import { shortened } from '../render/shortened.js';
import { readTrustedProjects } from '../settings/trusted-projects.js';
import type { Person } from './person.js';

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
  /** Whether it has an AGENTS.md. */
  readonly instructions: boolean;
  /** A run that is to go on from its record, which is the project's, too. */
  readonly resume: string | undefined;
}

/** Who can be asked, and told. */
export interface TrustPorts {
  /** `undefined` where there is no terminal. */
  readonly person: Person | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

const mostNamed = 10;

/**
 * Whether what a project says may reach a model: where it is the person's own, where they say so now, or where they did
 * once. They are asked once, and only when there is something to ask for and somebody at a terminal; else it is left
 * out, with one warning. Their no holds, too, except for the record of a run that they want to go on.
 *
 * @throws `INVALID_CONFIG` for a list of trusted projects that cannot be used; `IO_ERROR`, `INTERRUPTED`.
 */
export async function trustProject(offer: ProjectOffer, { person, reporter, signal }: TrustPorts): Promise<boolean> {
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
  const question =
    `This project brings ${whatIs(offer)}${namesOf(offer.skills)}.\n` +
    `${visibleText(projectDir)}\nA model would do what they say. Trust them? [y/N] `;
  const answer = await person.ask(question, { signal });
  const yes = /^y(?:es)?$/iu.test(answer ?? '');
  if (yes) await trusted.remember(projectDir, 'trusted');
  else if (answer !== undefined && resume === undefined) {
    await trusted.remember(projectDir, 'declined');
    reporter.step(`You are not asked again. To be asked, remove the project from ${trusted.path}.`);
  }
  return yes;
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
