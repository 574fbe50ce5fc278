import type { DiagnosticLog } from './diagnostic-log.js';
import type { SkillLimits } from './skill-limits.js';

/** How the text of a SKILL.md arrives. */
interface DecodeOptions {
  readonly limits: SkillLimits;
  /** Whether `source` is only the beginning of the file. */
  readonly partial: boolean;
  /** Whether nothing after the front matter is wanted. */
  readonly head: boolean;
}

/** The text of a SKILL.md. */
export interface DecodedSkill {
  /** With `\n` line ends, a byte order mark still in front of it. */
  readonly text: string;
  /** Whether lines ended in CR or CRLF. */
  readonly carriageReturns: boolean;
}

/** Decodes a SKILL.md; `undefined` when it is too large. */
export function decodeSkill(
  source: string | Uint8Array,
  log: DiagnosticLog,
  { limits, partial, head }: DecodeOptions,
): DecodedSkill | undefined {
  if (source.length > limits.fileBytes) {
    log.report('file-too-large', {
      at: { line: 1 },
      message: `The file has ${source.length} ${typeof source === 'string' ? 'characters' : 'bytes'}; at most ${limits.fileBytes} are read.`,
      fix: 'Move long material into files beside SKILL.md.',
    });
    return undefined;
  }
  const end = head ? endOfHead(source) : undefined;
  const wanted =
    end === undefined ? source : typeof source === 'string' ? source.slice(0, end) : source.subarray(0, end);
  const text = typeof wanted === 'string' ? wanted : decodeBytes(wanted, log, partial && end === undefined);
  const carriageReturn = text.indexOf('\r');
  if (carriageReturn === -1) {
    log.locateIn(text);
    return { text, carriageReturns: false };
  }
  const normal = text.replaceAll(/\r\n?/gu, '\n');
  log.locateIn(normal);
  log.report('line-ends', {
    at: { line: 1 },
    message: `Lines end in ${text[carriageReturn + 1] === '\n' ? 'CRLF' : 'CR'}.`,
    fix: 'They were read as LF.',
  });
  return { text: normal, carriageReturns: true };
}

const opening = '---\n';
const closing = '\n---\n';

/** Where the line ends that closes the front matter, if both delimiters are as the specification has them. */
function endOfHead(source: string | Uint8Array): number | undefined {
  if (!standsAt(source, opening, 0)) return undefined;
  let at = opening.length - 1;
  if (typeof source === 'string') at = source.indexOf(closing, at);
  else while (at !== -1 && !standsAt(source, closing, at)) at = source.indexOf(0x0a, at + 1);
  return at === -1 ? undefined : at + closing.length;
}

/** Whether an ASCII text stands at a place of a text or of its bytes. */
function standsAt(source: string | Uint8Array, ascii: string, at: number): boolean {
  if (typeof source === 'string') return source.startsWith(ascii, at);
  for (let index = 0; index < ascii.length; index += 1) {
    if (source[at + index] !== ascii.charCodeAt(index)) return false;
  }
  return true;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

function decodeBytes(bytes: Uint8Array, log: DiagnosticLog, partial: boolean): string {
  const utf16 = utf16Label(bytes);
  if (utf16 !== undefined) {
    log.report('encoding-utf16', {
      at: { line: 1 },
      message: 'The file is UTF-16.',
      fix: 'It was read as UTF-16. Save it as UTF-8.',
    });
    return new TextDecoder(utf16, { ignoreBOM: true }).decode(bytes, { stream: partial });
  }
  try {
    // A decoder that is left within a character cannot be used again.
    const one = partial ? new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }) : decoder;
    return one.decode(bytes, { stream: partial });
  } catch {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: partial });
    log.locateIn(text);
    log.report('encoding-invalid', {
      at: { offset: Math.max(0, text.indexOf('\uFFFD')) },
      message: 'The file holds bytes that are not UTF-8.',
      fix: 'They were replaced by U+FFFD. Save the file as UTF-8.',
    });
    return text;
  }
}

function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
