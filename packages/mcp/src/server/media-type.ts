const byExtension: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  pdf: 'application/pdf',
  png: 'image/png',
  py: 'text/x-python',
  sh: 'application/x-sh',
  svg: 'image/svg+xml',
  ts: 'text/typescript',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** What kind of content a file has by the end of its name; `application/octet-stream` where that says nothing. */
export function mediaType(path: string): string {
  const extension = /\.(?<extension>[^./]+)$/u.exec(path)?.groups?.['extension']?.toLowerCase() ?? '';
  const known = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
  return known ?? 'application/octet-stream';
}
