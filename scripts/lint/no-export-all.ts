import type { CreateRule } from '@oxlint/plugins';

/** A package's public names are a list somebody wrote and somebody reviewed. */
export const noExportAll: CreateRule = {
  create: (context) => ({
    ExportAllDeclaration(node): void {
      context.report({ node, message: 'Name what is exported: `export *` makes the public list invisible.' });
    },
  }),
};
