/** The version of the skill whose script this is. */
export const version = '1.0.0';

export const help = `Usage: node pdf.mjs COMMAND …            (needs Node 18.3 or newer, nothing else)

Read
  text FILE [--pages R] [--layout]        the text, page by page; --layout keeps columns where they stand
  info FILE                               title, author, dates, encryption, form fields, bookmarks, attachments
  pages FILE [--pages R]                  size and rotation of each page

Write (an existing file is replaced only with --force)
  merge OUT.pdf A.pdf B.pdf …             all pages of A, then of B, …
  split FILE --out DIR [--every N]        a file for every N pages (default 1)
  split FILE --out DIR --pages 1-3,4-     a file for each range
  extract FILE OUT.pdf --pages R          one file of these pages, in this order
  rotate FILE OUT.pdf --by 90 [--pages R] turn pages clockwise by 90, 180 or 270 degrees

Options
  -p, --pages R      pages from 1: 1-3,5,8- (open end: to the last page)
  -o, --out DIR      folder that split writes to; made if missing
      --json         one JSON document on stdout
      --force        replace files that exist
      --password P   of an encrypted file; better: the environment variable PDF_PASSWORD
      --timeout S    give up after S seconds (default 60)
  -h, --help         this text
      --version      the version of this script

Exit codes
  0  done
  1  not possible: stderr has “error CODE: what” and “hint: next step”. CODE is one of FILE_NOT_FOUND, FILE_UNREADABLE,
     FILE_TOO_LARGE, NOT_A_PDF, ENCRYPTED, WRONG_PASSWORD, DAMAGED, PAGE_OUT_OF_RANGE, TOO_MANY_PAGES, OUTPUT_EXISTS,
     OUTPUT_FAILED, TIMEOUT, OUT_OF_MEMORY
  2  wrong usage (USAGE)
`;
