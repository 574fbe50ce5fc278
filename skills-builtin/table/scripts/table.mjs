#!/usr/bin/env node
// table.mjs: profiles CSV and TSV files and draws charts of their columns as SVG. Needs only Node 18 or newer.
// Copyright the skillpack authors, Apache-2.0. Run it with --help.

import { createReadStream, existsSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const VERSION = '1.0.0';

const HELP = `Usage: node table.mjs COMMAND FILE …            (FILE may be - for standard input)

Commands
  profile FILE [--columns A,B]             types, missing values, statistics and distribution of every column
  chart FILE --column NAME [--kind K]      an SVG chart; K is histogram, bar or line (default: what suits the column)
  head FILE [--rows N]                     the first N rows as they were understood (default 10)

Options of all commands
      --json                 one JSON document on stdout (not for chart)
      --delimiter D          comma, semicolon, tab, pipe, or one character (default: found out)
      --encoding E           utf-8, utf-16le, utf-16be, windows-1252, gb18030, shift_jis, … (default: found out)
      --header auto|yes|no   whether the first row has names (default auto)
      --missing A,B          words that mean “no value”, beside empty (default NA, N/A, NaN, null, none, nil, ?, -, --, #N/A)
  -h, --help, --version

Options of chart
      --column NAME          the column to draw, by name or number from 1
      --x NAME               line only: the column along the horizontal axis (default: the row number)
      --title TEXT           a heading (default: the name of the column)
      --out FILE.svg         write there instead of stdout; an existing file is replaced only with --force

Exit codes: 0 done, 1 not possible (stderr says “error CODE: what” and “hint: next step”), 2 wrong usage
`;

/**
 * @typedef {'empty' | 'integer' | 'number' | 'boolean' | 'date' | 'text'} ColumnType
 * @typedef {{ delimiter: string, encoding: string, encodingFrom: string, skip: number, header: boolean }} Dialect
 * @typedef {Pick<import('node:util').TextDecoder, 'decode'>} Decoder
 * @typedef {{ cells: string[], line: number }} Row  `line` is where the row begins, from 1
 */

const LIMITS = {
  columns: 2000,
  missingWord: 40,
  fieldCharacters: 1_048_576,
  rowCharacters: 16_777_216,
  sampleBytes: 1_048_576,
  /** Numbers kept of a column: all of them up to here, a random sample beyond. */
  keptNumbers: 100_000,
  /** Numbers that may be kept over all columns. */
  keptNumbersTotal: 4_000_000,
  distinctValues: 10_000,
  distinctValuesTotal: 200_000,
  hashedRows: 250_000,
  correlatedColumns: 15,
  points: 2000,
};

class Failure extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {string} hint
   */
  constructor(code, message, hint) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** @param {string} message */
const usage = (message) => new Failure('USAGE', message, 'Run with --help to see every command and option.');

// ---------------------------------------------------------------------------------------------------------------------
// Reading: bytes → text → rows
// ---------------------------------------------------------------------------------------------------------------------

/**
 * The bytes of a file or of standard input, in large pieces.
 * @param {string} path
 * @returns {AsyncIterable<Buffer>}
 */
function bytesOf(path) {
  if (path === '-') return process.stdin;
  return createReadStream(path, { highWaterMark: LIMITS.sampleBytes });
}

/** @param {string} path */
function requireFile(path) {
  if (path === '-') return;
  let stats;
  try {
    stats = statSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw unreadable(path, error);
    throw new Failure('FILE_NOT_FOUND', `There is no file ${path}.`, 'Check the path; quote it if it has spaces.');
  }
  if (stats.isDirectory()) throw new Failure('FILE_UNREADABLE', `${path} is a folder.`, 'Name the file itself.');
}

/**
 * @param {string} path
 * @param {unknown} error
 */
function unreadable(path, error) {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure('FILE_UNREADABLE', `${path} cannot be read: ${reason}`, 'Check the rights of the file.');
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * What a byte order mark says about the encoding.
 * @param {Buffer} bytes
 * @returns {{ encoding: string, encodingFrom: string, skip: number } | undefined}
 */
function markedEncoding(bytes) {
  const encodingFrom = 'byte order mark';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', encodingFrom, skip: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', encodingFrom, skip: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', encodingFrom, skip: 2 };
  return undefined;
}

/**
 * What the first bytes say about the encoding. UTF-16 shows itself by a zero in every other byte.
 * @param {Buffer} bytes
 * @param {boolean} whole whether these are all the bytes there are
 * @returns {{ encoding: string, encodingFrom: string, skip: number }}
 */
function sniffEncoding(bytes, whole) {
  const probe = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  for (let at = 0; at < probe.length; at += 1) if (probe[at] === 0) zeros[at % 2] += 1;
  if (zeros[1] > probe.length / 5 && zeros[0] < probe.length / 50)
    return { encoding: 'utf-16le', encodingFrom: 'its bytes', skip: 0 };
  if (zeros[0] > probe.length / 5 && zeros[1] < probe.length / 50)
    return { encoding: 'utf-16be', encodingFrom: 'its bytes', skip: 0 };
  if (zeros[0] + zeros[1] > 0) {
    throw new Failure(
      'NOT_A_TABLE',
      'The file has zero bytes in it, so it is no text.',
      'A spreadsheet (.xlsx, .ods) or database has to be exported as CSV first.',
    );
  }
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    throw new Failure('NOT_A_TABLE', 'The file is a zip archive, perhaps a spreadsheet.', 'Export it as CSV first.');
  }
  return { encoding: isUtf8(bytes, whole) ? 'utf-8' : 'windows-1252', encodingFrom: 'its bytes', skip: 0 };
}

/**
 * @param {Buffer} bytes
 * @param {boolean} whole
 */
function isUtf8(bytes, whole) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a file that begins as UTF-8 stays so: one stray byte far down would otherwise spoil cells in silence.
 * @param {string} path
 */
async function staysUtf8(path) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytesOf(path)) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw unreadable(path, error);
  }
}

const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/**
 * A decoder for a name of the Encoding standard. Some versions of Node decode windows-1252 as if it were ISO 8859-1,
 * which leaves control characters in place of € and the curly quotation marks.
 * @param {string} encoding
 * @returns {Decoder}
 */
function decoderFor(encoding) {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  if (decoder.encoding !== 'windows-1252') return decoder;
  return {
    decode: (bytes, options) =>
      decoder
        .decode(bytes, options)
        .replace(/[\u0080-\u009F]/gu, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]),
  };
}

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };

/** @param {string} delimiter */
function delimiterName(delimiter) {
  return Object.entries(DELIMITERS).find(([, character]) => character === delimiter)?.[0] ?? delimiter;
}

/**
 * The delimiter that cuts the sample most evenly into more than one column; a comma if none does.
 * @param {string} sample
 * @param {boolean} whole whether the sample is all there is; else its last row may be cut off
 */
function sniffDelimiter(sample, whole) {
  const scores = Object.values(DELIMITERS).map((delimiter) => ({
    delimiter,
    score: evenness(sample, whole, delimiter),
  }));
  return scores.reduce((best, next) => (next.score > best.score + 1e-9 ? next : best), { delimiter: ',', score: 0 })
    .delimiter;
}

/**
 * How evenly a delimiter cuts the sample: 0 if it does not, about 1 if every row has the same number of columns.
 * @param {string} sample
 * @param {boolean} whole
 * @param {string} delimiter
 */
function evenness(sample, whole, delimiter) {
  /** @type {Map<number, number>} */
  const widths = new Map();
  const reader = new RowReader(delimiter);
  let rows = 0;
  try {
    for (const { cells } of reader.read(sample, whole)) {
      rows += 1;
      widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
      if (rows >= 500) break;
    }
  } catch (error) {
    // By another delimiter quotes may stand elsewhere. If the file is at fault, reading it says so.
    if (error instanceof Failure) return 0;
    throw error;
  }
  const [width, count] = [...widths].sort((a, b) => b[1] - a[1])[0] ?? [1, 0];
  return width < 2 ? 0 : (count / rows) * (1 + Math.min(width, 50) / 1000) - reader.quoteProblems / rows;
}

/**
 * Cuts text into rows by RFC 4180, and tolerates what is often seen: any line end, quotes inside a field that does not
 * begin with one, text behind a closing quote. Text arrives in pieces; a row that is not complete waits for the next.
 */
class RowReader {
  /** @param {string} delimiter */
  constructor(delimiter) {
    this.delimiter = delimiter.charCodeAt(0);
    this.rest = '';
    this.line = 1;
    this.quoteProblems = 0;
    /** @type {{ lf: number, crlf: number, cr: number }} */
    this.lineEnds = { lf: 0, crlf: 0, cr: 0 };
  }

  /**
   * @param {string} text
   * @param {boolean} final whether this is the last piece
   * @returns {Generator<Row>}
   */
  *read(text, final) {
    const buffer = this.rest + text;
    let at = 0;
    while (at < buffer.length) {
      const row = this.#row(buffer, at, final);
      if (row === undefined) break;
      if (!(row.cells.length === 1 && row.cells[0] === '' && !row.quoted)) yield { cells: row.cells, line: this.line };
      this.line += row.lines;
      this.quoteProblems += row.problems;
      if (row.end !== undefined) this.lineEnds[row.end] += 1;
      at = row.next;
    }
    this.rest = buffer.slice(at);
    if (this.rest.length > LIMITS.rowCharacters) {
      throw new Failure(
        'ROW_TOO_LONG',
        `The row that begins on line ${this.line} has more than ${LIMITS.rowCharacters} characters.`,
        'A quotation mark may be missing on that line, or the file is no table.',
      );
    }
  }

  /**
   * @param {string} buffer
   * @param {number} start
   * @param {boolean} final
   */
  #row(buffer, start, final) {
    /** @type {string[]} */
    const cells = [];
    const { length } = buffer;
    let at = start;
    let lines = 1;
    let problems = 0;
    let quoted = false;
    for (;;) {
      let cell = '';
      if (buffer.charCodeAt(at) === 34) {
        quoted = true;
        let from = at + 1;
        for (;;) {
          const close = buffer.indexOf('"', from);
          if (close === -1) {
            this.#requireClosed(buffer, at, final);
            return undefined;
          }
          // The quote may be the first half of a pair whose other half has not arrived.
          if (close + 1 === length && !final) return undefined;
          cell += buffer.slice(from, close);
          from = close + 1;
          if (buffer.charCodeAt(from) !== 34) break;
          cell += '"';
          from += 1;
        }
        lines += newlinesIn(cell);
        at = from;
      }
      let end = at;
      for (; end < length; end += 1) {
        const code = buffer.charCodeAt(end);
        if (code === this.delimiter || code === 10 || code === 13) break;
      }
      if (end === length && !final) return undefined;
      if (end > at) {
        if (quoted && cell !== '') problems += buffer.slice(at, end).trim() === '' ? 0 : 1;
        cell += buffer.slice(at, end);
      }
      if (cell.length > LIMITS.fieldCharacters) throw fieldTooLong(this.line);
      cells.push(cell);
      if (cells.length > LIMITS.columns) {
        throw new Failure(
          'TOO_MANY_COLUMNS',
          `Line ${this.line} has more than ${LIMITS.columns} fields.`,
          'Check the delimiter with --delimiter.',
        );
      }
      const code = end < length ? buffer.charCodeAt(end) : undefined;
      if (code === undefined) return { cells, next: end, lines, problems, quoted, end: undefined };
      at = end + 1;
      if (code === this.delimiter) {
        if (at === length && !final) return undefined;
        continue;
      }
      if (code === 10) return { cells, next: at, lines, problems, quoted, end: /** @type {const} */ ('lf') };
      if (at === length && !final) return undefined;
      const pair = buffer.charCodeAt(at) === 10;
      return {
        cells,
        next: pair ? at + 1 : at,
        lines,
        problems,
        quoted,
        end: /** @type {'crlf' | 'cr'} */ (pair ? 'crlf' : 'cr'),
      };
    }
  }

  /**
   * @param {string} buffer
   * @param {number} at
   * @param {boolean} final
   */
  #requireClosed(buffer, at, final) {
    if (buffer.length - at > LIMITS.fieldCharacters) throw fieldTooLong(this.line);
    if (!final) return;
    throw new Failure(
      'UNCLOSED_QUOTE',
      `A quotation mark that opens in the row of line ${this.line} is never closed.`,
      'The file is cut off, or a lone " has to be written as "" inside quotes.',
    );
  }
}

/** @param {number} line */
function fieldTooLong(line) {
  return new Failure(
    'FIELD_TOO_LONG',
    `A field in the row of line ${line} has more than ${LIMITS.fieldCharacters} characters.`,
    'A closing quotation mark is probably missing there.',
  );
}

/** @param {string} text */
function newlinesIn(text) {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A table that is read row by row, with what was found out about its form. */
class TableReader {
  /**
   * @param {string} path
   * @param {ReadOptions} options
   */
  constructor(path, options) {
    this.path = path;
    this.options = options;
    this.replaced = 0;
    /** @type {Dialect} */
    this.dialect = { delimiter: ',', encoding: 'utf-8', encodingFrom: 'its bytes', skip: 0, header: false };
    this.reader = new RowReader(this.dialect.delimiter);
    /** @type {string[]} */
    this.names = [];
  }

  /** @returns {AsyncGenerator<Row>} the rows of data, without the header */
  async *rows() {
    requireFile(this.path);
    try {
      yield* this.#rows();
    } catch (error) {
      throw error instanceof Failure ? error : codeOf(error) === '' ? error : unreadable(this.path, error);
    }
  }

  async *#rows() {
    let first = true;
    let decoder = decoderFor(this.dialect.encoding);
    for await (const { bytes, final } of gathered(bytesOf(this.path))) {
      if (first) {
        await this.#begin(bytes, final);
        decoder = decoderFor(this.dialect.encoding);
      }
      let text = decoder.decode(first ? bytes.subarray(this.dialect.skip) : bytes, { stream: !final });
      this.replaced += text.includes('\uFFFD') ? text.split('\uFFFD').length - 1 : 0;
      // Excel writes and obeys a first line such as “sep=;”.
      if (first) text = text.replace(/^sep=(.)\r?\n/u, '');
      let rows = this.reader.read(text, final);
      if (first) rows = this.#withoutHeader(rows);
      first = false;
      yield* rows;
    }
  }

  /**
   * Decides on encoding, delimiter and header by the first bytes.
   * @param {Buffer} bytes
   * @param {boolean} whole
   */
  async #begin(bytes, whole) {
    const { encoding: wanted, delimiter: asked } = this.options;
    let { encoding, encodingFrom, skip } =
      markedEncoding(bytes) ??
      (wanted === undefined ? sniffEncoding(bytes, whole) : { encoding: wanted, encodingFrom: '', skip: 0 });
    if (wanted !== undefined) [encoding, encodingFrom] = [wanted, '--encoding'];
    else if (encoding === 'utf-8' && this.path !== '-' && !whole && !(await staysUtf8(this.path)))
      encoding = 'windows-1252';
    const text = decoderFor(encoding).decode(bytes.subarray(skip), { stream: !whole });
    const [prefix = '', separator] = /^sep=(.)\r?\n/u.exec(text) ?? [];
    const delimiter = asked ?? separator ?? sniffDelimiter(text.slice(prefix.length), whole);
    this.reader = new RowReader(delimiter);
    if (prefix !== '') this.reader.line = 2;
    this.dialect = { delimiter, encoding, encodingFrom, skip, header: this.options.header !== 'no' };
  }

  /**
   * @param {Generator<Row>} rows
   * @returns {Generator<Row>}
   */
  *#withoutHeader(rows) {
    /** @type {Row[]} */
    const seen = [];
    for (let next = rows.next(); !next.done; next = rows.next()) {
      seen.push(next.value);
      if (seen.length > 20) break;
    }
    const [first, ...others] = seen;
    if (first === undefined) return;
    if (this.options.header === 'auto')
      this.dialect.header = looksLikeHeader(first.cells, others, this.options.missing);
    this.names = uniqueNames(this.dialect.header ? first.cells : first.cells.map(() => ''));
    if (!this.dialect.header) yield first;
    yield* others;
    yield* rows;
  }
}

/**
 * The same bytes with a first piece large enough to judge the file by, and the last one marked.
 * @param {AsyncIterable<Buffer>} pieces
 * @returns {AsyncGenerator<{ bytes: Buffer, final: boolean }>}
 */
async function* gathered(pieces) {
  /** @type {Buffer[]} */
  let waiting = [];
  let size = 0;
  let previous;
  for await (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < LIMITS.sampleBytes) continue;
    if (previous !== undefined) yield { bytes: previous, final: false };
    previous = Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (previous !== undefined && size > 0) yield { bytes: previous, final: false };
  yield { bytes: size > 0 || previous === undefined ? Buffer.concat(waiting) : previous, final: true };
}

/**
 * A header has words, no two alike, and no quantities but years; or words above columns of numbers.
 * @param {string[]} cells
 * @param {Row[]} others the rows that follow
 * @param {ReadonlySet<string>} missing
 */
function looksLikeHeader(cells, others, missing) {
  const words = cells.map((cell) => cell.trim());
  const filled = words.filter((word) => word !== '');
  if (filled.length === 0 || new Set(filled).size < filled.length) return false;
  const kinds = words.map((word) => kindOf(word, missing));
  const above = kinds.some((kind, index) => {
    const below = others
      .map(({ cells: row }) => kindOf((row[index] ?? '').trim(), missing))
      .filter((found) => found !== 'none');
    return kind === 'word' && below.length > 0 && below.every((found) => found === 'quantity');
  });
  const years = words.every((word, index) => kinds[index] !== 'quantity' || /^(?:19|20)\d\d$/u.test(word));
  if (kinds.includes('quantity')) return kinds[0] !== 'quantity' && (above || years);
  return above || kinds.every((kind, index) => kind === 'word' || words[index] === '');
}

/**
 * @param {string} word
 * @param {ReadonlySet<string>} missing
 */
function kindOf(word, missing) {
  if (word === '' || missing.has(word.toLowerCase())) return 'none';
  const { type } = classify(word);
  return type === 'text' || type === 'boolean' ? 'word' : 'quantity';
}

/** @param {string[]} cells */
function uniqueNames(cells) {
  /** @type {Set<string>} */
  const taken = new Set();
  return cells.map((cell, index) => {
    const plain = ownCopy(cell.trim().slice(0, 200)) || `column ${index + 1}`;
    let name = plain;
    for (let copy = 2; taken.has(name); copy += 1) name = `${plain} (${copy})`;
    taken.add(name);
    return name;
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Understanding: what a cell is
// ---------------------------------------------------------------------------------------------------------------------

/**
 * @typedef {{ type: 'integer' | 'number', value: number, unit: string, point: number | undefined, comma: number | undefined }} NumberCell
 *   `point` and `comma` are the values with either as decimal mark, undefined where that reading is impossible
 * @typedef {{ type: 'date', dayFirst: string | undefined, monthFirst: string | undefined }} DateCell
 *   ISO 8601 under both readings of 03/04/2024; undefined where a reading is impossible
 * @typedef {{ type: 'boolean' | 'text' | 'code' }} OtherCell  a code is digits that are no quantity: 007, 4006381333931000
 */

const BOOLEANS = new Set(['true', 'false', 'yes', 'no', 'y', 'n', 't', 'f']);
const AFFIXED = /^([-+]?)([$€£¥₹]?)\s?([-+]?)([\d.,\u00A0\u202F' ]*\d[\d.,]*(?:[eE][-+]?\d{1,3})?)\s?([%€$£¥₹]?)$/u;

/**
 * @param {string} text trimmed and not empty
 * @returns {NumberCell | DateCell | OtherCell}
 */
function classify(text) {
  const first = text.charCodeAt(0);
  // Nearly all cells of text are decided by their first character.
  if (first > 57 && !/^[€£¥₹A-Za-z]/u.test(text)) return { type: 'text' };
  if (text.length > 40) return { type: 'text' };
  if (BOOLEANS.has(text.toLowerCase())) return { type: 'boolean' };
  return classifyNumber(text) ?? classifyDate(text) ?? { type: 'text' };
}

/**
 * @param {string} text
 * @returns {NumberCell | OtherCell | undefined}
 */
function classifyNumber(text) {
  const [, sign1, before, sign2, body, after] = AFFIXED.exec(text) ?? [];
  if (body === undefined || (sign1 !== '' && sign2 !== '') || (before !== '' && after !== '')) return undefined;
  const sign = sign1 === '-' || sign2 === '-' ? -1 : 1;
  const unit = before || after || '';
  if (/^0\d+$/u.test(body) && unit === '') return { type: 'code' };
  const point = readNumber(body, '.');
  const comma = readNumber(body, ',');
  if (point === undefined && comma === undefined) return undefined;
  if (/^\d{16,}$/u.test(body)) return { type: 'code' };
  const value = sign * (point ?? comma ?? 0);
  // Squares of larger numbers would be infinite.
  if (Math.abs(value) > 1e150) return { type: 'text' };
  const type = Number.isInteger(value) && !/[.eE]/u.test(body) && point !== undefined ? 'integer' : 'number';
  return { type, value, unit, point: point && sign * point, comma: comma && sign * comma };
}

/**
 * @param {string} body
 * @param {'.' | ','} decimal
 */
function readNumber(body, decimal) {
  const grouped =
    decimal === '.'
      ? /^(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ '\u00A0\u202F]\d{3})+)?(?:\.\d+|\.)?(?:[eE][-+]?\d+)?$/u
      : /^(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:[ '\u00A0\u202F]\d{3})+)?(?:,\d+)?(?:[eE][-+]?\d+)?$/u;
  if (!grouped.test(body)) return undefined;
  const plain =
    decimal === '.'
      ? body.replace(/[, '\u00A0\u202F]/gu, '')
      : body.replace(/[. '\u00A0\u202F]/gu, '').replace(',', '.');
  const value = Number(plain);
  return plain === '' || !Number.isFinite(value) ? undefined : value;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME =
  '(?:[T ,]+(\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?)(?:\\s?(?:Z|UTC|[-+]\\d{2}:?\\d{2}))?|[ ,]+\\d{1,2}:\\d{2}(?::\\d{2})?\\s?[AaPp][Mm])?';
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME}$`, 'u');
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${TIME}$`, 'u');
const DAY_NAME = new RegExp(`^(\\d{1,2})[- .]+([A-Za-z]{3,9})[- .,]+(\\d{4})${TIME}$`, 'u');
const NAME_DAY = new RegExp(`^([A-Za-z]{3,9})\\.? (\\d{1,2}),? (\\d{4})${TIME}$`, 'u');

/**
 * @param {string} text
 * @returns {DateCell | undefined}
 */
function classifyDate(text) {
  let match = YEAR_FIRST.exec(text);
  if (match !== null) return sureDate(match[1], Number(match[3]), match[4], match[5]);
  match = YEAR_LAST.exec(text);
  if (match !== null) {
    const [, a, separator, b, year, time] = match;
    const dayFirst = isoDate(year, Number(b), a, time);
    const monthFirst = separator === '.' ? undefined : isoDate(year, Number(a), b, time);
    return dayFirst === undefined && monthFirst === undefined ? undefined : { type: 'date', dayFirst, monthFirst };
  }
  match = DAY_NAME.exec(text);
  if (match !== null) return sureDate(match[3], monthNumber(match[2]), match[1], match[4]);
  match = NAME_DAY.exec(text);
  if (match !== null) return sureDate(match[3], monthNumber(match[1]), match[2], match[4]);
  return undefined;
}

/** @param {string} name */
function monthNumber(name) {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

/**
 * @param {string} year
 * @param {number} month
 * @param {string} day
 * @param {string | undefined} time
 * @returns {DateCell | undefined}
 */
function sureDate(year, month, day, time) {
  const date = isoDate(year, month, day, time);
  return date === undefined ? undefined : { type: 'date', dayFirst: date, monthFirst: date };
}

/**
 * @param {number} year
 * @param {number} month
 */
function daysIn(year, month) {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * @param {string} year
 * @param {number} month
 * @param {string} day
 * @param {string | undefined} time
 */
function isoDate(year, month, day, time) {
  if (month < 1 || month > 12 || Number(day) < 1 || Number(day) > daysIn(Number(year), month)) return undefined;
  const clock =
    time === undefined ? '' : `T${time.length === 4 || time[1] === ':' ? '0' : ''}${time.replace(',', '.')}`;
  return `${year}-${String(month).padStart(2, '0')}-${String(Number(day)).padStart(2, '0')}${clock}`;
}

// ---------------------------------------------------------------------------------------------------------------------
// Counting: what a column is
// ---------------------------------------------------------------------------------------------------------------------

/** Numbers between 0 and 1 that look random and are the same on every run (mulberry32). */
class Chance {
  /** @param {number} seed */
  constructor(seed) {
    this.state = seed >>> 0;
  }

  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

/** Exact count, mean, spread and extremes of numbers, and as many of the numbers themselves as there is room for. */
class Numbers {
  /** @param {number} room */
  constructor(room) {
    this.room = room;
    this.count = 0;
    this.mean = 0;
    this.squares = 0;
    this.min = Number.POSITIVE_INFINITY;
    this.max = Number.NEGATIVE_INFINITY;
    this.sum = 0;
    this.zeros = 0;
    this.negative = 0;
    /** @type {number[]} */
    this.kept = [];
    this.chance = new Chance(42);
  }

  /** @param {number} value */
  add(value) {
    this.count += 1;
    const delta = value - this.mean;
    this.mean += delta / this.count;
    this.squares += delta * (value - this.mean);
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    if (value === 0) this.zeros += 1;
    else if (value < 0) this.negative += 1;
    if (this.kept.length < this.room) this.kept.push(value);
    else {
      // Reservoir sampling: every number has the same chance to be among those kept.
      const place = Math.floor(this.chance.next() * this.count);
      if (place < this.room) this.kept[place] = value;
    }
  }

  get exact() {
    return this.kept.length === this.count;
  }

  /** The sample standard deviation (n − 1). */
  get deviation() {
    return this.count < 2 ? null : Math.sqrt(this.squares / (this.count - 1));
  }

  summary() {
    const sorted = this.kept.slice().sort((a, b) => a - b);
    const [q1, median, q3] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
    const low = q1 - 1.5 * (q3 - q1);
    const high = q3 + 1.5 * (q3 - q1);
    const outside = sorted.filter((value) => value < low || value > high).length;
    return {
      count: this.count,
      min: this.min,
      q1,
      median,
      q3,
      max: this.max,
      mean: this.mean,
      std: this.deviation,
      sum: this.sum,
      zeros: this.zeros,
      negative: this.negative,
      exactQuantiles: this.exact,
      outliers: {
        low,
        high,
        count: this.exact ? outside : Math.round((outside / sorted.length) * this.count),
        smallest: sorted.slice(0, 5).filter((value) => value < low),
        largest: sorted
          .slice(-5)
          .filter((value) => value > high)
          .reverse(),
      },
      histogram: histogram(sorted, this.count),
    };
  }
}

/**
 * The quantile between two neighbours, in proportion (as NumPy does it, and Python's “inclusive”).
 * @param {number[]} sorted
 * @param {number} share
 */
function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

/**
 * Bins with round edges; the last one includes its upper edge.
 * @param {number[]} sorted
 * @param {number} total of which `sorted` may be a sample
 * @returns {{ from: number, to: number, count: number }[]}
 */
function histogram(sorted, total) {
  const min = sorted[0];
  const max = sorted[sorted.length - 1];
  if (min === max) return [{ from: min, to: max, count: total }];
  const wanted = Math.min(Math.max(Math.ceil(Math.log2(sorted.length)) + 1, 5), 20);
  const step = niceStep((max - min) / wanted);
  const start = Math.floor(min / step);
  const bins = Array.from({ length: Math.min(Math.max(Math.ceil(max / step) - start, 1), 50) }, (_, index) => ({
    from: cleanFloat((start + index) * step),
    to: cleanFloat((start + index + 1) * step),
    count: 0,
  }));
  for (const value of sorted) {
    const place = Math.min(Math.max(Math.floor(value / step) - start, 0), bins.length - 1);
    bins[place].count += 1;
  }
  if (total !== sorted.length) for (const bin of bins) bin.count = Math.round((bin.count / sorted.length) * total);
  return bins;
}

/** @param {number} rough */
function niceStep(rough) {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10;
  return Math.max(step * magnitude, Number.MIN_VALUE);
}

/** @param {number} value */
function cleanFloat(value) {
  return Number(value.toPrecision(12));
}

/** Which values there are and how often: exact while they are few, else the frequent ones and an estimate of the rest. */
class Values {
  /** @param {number} room */
  constructor(room) {
    this.room = room;
    /** @type {Map<string, number>} */
    this.counts = new Map();
    this.exact = true;
    /** Whether no value was frequent among so many that it would be pointless to go on counting. */
    this.scattered = false;
    /** Hashes whose last `level` bits are zero: a sample of the distinct values (adaptive sampling). */
    this.hashes = new Set();
    this.level = 0;
  }

  /** @param {string} value */
  add(value) {
    if (this.scattered) {
      this.#sample(value);
      return;
    }
    const key = value.length > 200 ? `${value.slice(0, 200)}… (${hash(value).toString(36)})` : value;
    const count = this.counts.get(key);
    if (count !== undefined) {
      this.counts.set(key, count + 1);
      if (this.exact) return;
    } else {
      this.counts.set(ownCopy(key), 1);
      if (this.counts.size > this.room) this.#prune();
    }
    if (!this.exact) this.#sample(key);
  }

  /** Takes the same from every count until half the room is free; frequent values stay (Misra and Gries). */
  #prune() {
    if (this.exact) {
      this.exact = false;
      for (const key of this.counts.keys()) this.#sample(key);
    }
    const sorted = [...this.counts.values()].sort((a, b) => b - a);
    const taken = sorted[Math.floor(this.room / 2)] ?? 1;
    for (const [key, count] of this.counts) {
      if (count <= taken) this.counts.delete(key);
      else this.counts.set(key, count - taken);
    }
    this.scattered = this.counts.size === 0;
  }

  /** @param {string} key */
  #sample(key) {
    const hashed = hash(key);
    if (hashed % 2 ** this.level !== 0) return;
    this.hashes.add(hashed);
    while (this.hashes.size > 4096) {
      this.level += 1;
      for (const kept of this.hashes) if (kept % 2 ** this.level !== 0) this.hashes.delete(kept);
    }
  }

  get distinct() {
    return this.exact ? this.counts.size : this.hashes.size * 2 ** this.level;
  }

  /** @param {number} limit */
  top(limit) {
    return [...this.counts]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, limit)
      .map(([value, count]) => ({ value, count }));
  }
}

/**
 * A string that does not keep alive the megabyte of text it was cut out of.
 * @param {string} text
 */
function ownCopy(text) {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/**
 * 53 bits of a string, well mixed (cyrb53, public domain).
 * @param {string} text
 */
function hash(text) {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}

/** Everything that is counted of one column while rows go by. */
class Column {
  /**
   * @param {string} name
   * @param {{ numbers: number, values: number }} room
   */
  constructor(name, room) {
    this.name = name;
    this.present = 0;
    /** @type {Map<string, number>} */
    this.missing = new Map();
    this.types = { integer: 0, number: 0, boolean: 0, date: 0, code: 0, text: 0 };
    /** @type {Record<string, string[]>} */
    this.examples = {};
    this.point = new Numbers(room.numbers);
    /** The same column with the comma as decimal mark. */
    this.comma = new Numbers(room.numbers);
    /** How many numbers can be read with the point, and how many with the comma as decimal mark only. */
    this.only = { point: 0, comma: 0 };
    /** @type {Map<string, number>} */
    this.units = new Map();
    this.dates = { dayFirst: new Extremes(), monthFirst: new Extremes(), differing: 0 };
    this.lengths = new Numbers(1);
    this.values = new Values(room.values);
  }

  /**
   * @param {string} cell
   * @param {ReadonlySet<string>} missing
   * @returns {NumberCell | DateCell | OtherCell | undefined}
   */
  add(cell, missing) {
    const text = cell.trim();
    if (text === '' || (text.length <= LIMITS.missingWord && missing.has(text.toLowerCase()))) {
      this.missing.set(text, (this.missing.get(text) ?? 0) + 1);
      return undefined;
    }
    this.present += 1;
    this.values.add(text);
    this.lengths.add(text.length);
    const found = classify(text);
    this.types[found.type] += 1;
    const seen = (this.examples[found.type] ??= []);
    if (seen.length < 3 && !seen.includes(text)) seen.push(ownCopy(text.slice(0, 200)));
    if ('value' in found) this.#addNumber(found);
    if (found.type === 'date') {
      this.dates.dayFirst.add(found.dayFirst);
      this.dates.monthFirst.add(found.monthFirst);
      if (found.dayFirst !== found.monthFirst) this.dates.differing += 1;
    }
    return found;
  }

  /** @param {NumberCell} found */
  #addNumber(found) {
    this.point.add(found.point ?? found.value);
    this.comma.add(found.comma ?? found.value);
    if (found.comma === undefined) this.only.point += 1;
    if (found.point === undefined) this.only.comma += 1;
    if (found.unit !== '') this.units.set(found.unit, (this.units.get(found.unit) ?? 0) + 1);
  }

  /** Whether the comma is the decimal mark here: more numbers can be read in no other way than with the point only. */
  get decimalComma() {
    return this.only.comma > this.only.point;
  }

  /** @returns {{ type: ColumnType, conforming: number }} */
  decide() {
    const { types, present } = this;
    if (present === 0) return { type: 'empty', conforming: 0 };
    const numeric = types.integer + types.number;
    // Codes with leading zeros or too many digits make a column of names, not of quantities.
    if (types.code > 0 && types.code + numeric >= present * 0.95) return { type: 'text', conforming: present };
    if (numeric >= present * 0.95) {
      const whole = types.number === 0 && !this.decimalComma;
      return { type: whole ? 'integer' : 'number', conforming: numeric };
    }
    if (types.date >= present * 0.95) return { type: 'date', conforming: types.date };
    if (types.boolean >= present * 0.95) return { type: 'boolean', conforming: types.boolean };
    return { type: 'text', conforming: present };
  }

  /** @param {number} rows */
  summary(rows) {
    const { type, conforming } = this.decide();
    const missing = rows - this.present;
    const markers = Object.fromEntries([...this.missing].filter(([marker]) => marker !== ''));
    const odd = Object.entries(this.examples)
      .filter(([kind]) => !conformsTo(kind, type))
      .flatMap(([, texts]) => texts);
    return {
      name: this.name,
      type,
      missing,
      missingMarkers: markers,
      distinct: this.values.distinct,
      exactDistinct: this.values.exact,
      nonConforming: { count: this.present - conforming, examples: type === 'text' ? [] : odd.slice(0, 5) },
      ...(type === 'integer' || type === 'number' ? this.#numberPart() : {}),
      ...(type === 'date' ? this.#datePart() : {}),
      ...(type === 'text' ? { length: { min: this.lengths.min, max: this.lengths.max, mean: this.lengths.mean } } : {}),
      ...(type === 'text' && this.types.code > 0
        ? { note: 'digits with leading zeros or too many for a number: kept as text' }
        : {}),
      top: this.values.top(10),
      exactTop: this.values.exact,
    };
  }

  #numberPart() {
    const [unit] = [...this.units].sort((a, b) => b[1] - a[1])[0] ?? [];
    return {
      ...(unit === undefined ? {} : { unit }),
      decimalMark: this.decimalComma ? 'comma' : 'point',
      numbers: (this.decimalComma ? this.comma : this.point).summary(),
    };
  }

  #datePart() {
    const { dayFirst, monthFirst, differing } = this.dates;
    const reading = monthFirst.impossible > 0 && dayFirst.impossible <= monthFirst.impossible ? dayFirst : monthFirst;
    const ambiguous = differing > 0 && dayFirst.impossible === 0 && monthFirst.impossible === 0;
    return {
      dates: {
        min: reading.min ?? null,
        max: reading.max ?? null,
        order: differing === 0 ? 'unambiguous' : reading === dayFirst ? 'day first' : 'month first',
        ambiguous,
      },
    };
  }
}

/** The first and the last of ISO dates. */
class Extremes {
  constructor() {
    /** @type {string | undefined} */
    this.min = undefined;
    /** @type {string | undefined} */
    this.max = undefined;
    this.impossible = 0;
  }

  /** @param {string | undefined} date */
  add(date) {
    if (date === undefined) {
      this.impossible += 1;
      return;
    }
    if (this.min === undefined || date < this.min) this.min = date;
    if (this.max === undefined || date > this.max) this.max = date;
  }
}

/**
 * @param {string} kind of a cell
 * @param {ColumnType} type of its column
 */
function conformsTo(kind, type) {
  return kind === type || (kind === 'integer' && type === 'number') || (kind === 'number' && type === 'integer');
}

/** Pearson's correlation of the first columns that have numbers, over the rows where both have one. */
class Correlations {
  constructor() {
    /** @type {Map<string, { a: number, b: number, n: number, meanA: number, meanB: number, aa: number, bb: number, ab: number }>} */
    this.pairs = new Map();
    /** @type {Set<number>} */
    this.columns = new Set();
  }

  /** @param {(number | undefined)[]} numbers of one row, by column */
  add(numbers) {
    /** @type {number[]} */
    const present = [];
    for (let index = 0; index < numbers.length; index += 1) {
      if (numbers[index] === undefined) continue;
      if (!this.columns.has(index)) {
        if (this.columns.size >= LIMITS.correlatedColumns) continue;
        this.columns.add(index);
      }
      present.push(index);
    }
    for (let i = 0; i < present.length; i += 1) {
      for (let j = i + 1; j < present.length; j += 1) this.#pair(present[i], present[j], numbers);
    }
  }

  /**
   * @param {number} a
   * @param {number} b
   * @param {(number | undefined)[]} numbers
   */
  #pair(a, b, numbers) {
    const key = `${a} ${b}`;
    let pair = this.pairs.get(key);
    if (pair === undefined) this.pairs.set(key, (pair = { a, b, n: 0, meanA: 0, meanB: 0, aa: 0, bb: 0, ab: 0 }));
    const x = numbers[a] ?? 0;
    const y = numbers[b] ?? 0;
    pair.n += 1;
    const dx = x - pair.meanA;
    const dy = y - pair.meanB;
    pair.meanA += dx / pair.n;
    pair.meanB += dy / pair.n;
    pair.aa += dx * (x - pair.meanA);
    pair.bb += dy * (y - pair.meanB);
    pair.ab += dx * (y - pair.meanB);
  }

  /** @param {ReturnType<Column['summary']>[]} columns */
  summary(columns) {
    const numeric = (/** @type {number} */ index) =>
      columns[index].numbers !== undefined && columns[index].decimalMark === 'point';
    return [...this.pairs.values()]
      .filter(({ a, b, n, aa, bb }) => n > 2 && aa > 0 && bb > 0 && numeric(a) && numeric(b))
      .map(({ a, b, n, aa, bb, ab }) => ({
        a: columns[a].name,
        b: columns[b].name,
        r: ab / Math.sqrt(aa * bb),
        rows: n,
      }))
      .sort((one, other) => Math.abs(other.r) - Math.abs(one.r));
  }
}

/**
 * @param {TableReader} table
 * @param {{ columns: string[] | undefined, missing: ReadonlySet<string> }} options
 */
async function profileTable(table, options) {
  /** @type {Column[]} */
  let columns = [];
  const correlations = new Correlations();
  /** @type {Set<number>} */
  const hashes = new Set();
  let rows = 0;
  let duplicates = 0;
  const ragged = { count: 0, lines: /** @type {number[]} */ ([]) };
  for await (const { cells, line } of table.rows()) {
    if (rows === 0) columns = table.names.map((name) => new Column(name, roomFor(table.names.length)));
    rows += 1;
    if (cells.length !== columns.length) {
      ragged.count += 1;
      if (ragged.lines.length < 5) ragged.lines.push(line);
    }
    if (rows <= LIMITS.hashedRows) {
      const hashed = hash(cells.join('\u0000'));
      if (hashes.has(hashed)) duplicates += 1;
      else hashes.add(hashed);
    }
    /** @type {(number | undefined)[]} */
    const numbers = [];
    for (let index = 0; index < columns.length; index += 1) {
      const found = columns[index].add(cells[index] ?? '', options.missing);
      numbers.push(found !== undefined && 'value' in found ? found.value : undefined);
    }
    correlations.add(numbers);
  }
  if (rows === 0) columns = table.names.map((name) => new Column(name, { numbers: 1, values: 1 }));
  const all = columns.map((column) => column.summary(rows));
  return {
    ...formOf(table),
    rows,
    columnCount: columns.length,
    raggedRows: ragged,
    duplicateRows: rows <= LIMITS.hashedRows ? duplicates : null,
    columns: chosen(all, options.columns),
    correlations: correlations.summary(all),
  };
}

/** @param {number} columns */
function roomFor(columns) {
  return {
    numbers: Math.min(LIMITS.keptNumbers, Math.floor(LIMITS.keptNumbersTotal / columns)),
    values: Math.min(LIMITS.distinctValues, Math.max(Math.floor(LIMITS.distinctValuesTotal / columns), 100)),
  };
}

/** @param {TableReader} table */
function formOf({ path, dialect, reader, replaced }) {
  const ends = Object.entries(reader.lineEnds).filter(([, count]) => count > 0);
  return {
    file: path,
    encoding: dialect.encoding,
    encodingFrom: dialect.encodingFrom,
    delimiter: delimiterName(dialect.delimiter),
    header: dialect.header,
    lineEnds: ends.length > 1 ? 'mixed' : (ends[0]?.[0] ?? 'none'),
    undecodable: replaced,
    quoteProblems: reader.quoteProblems,
  };
}

/**
 * @template {{ name: string }} T
 * @param {T[]} columns
 * @param {string[] | undefined} names
 * @returns {T[]}
 */
function chosen(columns, names) {
  return names === undefined
    ? columns
    : names.map(
        (name) =>
          columns[
            columnIndex(
              columns.map((column) => column.name),
              name,
            )
          ],
      );
}

/**
 * @param {string[]} names
 * @param {string} wanted a name, or a number from 1
 */
function columnIndex(names, wanted) {
  const exact = names.indexOf(wanted.trim());
  const loose = names.findIndex((name) => name.toLowerCase() === wanted.trim().toLowerCase());
  const number =
    /^\d{1,5}$/u.test(wanted.trim()) && Number(wanted) >= 1 && Number(wanted) <= names.length ? Number(wanted) - 1 : -1;
  const index = exact >= 0 ? exact : loose >= 0 ? loose : number;
  if (index >= 0) return index;
  const known = names
    .slice(0, 30)
    .map((name) => visible(name))
    .join(', ');
  throw new Failure('NO_SUCH_COLUMN', `There is no column “${visible(wanted)}”.`, `There are: ${known || 'none'}`);
}

// ---------------------------------------------------------------------------------------------------------------------
// Showing: text and SVG
// ---------------------------------------------------------------------------------------------------------------------

/**
 * A value on one line, without anything that could steer a terminal or hide.
 * @param {string} text
 * @param {number} [limit]
 */
function visible(text, limit = 60) {
  const plain = text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u202A-\u202E\u2060-\u2069\u200B\uFEFF\uFFFE\uFFFF\p{Cs}\u{E0000}-\u{E007F}]/gu, '');
  return plain.length > limit ? `${plain.slice(0, limit - 1).replace(/\p{Cs}$/u, '')}…` : plain;
}

/** @param {number | null} value */
function short(value) {
  if (value === null) return '–';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  return String(Number(value.toPrecision(6)));
}

/**
 * @param {number} part
 * @param {number} whole
 */
function percent(part, whole) {
  return whole === 0 ? '0 %' : `${Number(((part / whole) * 100).toFixed(1))} %`;
}

/** @param {Awaited<ReturnType<typeof profileTable>>} profile */
function renderProfile(profile) {
  const { rows } = profile;
  const lines = [
    `file: ${profile.file}`,
    `form: ${profile.encoding} (by ${profile.encodingFrom}), delimiter ${profile.delimiter}, ${profile.header ? 'with' : 'without'} header, line ends ${profile.lineEnds}`,
    `rows: ${rows}, columns: ${profile.columnCount}, duplicate rows: ${profile.duplicateRows ?? 'not counted'}`,
  ];
  const { count, lines: at } = profile.raggedRows;
  if (count > 0)
    lines.push(
      `warning: ${count} rows have another number of fields than the first (lines ${at.join(', ')}${count > at.length ? ', …' : ''})`,
    );
  if (profile.undecodable > 0)
    lines.push(`warning: ${profile.undecodable} characters could not be decoded as ${profile.encoding}`);
  if (profile.quoteProblems > 0)
    lines.push(`warning: ${profile.quoteProblems} fields have text behind a closing quotation mark`);
  for (const [index, column] of profile.columns.entries()) lines.push('', ...renderColumn(column, index, rows));
  const strong = profile.correlations.filter(({ r, rows: n }) => Math.abs(r) >= 0.3 && n >= 10).slice(0, 10);
  if (strong.length > 0) {
    lines.push('', 'correlations (Pearson, |r| ≥ 0.3, at least 10 rows):');
    for (const { a, b, r, rows: n } of strong)
      lines.push(`  ${r < 0 ? '−' : '+'}${Math.abs(r).toFixed(3)}  ${visible(a)} / ${visible(b)} (${n} rows)`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * @param {ReturnType<Column['summary']>} column
 * @param {number} index
 * @param {number} rows
 */
function renderColumn(column, index, rows) {
  const markers = Object.entries(column.missingMarkers).map(([marker, count]) => `${visible(marker)} ${count}`);
  const lines = [
    `${index + 1}. ${visible(column.name, 100)} (${column.type}${'unit' in column ? ` in ${column.unit}` : ''})`,
    `   missing ${column.missing} (${percent(column.missing, rows)})${markers.length > 0 ? `, of which ${markers.slice(0, 5).join(', ')}` : ''}; distinct ${column.exactDistinct ? '' : 'about '}${column.distinct}`,
  ];
  const { count, examples } = column.nonConforming;
  if (count > 0)
    lines.push(
      `   warning: ${count} values are no ${column.type}: ${examples.map((text) => visible(text, 30)).join(', ')}`,
    );
  if ('note' in column) lines.push(`   note: ${column.note}`);
  if (column.numbers !== undefined) lines.push(...renderNumbers(column.numbers));
  else if (column.dates !== undefined) {
    const { min, max, order, ambiguous } = column.dates;
    lines.push(
      `   from ${min ?? '–'} to ${max ?? '–'} (${order}${ambiguous ? '; the other order is possible too' : ''})`,
    );
  } else if (column.type !== 'empty') {
    for (const { value, count: times } of column.top.slice(0, 5)) {
      lines.push(`   ${column.exactTop ? '' : 'at least '}${times} (${percent(times, rows)})  ${visible(value)}`);
    }
  }
  return lines;
}

/** @param {ReturnType<Numbers['summary']>} numbers */
function renderNumbers(numbers) {
  const { outliers } = numbers;
  const lines = [
    `   min ${short(numbers.min)}, q1 ${short(numbers.q1)}, median ${short(numbers.median)}, q3 ${short(numbers.q3)}, max ${short(numbers.max)}; mean ${short(numbers.mean)}, std ${short(numbers.std)}${numbers.exactQuantiles ? '' : ' (quartiles from a sample)'}`,
  ];
  if (outliers.count > 0) {
    lines.push(
      `   outliers ${outliers.count} (below ${short(outliers.low)} or above ${short(outliers.high)}): ${[...outliers.smallest, ...outliers.largest].map(short).join(', ')}`,
    );
  }
  if (numbers.count < 10) return lines;
  const most = Math.max(...numbers.histogram.map(({ count }) => count));
  const labels = numbers.histogram.map(({ from, to }) => `${short(from)} … ${short(to)}`);
  const width = Math.max(...labels.map((label) => label.length));
  for (const [index, { count }] of numbers.histogram.entries()) {
    lines.push(
      `   ${labels[index].padStart(width)} ${'█'.repeat(Math.round((count / most) * 30)).padEnd(30)} ${count}`,
    );
  }
  return lines;
}

/** @param {string} text */
function escapeXml(text) {
  const named = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return visible(text, 200).replace(/[&<>"']/gu, (character) => named[/** @type {keyof typeof named} */ (character)]);
}

const FRAME = { width: 800, height: 450, left: 80, right: 20, top: 50, bottom: 60 };

/**
 * @param {string} title
 * @param {string[]} parts
 */
function svg(title, parts) {
  const { width, height } = FRAME;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12" fill="#222">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${width / 2}" y="28" font-size="16" text-anchor="middle">${escapeXml(visible(title, 90))}</text>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

/**
 * A scale with round steps that covers the values.
 * @param {number} min
 * @param {number} max
 * @param {number} from where `min` comes to lie
 * @param {number} to
 */
function scaleOf(min, max, from, to) {
  const span = max > min ? max - min : Math.abs(max) || 1;
  const step = niceStep(span / 6);
  const low = Math.floor(min / step) * step;
  const high = max > min ? Math.ceil(max / step) * step : low + step;
  const ticks = [];
  for (let index = 0; index <= 20 && low + index * step <= high + step / 2; index += 1)
    ticks.push(cleanFloat(low + index * step));
  return {
    ticks,
    place: (/** @type {number} */ value) => Number((from + ((value - low) / (high - low)) * (to - from)).toFixed(2)),
  };
}

/**
 * @param {ReturnType<typeof scaleOf>} scale
 */
function verticalAxis(scale) {
  const { left, right, width } = FRAME;
  return scale.ticks.map((tick) => {
    const y = scale.place(tick);
    return `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" stroke="#ddd"/><text x="${left - 8}" y="${y + 4}" text-anchor="end">${short(tick)}</text>`;
  });
}

/**
 * @param {{ label: string, count: number }[]} bars
 * @param {{ title: string, gap: number, below: string }} options
 */
function barChart(bars, { title, gap, below }) {
  const { left, right, top, bottom, width, height } = FRAME;
  const scale = scaleOf(0, Math.max(...bars.map(({ count }) => count), 1), height - bottom, top);
  const step = (width - left - right) / bars.length;
  const base = scale.place(0);
  const every = Math.ceil(bars.length / 12);
  const letters = Math.max(Math.floor((step * every) / 7), 3);
  const parts = bars.flatMap(({ label, count }, index) => {
    const x = Number((left + index * step + (gap * step) / 2).toFixed(2));
    const y = scale.place(count);
    const bar = `<rect x="${x}" y="${y}" width="${Number((step * (1 - gap)).toFixed(2))}" height="${Number((base - y).toFixed(2))}" fill="#3b6ea5"><title>${escapeXml(label)}: ${count}</title></rect>`;
    if (index % every !== 0) return [bar];
    const middle = Number((left + (index + 0.5) * step).toFixed(2));
    return [
      bar,
      `<text x="${middle}" y="${base + 18}" text-anchor="middle">${escapeXml(visible(label, letters))}</text>`,
    ];
  });
  const caption = `<text x="${(left + width - right) / 2}" y="${height - 12}" text-anchor="middle" fill="#666">${escapeXml(below)}</text>`;
  return svg(title, [...verticalAxis(scale), ...parts, caption]);
}

/**
 * @param {{ x: number, y: number }[]} points
 * @param {{ title: string, below: string, dates: boolean }} options
 */
function lineChart(points, { title, below, dates }) {
  const { left, right, top, bottom, width, height } = FRAME;
  const sorted = points.slice().sort((a, b) => a.x - b.x);
  const [xs, ys] = [sorted.map(({ x }) => x), sorted.map(({ y }) => y)];
  const vertical = scaleOf(Math.min(...ys), Math.max(...ys), height - bottom, top);
  const first = xs[0];
  const span = xs[xs.length - 1] - first || 1;
  const place = (/** @type {number} */ x) => Number((left + ((x - first) / span) * (width - left - right)).toFixed(2));
  const path = sorted.map(({ x, y }) => `${place(x)},${vertical.place(y)}`).join(' ');
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const x = first + span * share;
    const label = dates ? new Date(x).toISOString().slice(0, 10) : short(cleanFloat(x));
    const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle';
    return `<text x="${place(x)}" y="${height - bottom + 18}" text-anchor="${anchor}">${label}</text>`;
  });
  const caption = `<text x="${(left + width - right) / 2}" y="${height - 12}" text-anchor="middle" fill="#666">${escapeXml(below)}</text>`;
  const line = `<polyline points="${path}" fill="none" stroke="#3b6ea5" stroke-width="1.5" stroke-linejoin="round"/>`;
  return svg(title, [...verticalAxis(vertical), line, ...ticks, caption]);
}

/** Points in the order of the rows, thinned out evenly when there are too many. */
class Points {
  constructor() {
    /** @type {{ x: number, y: number }[]} */
    this.kept = [];
    this.stride = 1;
    this.seen = 0;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  add(x, y) {
    if (this.seen % this.stride === 0) this.kept.push({ x, y });
    this.seen += 1;
    if (this.kept.length > LIMITS.points * 2) {
      this.kept = this.kept.filter((_, index) => index % 2 === 0);
      this.stride *= 2;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Commands
// ---------------------------------------------------------------------------------------------------------------------

/**
 * @typedef {{ delimiter: string | undefined, encoding: string | undefined, header: 'auto' | 'yes' | 'no', missing: ReadonlySet<string> }} ReadOptions
 */

/**
 * @param {string} path
 * @param {ReadOptions} options
 * @param {{ column: string, x: string | undefined, kind: string | undefined, title: string | undefined }} chart
 */
async function drawChart(path, options, chart) {
  const table = new TableReader(path, options);
  /** @type {Column | undefined} */
  let column;
  let index = -1;
  let along = -1;
  const points = new Points();
  const commaPoints = new Points();
  let datesAlong = true;
  let rows = 0;
  for await (const { cells } of table.rows()) {
    if (column === undefined) {
      index = columnIndex(table.names, chart.column);
      along = chart.x === undefined ? -1 : columnIndex(table.names, chart.x);
      column = new Column(table.names[index], roomFor(1));
    }
    rows += 1;
    const found = column.add(cells[index] ?? '', options.missing);
    if (found === undefined || !('value' in found)) continue;
    const x = along < 0 ? { at: rows, date: false } : placeAlong(cells[along] ?? '');
    if (x === undefined) continue;
    datesAlong &&= x.date;
    points.add(x.at, found.value);
    commaPoints.add(x.at, found.comma ?? found.value);
  }
  if (column === undefined) throw new Failure('EMPTY', `${path} has no rows.`, 'Look at it with the head command.');
  const summary = column.summary(rows);
  const { numbers } = summary;
  const kind = chart.kind ?? (numbers !== undefined ? (chart.x === undefined ? 'histogram' : 'line') : 'bar');
  const title = chart.title ?? summary.name;
  if (kind !== 'bar' && numbers === undefined) {
    throw new Failure(
      'NOT_NUMERIC',
      `The column “${visible(summary.name)}” is of type ${summary.type}; a ${kind} needs numbers.`,
      'Use --kind bar, or look at the values with the profile command.',
    );
  }
  const unit = 'unit' in summary ? ` in ${summary.unit}` : '';
  if (kind === 'line') {
    const { kept } = column.decimalComma ? commaPoints : points;
    if (kept.length < 2)
      throw new Failure('EMPTY', 'There are fewer than two points to draw.', 'Check --column and --x.');
    const below = `${chart.x === undefined ? 'row' : table.names[along]}${points.stride > 1 ? `; every ${points.stride}th row` : ''}${unit}`;
    return lineChart(kept, { title, below, dates: chart.x !== undefined && datesAlong });
  }
  if (kind === 'histogram' && numbers !== undefined) {
    const bars = numbers.histogram.map(({ from, to, count }) => ({
      label: `${short(from)}–${short(to)}`,
      count,
    }));
    return barChart(bars, {
      title,
      gap: 0.04,
      below: `${numbers.count} values${unit}, ${summary.missing} missing`,
    });
  }
  const top = column.values.top(20).map(({ value, count }) => ({ label: value, count }));
  if (top.length === 0)
    throw new Failure('EMPTY', `The column “${visible(summary.name)}” has no values.`, 'Choose another.');
  const below = `${top.length < summary.distinct ? `the ${top.length} most frequent of ${summary.distinct} values` : `${rows} rows`}, ${summary.missing} missing`;
  return barChart(top, { title, gap: 0.2, below });
}

/**
 * @param {string} cell
 * @returns {{ at: number, date: boolean } | undefined}
 */
function placeAlong(cell) {
  const found = cell.trim() === '' ? undefined : classify(cell.trim());
  if (found === undefined) return undefined;
  if ('value' in found) return { at: found.value, date: false };
  if (found.type !== 'date') return undefined;
  const at = Date.parse(`${(found.monthFirst ?? found.dayFirst ?? '').slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(at) ? undefined : { at, date: true };
}

/**
 * @param {string} path
 * @param {ReadOptions} options
 * @param {number} limit
 */
async function firstRows(path, options, limit) {
  const table = new TableReader(path, options);
  const rows = [];
  for await (const { cells } of table.rows()) {
    if (rows.length >= limit) break;
    rows.push(cells);
  }
  const { quoteProblems: _, undecodable: __, ...form } = formOf(table);
  return { ...form, columns: table.names, rows };
}

/** @param {Awaited<ReturnType<typeof firstRows>>} head */
function renderHead({ columns, rows }) {
  const shown = [columns, ...rows].map((row) => row.map((cell) => visible(cell, 30)));
  const count = Math.max(...shown.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(...shown.map((row) => (row[index] ?? '').length)),
  );
  return `${shown
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index]))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}

/**
 * @param {string} path
 * @param {string} text
 * @param {boolean} force
 */
function writeNew(path, text, force) {
  const temporary = join(dirname(path), `.table-${process.pid}.tmp`);
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    // A link refuses a name that is taken, which a rename does not.
    if (force) renameSync(temporary, path);
    else linkSync(temporary, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || (!force && existsSync(path))) {
      throw new Failure(
        'OUTPUT_EXISTS',
        `${path} exists already; nothing was written.`,
        'Choose another name or --force.',
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('OUTPUT_FAILED', `${path} could not be written: ${reason}`, 'Check the folder and its rights.');
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** @param {string[]} args */
function readArguments(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        column: { type: 'string' },
        columns: { type: 'string' },
        delimiter: { type: 'string' },
        encoding: { type: 'string' },
        force: { type: 'boolean' },
        header: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        json: { type: 'boolean' },
        kind: { type: 'string' },
        missing: { type: 'string' },
        out: { type: 'string' },
        rows: { type: 'string' },
        title: { type: 'string' },
        version: { type: 'boolean' },
        x: { type: 'string' },
      },
    });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

const COMMON = ['delimiter', 'encoding', 'header', 'missing'];
const OPTIONS = {
  profile: [...COMMON, 'json', 'columns'],
  chart: [...COMMON, 'column', 'x', 'kind', 'title', 'out', 'force'],
  head: [...COMMON, 'json', 'rows'],
};

/**
 * @param {ReturnType<typeof readArguments>['values']} values
 * @returns {ReadOptions}
 */
function readOptionsOf({ delimiter, encoding, header = 'auto', missing }) {
  if (header !== 'auto' && header !== 'yes' && header !== 'no')
    throw usage(`--header takes auto, yes or no, got “${header}”.`);
  const character =
    delimiter === undefined
      ? undefined
      : (DELIMITERS[/** @type {keyof typeof DELIMITERS} */ (delimiter)] ?? delimiter.replace('\\t', '\t'));
  if (character !== undefined && (character.length !== 1 || /["\r\n]/u.test(character)))
    throw usage(`--delimiter takes one character, got “${delimiter}”.`);
  try {
    if (encoding !== undefined) new TextDecoder(encoding);
  } catch {
    throw usage(`--encoding does not know “${encoding}”.`);
  }
  const words =
    missing === undefined ? ['na', 'n/a', 'nan', 'null', 'none', 'nil', '?', '-', '--', '#n/a'] : missing.split(',');
  return { delimiter: character, encoding, header, missing: new Set(words.map((word) => word.trim().toLowerCase())) };
}

/** @param {string[]} args */
async function main(args) {
  const { values, positionals } = readArguments(args);
  if (values.help) return HELP;
  if (values.version) return `${VERSION}\n`;
  const [command, path, ...more] = positionals;
  if (command === undefined) throw usage('No command was given.');
  if (!Object.hasOwn(OPTIONS, command))
    throw usage(`“${command}” is no command. There are ${Object.keys(OPTIONS).join(', ')}.`);
  if (path === undefined || more.length > 0) throw usage(`${command} needs one file, got ${positionals.length - 1}.`);
  const known = OPTIONS[/** @type {keyof typeof OPTIONS} */ (command)];
  const stray = Object.keys(values).find((option) => !known.includes(option));
  if (stray !== undefined) throw usage(`The command ${command} has no option --${stray}.`);
  const options = readOptionsOf(values);
  if (command === 'profile') {
    const profile = await profileTable(new TableReader(path, options), {
      columns: values.columns?.split(','),
      missing: options.missing,
    });
    return values.json ? `${JSON.stringify(profile, undefined, 2)}\n` : renderProfile(profile);
  }
  if (command === 'head') {
    if (!/^[1-9]\d{0,4}$/u.test(values.rows ?? '10'))
      throw usage(`--rows takes a whole number from 1, got “${values.rows}”.`);
    const head = await firstRows(path, options, Number(values.rows ?? 10));
    return values.json ? `${JSON.stringify(head, undefined, 2)}\n` : renderHead(head);
  }
  if (values.column === undefined) throw usage('chart needs --column NAME.');
  if (values.kind !== undefined && !['histogram', 'bar', 'line'].includes(values.kind))
    throw usage(`--kind takes histogram, bar or line, got “${values.kind}”.`);
  if (values.out !== undefined && !values.force && existsSync(values.out)) {
    throw new Failure(
      'OUTPUT_EXISTS',
      `${values.out} exists already; nothing was written.`,
      'Choose another name or --force.',
    );
  }
  const chart = await drawChart(path, options, {
    column: values.column,
    x: values.x,
    kind: values.kind,
    title: values.title,
  });
  if (values.out === undefined) return chart;
  writeNew(values.out, chart, values.force ?? false);
  return `${values.out}\n`;
}

process.stdout.on('error', (error) => {
  // A reader that closes the pipe, as head does, has had enough.
  if (codeOf(error) !== 'EPIPE') throw error;
});

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (error) {
  const known = error instanceof Failure;
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    known
      ? `error ${error.code}: ${text}\nhint: ${error.hint}\n`
      : `error DEFECT of this script: ${error instanceof Error ? error.stack : text}\n`,
  );
  process.exitCode = known && error.code === 'USAGE' ? 2 : 1;
}
