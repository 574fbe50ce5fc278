import { SkillsError } from '@skillpack/core';
import type { CommanderError } from 'commander';

/** An error of the argument parser as one of ours: the nearest known word becomes the hint. */
export function usageError(error: CommanderError): SkillsError {
  const [first = '', suggestion = ''] = error.message.split('\n');
  const message = first.replace(/^error: /u, '');
  const nearest = /^\((?<text>Did you mean .*\?)\)$/u.exec(suggestion)?.groups?.['text'];
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return new SkillsError('USAGE', sentence.endsWith('.') ? sentence : `${sentence}.`, {
    hint: nearest ?? 'Run it with --help for what it takes.',
  });
}
