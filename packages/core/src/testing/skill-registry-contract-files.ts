const forms = `---
title: Front matter is no heading
---

# Filling

Open the form.

## Forms

Which fields there are.

\`\`\`python
# not a heading
## nor this
\`\`\`

### Buttons

Press them.

## Checks ##

<!--
## in a comment
-->

Underlined
----------

The end of Underlined.

# Printing

## Forms

Forms on paper.
`;

const pdf = `---
name: pdf
description: Extracts text and tables from PDF files, and fills forms. Use when somebody has a PDF.
license: Apache-2.0
allowed-tools: Read, Bash(python3:*)
metadata:
  topic: documents
---

# PDF

See [the forms](references/forms.md).

## Steps

1. Read the file.
2. Answer.
`;

const table = `---
name: table
description: Profiles the columns of a table. Use for CSV files.
---

# Tables

Count the rows first.
`;

const cafe = `---
name: caf\u00E9
description: Says where coffee is served.
---

# Coffee

Ask.
`;

function longText(): string {
  return Array.from(
    { length: 900 },
    (_, index) => `Line ${index + 1} of a text that is too long for one answer.\n`,
  ).join('');
}

/** One line, 18 KB, without a place to cut it. */
function oneLine(): string {
  return 'word '.repeat(3_600);
}

function largeTable(): string {
  return 'a,b,c\n'.repeat(Math.ceil((2 * 1024 * 1024 + 1) / 6));
}

const image = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x01, 0xff, 0xfe]);

/**
 * What a registry under {@link skillRegistryContract} offers, by path: the first folder of each is its skill. `café` is
 * left out where names are ASCII.
 */
export const contractSkillFiles: Readonly<Record<string, string | Uint8Array>> = {
  'pdf/SKILL.md': pdf,
  'pdf/assets/logo.png': image,
  'pdf/references/forms.md': forms,
  'pdf/references/long.txt': longText(),
  'pdf/references/one-line.txt': oneLine(),
  // A byte order mark, three kinds of line ends, characters of one to four bytes, and one that turns the text around.
  'pdf/references/wide.txt': '\uFEFFna\u00EFve \u65E5\u672C\u8A9E \u{1F600}\r\nturned \u202Earound\rthe end\n',
  'pdf/scripts/fill.py': '#!/usr/bin/env python3\nprint("filled")\n',
  'table/SKILL.md': table,
  'table/data/large.csv': largeTable(),
  'caf\u00E9/SKILL.md': cafe,
};

/** The digest of `pdf/SKILL.md` as it stands in {@link contractSkillFiles}. */
export const contractSkillDigest = 'sha256:a17ea0df040cbcaeab0bc241560fc5479df7c3acbcc96f07e1b0268a1bc242b0';
