import { getDocument, type PDFDocumentProxy } from 'unpdf/pdfjs';
import { characterMap } from './character-maps.js';
import { Failure } from './failure.js';

/** A file that was read, under the name by which the person knows it. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

class CharacterMaps {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const map = kind === 'cMapUrl' ? characterMap(filename.replace(/\.bcmap$/u, '')) : undefined;
    if (map === undefined) throw new Error(`${filename} is not available.`);
    return map;
  }
}

/**
 * Opens a document for reading. Broken cross references are mended on the way, nothing is fetched from anywhere, no
 * script in the document runs.
 *
 * @throws `NOT_A_PDF`, `ENCRYPTED`, `WRONG_PASSWORD`, `DAMAGED`.
 */
export async function openDocument(file: InputFile, password: string | undefined): Promise<PDFDocumentProxy> {
  requireHeader(file);
  try {
    return await getDocument({
      // pdf.js takes the buffer over.
      data: file.bytes.slice(),
      ...(password === undefined ? {} : { password }),
      BinaryDataFactory: CharacterMaps,
      cMapUrl: 'cmaps/',
      cMapPacked: true,
      useWorkerFetch: false,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      stopAtErrors: false,
      verbosity: 0,
    }).promise;
  } catch (error) {
    throw readingFailure(file, error);
  }
}

/** Refuses what does not begin like a PDF. Readers allow other bytes, up to a kilobyte, before the header. */
export function requireHeader({ name, bytes }: InputFile): void {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-')) {
    throw new Failure(
      'NOT_A_PDF',
      `${name} is not a PDF: ${bytes.length === 0 ? 'it is empty' : 'there is no %PDF- at its start'}.`,
      'Check the path. An HTML page saved as .pdf, or a download that failed, looks like this.',
    );
  }
}

/** What a failure of the reading library means to the person. */
export function readingFailure({ name }: Pick<InputFile, 'name'>, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { name: kind = '', message = String(error), code } = (error ?? {}) as Partial<Error & { code: number }>;
  if (kind === 'PasswordException') {
    return code === 2 ? wrongPassword(name) : encrypted(name);
  }
  return new Failure(
    'DAMAGED',
    `${name} cannot be read: ${message.replaceAll(/\s+/gu, ' ').slice(0, 300)}`,
    'The file is damaged or cut off. Get it again, or let “qpdf in.pdf out.pdf” try to mend it.',
  );
}

export function encrypted(name: string): Failure {
  return new Failure(
    'ENCRYPTED',
    `${name} is encrypted.`,
    'Ask the person for the password and set PDF_PASSWORD (an empty one is a password too: --password "").',
  );
}

export function wrongPassword(name: string): Failure {
  return new Failure('WRONG_PASSWORD', `The password does not open ${name}.`, 'Ask the person for the right one.');
}
