import type { CreateRule } from '@oxlint/plugins';

const message = 'The time is an argument here: take a `Date` or a clock from the caller.';

/** `new Date()` and `Date()` read the clock; `new Date(value)` and `Date.parse(text)` do not. */
export const noPresentTime: CreateRule = {
  create: (context) => ({
    NewExpression(node): void {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date' || node.arguments.length > 0) return;
      context.report({ node, message });
    },
    CallExpression(node): void {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date') context.report({ node, message });
    },
  }),
};
