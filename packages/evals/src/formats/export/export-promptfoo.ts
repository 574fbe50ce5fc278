import { stringify } from 'yaml';
import type { EvalCase, EvalSuite } from '../../case/eval-case.js';
import type { ExportedSuite } from './exported-suite.js';
import { dropFields, ExportLog } from './export-log.js';
import { literalTemplate } from './literal-template.js';
import { promptfooAssertions } from './promptfoo-assertions.js';
import { writeYaml } from '../../case/write-yaml.js';

/** A configuration of promptfoo, without a provider: one test for each case. */
export function exportPromptfoo(suite: EvalSuite): ExportedSuite {
  const log = new ExportLog();
  log.tellAll('kept', 'Name a provider in it before it is run: one that tells the skills and tools that were used.');
  const tests = suite.cases.flatMap((each, index) => testOf(each, index, log) ?? []);
  const config = { description: suite.name, prompts: ['{{input}}'], tests };
  const text = writeYaml(config, (value) => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }));
  return { fileName: 'promptfooconfig.yaml', text, files: [], notes: log.notes };
}

function testOf(each: EvalCase, index: number, log: ExportLog): object | undefined {
  const [line, ...more] = each.conversation;
  if (line === undefined || more.length > 0) {
    log.tell('dropped', { each, index, path: '' }, 'A test has one line of the person, and the case has several.');
    return undefined;
  }
  dropFields(log, { each, index }, ['files', 'offer', 'script']);
  if (each.kind === 'trigger') {
    log.tell(
      'changed',
      { each, index, path: 'kind' },
      'A test is worked on to its end, also where only the choice of skills counts.',
    );
  }
  const assert = promptfooAssertions(each, index, log);
  const input = fileLike.test(line.input) ? ` ${line.input}` : line.input;
  if (input !== line.input)
    log.tell(
      'changed',
      { each, index, path: 'conversation.0.input' },
      'A blank stands before it, or it would be read as the name of a file.',
    );
  return {
    description: each.title ?? each.id,
    vars: { input: literalTemplate(input) },
    ...(assert.length === 0 ? {} : { assert }),
    ...(each.trials === undefined ? {} : { options: { repeat: each.trials } }),
    metadata: { id: each.id, kind: each.kind, ...(each.tags.length === 0 ? {} : { tags: each.tags }) },
  };
}

const fileLike = /^(?:file|package):/u;
