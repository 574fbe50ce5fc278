/** A text of comma-separated values as rows of fields (RFC 4180): quotation marks may hold commas, line breaks and, doubled, themselves. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const field = /(?:"(?<inner>[^"]*(?:""[^"]*)*)"|(?<plain>[^",\r\n]*))(?<end>,|\r?\n|\r|$)/uy;
  let row: string[] = [];
  const source = text.replace(/^\uFEFF/u, '');
  while (field.lastIndex < source.length || row.length > 0) {
    const at = field.lastIndex;
    const found = field.exec(source);
    if (found === null) throw new Error(`a quotation mark stands where none can, in line ${lineOf(source, at)}`);
    const { inner, plain = '', end = '' } = found.groups ?? {};
    row.push(inner?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (field.lastIndex >= source.length) break;
  }
  return rows;
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
