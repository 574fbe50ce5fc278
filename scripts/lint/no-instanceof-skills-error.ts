import type { CreateRule } from '@oxlint/plugins';

/** Two copies of a package in one process are normal, and `instanceof` knows only one of them. */
export const noInstanceofSkillsError: CreateRule = {
  create: (context) => ({
    BinaryExpression(node): void {
      if (node.operator !== 'instanceof' || node.right.type !== 'Identifier' || node.right.name !== 'SkillsError')
        return;
      context.report({
        node,
        message: 'Ask `SkillsError.is(error, code)`: `instanceof` fails across two copies of core.',
      });
    },
  }),
};
