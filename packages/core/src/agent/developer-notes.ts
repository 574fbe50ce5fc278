import { messageOf } from '../errors/message-of.js';
import { quoted } from '../errors/quoted.js';
import type { RuleWithoutTool } from '../policy/rules-without-tool.js';
import type { IndexProblem } from '../registry/skill-entry.js';
import type { Activation } from './activation.js';

/** Whoever is told, in a sentence, what a developer may want to know. */
export interface DebugPort {
  /**
   * Told, in a sentence, what a developer may want to know, such as a tool that a skill names and nobody has. What it
   * throws changes nothing. @default nobody is told
   */
  readonly debug?: ((message: string) => void) | undefined;
}

/** What a run and a session have to say to a developer. */
export interface DeveloperNotes {
  /** The tools that a skill allows and nobody has. */
  unknownTools(activation: Pick<Activation, 'name' | 'unknownTools'>): void;
  /** An option or a port names a skill that is not there. */
  noSuchSkill(where: string, name: string): void;
  /** A rule of the permissions means no tool that there is. */
  noSuchTool(rule: RuleWithoutTool): void;
  /** There is a limit of cost, and the model does not say beforehand what calls cost. */
  unknownCost(model: string): void;
  /** What of the index cannot be offered, such as a folder of skills that is not there. */
  troubles(problems: readonly IndexProblem[]): void;
  /** Of a tool that does not say how much harm it can do, the most is expected. */
  noRisk(tool: string): void;
  /** Of several tools of one name, the first is the one that is called. */
  sameName(tool: string): void;
  /** The names of the files of a skill are a help that is missing now. */
  noFiles(skill: string, cause: unknown): void;
  /** The registry could not be read anew. */
  stale(problems: readonly IndexProblem[]): void;
  /** The registry brings a template for the catalogue that shows no skill. */
  uselessTemplate(kind: string): void;
}

/** The notes, told to the port that is given. */
export function developerNotes({ debug }: DebugPort): DeveloperNotes {
  const tell = (message: string): void => {
    try {
      debug?.(message);
    } catch {
      // A logger that fails is no reason for anything else to fail.
    }
  };
  return {
    unknownTools: ({ name, unknownTools }) => {
      for (const tool of unknownTools) {
        tell(`The skill ${quoted(name)} allows the tool ${quoted(tool)}, which nobody has.`);
      }
    },
    noSuchSkill: (where, name) => tell(`There is no skill ${quoted(name)}, which ${where} names.`),
    noSuchTool: ({ at, rule }) => tell(`There is no tool that ${quoted(rule)} means, which permissions have at ${at}.`),
    unknownCost: (model) =>
      tell(
        `The run has a limit of cost, and the model ${quoted(model)} does not say what its calls cost: an answer without a cost ends the request.`,
      ),
    troubles: (problems) => {
      for (const { message, location } of problems) tell(`At ${quoted(location)}: ${message}`);
    },
    noRisk: (tool) =>
      tell(
        `The tool ${quoted(tool)} has no risk that is low, medium or high: it counts as high, which is off by default.`,
      ),
    sameName: (tool) => tell(`There are several tools ${quoted(tool)}; the first is the one that is called.`),
    noFiles: (skill, cause) =>
      tell(`The files of the skill ${quoted(skill)} cannot be listed: ${quoted(messageOf(cause))}.`),
    stale: (problems) => {
      for (const { code, message } of problems) {
        if (code === 'stale') tell(`The skills could not be read anew; the last state holds. ${message}`);
      }
    },
    uselessTemplate: (kind) =>
      tell(
        `The template that ${quoted(kind)} brings for the catalogue counts for nothing: it has no place for skills.`,
      ),
  };
}
