const docs = 'https://github.com/skillpack/skillpack/blob/main/docs';

/** Where a person reads more: whoever has only the command has none of the pages. */
export const docPages = {
  cli: `${docs}/cli.md`,
  evals: `${docs}/evals.md`,
  models: `${docs}/models.md`,
  permissions: `${docs}/permissions.md`,
} as const;
