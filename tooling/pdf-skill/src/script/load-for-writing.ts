import { PDFDocument } from '@cantoo/pdf-lib';
import { encrypted, type InputFile, readingFailure, requireHeader, wrongPassword } from './open-document.js';

/** A document whose pages can be taken into another, and whether it has to be said that it was encrypted. */
export interface LoadedDocument {
  readonly document: PDFDocument;
  readonly wasEncrypted: boolean;
}

/**
 * Loads a document so that it can be written again. Objects that cannot be read are refused: leaving them out would
 * lose content in silence. An encrypted document is opened only with a password that was given, since what is written
 * from it has no encryption any more.
 *
 * @throws `NOT_A_PDF`, `ENCRYPTED`, `WRONG_PASSWORD`, `DAMAGED`.
 */
export async function loadForWriting(file: InputFile, password: string | undefined): Promise<LoadedDocument> {
  requireHeader(file);
  const options = { updateMetadata: false, throwOnInvalidObject: true };
  try {
    return { document: await PDFDocument.load(file.bytes, options), wasEncrypted: false };
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('is encrypted'))) throw readingFailure(file, error);
  }
  if (password === undefined) throw encrypted(file.name);
  try {
    return { document: await PDFDocument.load(file.bytes, { ...options, password }), wasEncrypted: true };
  } catch (error) {
    if (error instanceof Error && /password/iu.test(error.message)) throw wrongPassword(file.name);
    throw readingFailure(file, error);
  }
}
