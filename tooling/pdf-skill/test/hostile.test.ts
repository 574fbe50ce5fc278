import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { runPdf, temporaryFolder } from './run-pdf.js';

/** A PDF of these objects, the first being the catalogue, with correct offsets. */
function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer<</Size ${size}/Root 1 0 R>>\n`));
  add(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

function stream(dictionary: string, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${content.length}>>stream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
}

/** A zlib stream that unpacks to so many GiB. Blocks that end with a full flush can be repeated. */
function gigabytesOfSpaces(count: number): Buffer {
  const chunk = deflateRawSync(Buffer.alloc(64 * 1024 ** 2, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
  const chunks = Array.from({ length: count * 16 }, () => chunk);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...chunks, Buffer.from([0x03, 0x00])]);
}

const catalogue = '<</Type/Catalog/Pages 2 0 R>>';
const oneKid = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
const page =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>';

async function stored(bytes: Buffer): Promise<{ file: string; folder: string }> {
  const folder = await temporaryFolder();
  const file = join(folder, 'hostile.pdf');
  await writeFile(file, bytes);
  return { file, folder };
}

async function show(content: string): Promise<string> {
  const { file } = await stored(
    pdfOf([catalogue, oneKid, page, stream('', Buffer.from(content)), font, stream('/Subtype/Form', Buffer.alloc(0))]),
  );
  return (await runPdf(['text', file])).stdout;
}

describe('a hostile document', () => {
  test('cannot steer the terminal or hide text from a reader', async () => {
    const mapped =
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 7 0 R/FirstChar 65/LastChar 69/Widths[500 500 500 500 500]>>';
    const map = stream(
      '',
      Buffer.from(
        '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ' +
          '5 beginbfchar <41> <001B> <42> <202E> <43> <DB40DC41> <44> <0007> <45> <0078> endbfchar endcmap end',
      ),
    );
    const content = stream('', Buffer.from('BT /F 12 Tf 20 100 Td (EABCDEE) Tj ET'));
    const { file } = await stored(
      pdfOf([catalogue, oneKid, page, content, mapped, stream('/Subtype/Form', Buffer.alloc(0)), map]),
    );
    const { stdout } = await runPdf(['text', file]);
    expect(stdout).toBe('--- page 1 of 1 ---\nxxx\n');
    const json = await runPdf(['text', file, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ pages: [{ text: 'xxx' }] });
  });

  test('may draw itself within itself without end', async () => {
    const form = stream(
      '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>',
      Buffer.from('/X Do'),
    );
    const { file } = await stored(
      pdfOf([catalogue, oneKid, page, stream('', Buffer.from('/X Do BT /F 9 Tf (after) Tj ET')), font, form]),
    );
    const { code, stdout } = await runPdf(['text', file, '--timeout', '20']);
    expect(code).toBe(0);
    expect(stdout).toContain('after');
  });

  test('may lie about its pages or lead them in a circle', async () => {
    const circle = pdfOf([catalogue, '<</Type/Pages/Kids[2 0 R]/Count 9>>']);
    const lie = pdfOf([
      catalogue,
      '<</Type/Pages/Kids[3 0 R]/Count 999999999>>',
      page,
      stream('', Buffer.alloc(0)),
      font,
    ]);
    for (const bytes of [circle, lie]) {
      const { file, folder } = await stored(bytes);
      const outcomes = await Promise.all([
        runPdf(['text', file, '--timeout', '20']),
        runPdf(['split', file, '--out', join(folder, 'out'), '--timeout', '20']),
      ]);
      for (const { code, stderr } of outcomes) {
        expect([0, 1]).toContain(code);
        expect(stderr).toMatch(/^(?:note: .*|error (?:DAMAGED|TOO_MANY_PAGES|PAGE_OUT_OF_RANGE): .*\nhint: .*)?\n?$/u);
      }
    }
  });

  test('is given up when it takes too long, and nothing is written', async () => {
    const slow = deflateSync(Buffer.from('BT /F 9 Tf (x) Tj ET '.repeat(4_000_000)));
    const { file } = await stored(
      pdfOf([
        catalogue,
        oneKid,
        page,
        stream('/Filter/FlateDecode', slow),
        font,
        stream('/Subtype/Form', Buffer.alloc(0)),
      ]),
    );
    const started = performance.now();
    const { code, stderr } = await runPdf(['text', file, '--timeout', '1']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error (?:TIMEOUT|OUT_OF_MEMORY): /u);
    expect(performance.now() - started).toBeLessThan(8000);
  });

  test('cannot take all memory by unpacking to gigabytes', async () => {
    const { file } = await stored(
      pdfOf([
        catalogue,
        oneKid,
        page,
        stream('/Filter/FlateDecode', gigabytesOfSpaces(4)),
        font,
        stream('/Subtype/Form', Buffer.alloc(0)),
      ]),
    );
    const { code, stderr } = await runPdf(['text', file, '--timeout', '20']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error (?:TIMEOUT|OUT_OF_MEMORY): /u);
  });

  test('leaves ordinary text as it is', async () => {
    expect(await show('BT /F 12 Tf 20 100 Td (plain) Tj ET')).toBe('--- page 1 of 1 ---\nplain\n');
  });
});
