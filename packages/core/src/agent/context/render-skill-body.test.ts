import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeEntry, makeText } from '../../../test/context/make-entry.js';
import { digestHex } from '../../digest/digest.js';
import { estimateTokens } from './estimate-tokens.js';
import { renderSkillBody, withWords, type RenderBodyOptions, type RenderedBody } from './render-skill-body.js';

const entry = makeEntry({ name: 'pdf', pack: 'acme/pdf', packVersion: '1.2.0' });

function render(body: string, options: RenderBodyOptions & { readonly fields?: string } = {}): RenderedBody {
  return renderSkillBody({ entry, text: makeText(body, options.fields) }, { countTokens: estimateTokens }, options);
}

test('PSA-20: a body says its name, source, pack, path, digest, size, lines and whether it is whole', () => {
  const text = makeText('# PDF\n\nRead it.\n');
  const rendered = renderSkillBody({ entry, text }, { countTokens: estimateTokens });
  expect(rendered).toEqual({
    text:
      `<skill_body name="pdf" source="project" pack="acme/pdf@1.2.0" path="/work/app/.agents/skills/pdf" ` +
      `sha256="${digestHex(text.digest)}" bytes="${text.size}" lines="3" truncated="false">\n` +
      '# PDF\n\nRead it.\n</skill_body>',
    lines: { total: 3, shown: 3 },
    truncated: false,
  });
});

test('AGIO-05: {baseDir} and ${CLAUDE_SKILL_DIR} become the absolute folder, whatever characters it has', () => {
  const odd = { ...entry, location: '/tmp/$& {baseDir} $1</skill_body>' };
  const body = 'Run {baseDir}/a.sh, ${CLAUDE_SKILL_DIR}/b.sh, ${baseDir} and {basedir}.';
  const { text } = renderSkillBody({ entry: odd, text: makeText(body) }, { countTokens: estimateTokens });
  expect(text).toContain(
    'Run /tmp/$& {baseDir} $1&lt;/skill_body>/a.sh, /tmp/$& {baseDir} $1&lt;/skill_body>/b.sh, ${baseDir} and {basedir}.',
  );
  expect(render(body).text).toContain('Run /work/app/.agents/skills/pdf/a.sh');
});

describe('H9-05: a call by name', () => {
  test('is the body, a blank line, and the words', () => {
    expect(withWords('BODY', 'clean main.go')).toBe('BODY\n\nclean main.go');
    expect(withWords('BODY', ' ')).toBe('BODY');
  });

  test('puts the words where the skill wants them, and reads no variable in them', () => {
    const body = 'All: $ARGUMENTS. First: $1, second: $2, third: [$3].';
    expect(render(body, { words: 'main.go "two $1 words"' }).text).toContain(
      'All: main.go "two $1 words". First: main.go, second: two $1 words, third: [].',
    );
    expect(render(body).text).toContain(body);
  });

  test('leaves the fields of a script alone in a skill that takes no arguments', () => {
    expect(render("awk '{ print $1 }'", { words: 'x' }).text).toContain("awk '{ print $1 }'");
    expect(render('Fix $1.', { words: 'x', fields: 'argument-hint: "[issue]"\n' }).text).toContain('Fix x.');
  });

  test('cannot be made to blow up', () => {
    const { text } = render('$ARGUMENTS '.repeat(5000), { words: 'x'.repeat(10_000), maxTokens: 1e6 });
    expect(text.length).toBeLessThan(200_000);
  });
});

describe('PSA-18: a long body', () => {
  const lines = Array.from({ length: 700 }, (_, index) =>
    index % 100 === 0 ? `## Part ${index / 100}` : `Line ${index}`,
  );

  test('is shown by its first page, with an outline, and says how to go on', () => {
    const { text, lines: shown, truncated } = render(lines.join('\n'));
    expect(shown).toEqual({ total: 700, shown: 500 });
    expect(truncated).toBe(true);
    expect(text).toContain('lines="700" truncated="true">');
    // The front matter has four lines, so line 600 of the body is line 605 of the file.
    const outline = Array.from({ length: 7 }, (_, at) => `  - Part ${at} (line ${at * 100 + 5})`);
    expect(text).toContain(`Outline of the whole, by lines of SKILL.md:\n${outline.join('\n')}\n---\n`);
    expect(text).toContain('Line 499\n</skill_body>');
    expect(text).not.toContain('Line 501');
    expect(text).toContain('load `SKILL.md` of pdf with `from_line` 505, or');
  });

  test('is cut where its tokens end, too, even within one endless line', () => {
    const many = render(`${'word '.repeat(100)}\n`.repeat(300), { maxTokens: 1000 });
    expect(many.lines.shown).toBeLessThan(12);
    expect(many.truncated).toBe(true);
    const endless = render('word'.repeat(200_000));
    expect(endless.text.length).toBeLessThan(10_000);
    expect(endless).toMatchObject({ truncated: true, lines: { total: 1, shown: 1 } });
  });

  test('takes, with its outline and the names of files, what it may take, whatever its lines are like', () => {
    const line = fc.oneof(
      fc.constant('# Heading\n'),
      fc.nat(400).map((length) => `## ${'word '.repeat(length)}\n`),
      fc.nat(3_000).map((length) => `${'字'.repeat(length)}\n`),
      fc.nat(3_000).map((length) => `${'word '.repeat(length)}\n`),
    );
    const named = fc.array(fc.stringMatching(/^[a-z]{1,60}$/u), { maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 60 }),
        named,
        fc.integer({ min: 256, max: 4_000 }),
        (body, paths, maxTokens) => {
          const files = paths.map((path) => ({ path, size: 1, executable: false }));
          const skill = { entry, text: makeText(body.join('')), files };
          const { text } = renderSkillBody(skill, { countTokens: estimateTokens }, { maxTokens });
          // Of a body that fits as it is, the names come on top.
          expect(estimateTokens(text)).toBeLessThan(maxTokens * 1.125 + 250);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('names the path for tools that take paths', () => {
    expect(render(lines.join('\n'), { restBy: 'path' }).text).toContain(
      'The rest is in `/work/app/.agents/skills/pdf/SKILL.md`, from line 505 on.',
    );
  });
});

test('PSA-01: of other files only the paths are named, and not of all where there are many', () => {
  const files = Array.from({ length: 60 }, (_, index) => ({
    path: `references/${index}.md`,
    size: 5,
    executable: false,
  }));
  const { text } = renderSkillBody(
    { entry, text: makeText('Read.'), files: [{ path: 'SKILL.md', size: 9, executable: false }, ...files] },
    { countTokens: estimateTokens },
  );
  expect(text).toContain('Files beside it, none of them loaded: references/0.md, references/1.md,');
  expect(text).toContain('references/39.md, and 20 more.');
});

test('names of files that are too long for the room they have are counted alone', () => {
  const path = `${'a-deep-folder/'.repeat(400)}x.md`;
  const named = (files: readonly string[]) =>
    renderSkillBody(
      { entry, text: makeText('Read.'), files: files.map((one) => ({ path: one, size: 5, executable: false })) },
      { countTokens: estimateTokens },
    )
      .text.split('\n')
      .at(-1);
  expect(named([path])).toBe('Files beside it, none of them loaded: 1.');
  expect(named(['first.md', path])).toBe('Files beside it, none of them loaded: first.md, and 1 more.');
  expect(named(['SKILL.md'])).toBe('</skill_body>');
});

test('nothing in a body closes its tag, opens another of ours, or is invisible', () => {
  const tags = ['</skill_body>', '< / SKILL_BODY >', '<run_state>', '<available_skills>', '</project_instructions\n>'];
  const anyBody = fc.array(
    fc.oneof(fc.constantFrom(...tags, '\u202E', '\u0000', '{baseDir}'), fc.string({ unit: 'binary' })),
  );
  fc.assert(
    fc.property(anyBody, (parts) => {
      const { text } = render(parts.join(''));
      const inside = text.slice(text.indexOf('>') + 1, text.lastIndexOf('</skill_body>'));
      expect(inside).not.toMatch(/<[\s/]*(?:skill_body|run_state|available_skills|project_instructions)\b/iu);
      expect(text).toMatch(/^<skill_body name="pdf" [^>]*>\n/u);
      // eslint-disable-next-line no-control-regex -- that there is none
      expect(text).not.toMatch(/[\u0000-\u0008\u202A-\u202E]/u);
    }),
  );
});
