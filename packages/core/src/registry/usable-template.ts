/** What stands for the skills in a template of the catalogue. */
export const listVariable = '{skills_list}';

/** A template, if the skills have a place in it. */
export function usableTemplate(template: string | undefined): string | undefined {
  return template?.includes(listVariable) === true ? template : undefined;
}
