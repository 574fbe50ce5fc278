import { quoted, SkillsError, withoutCredentials } from '@skillpack/core';

// Without `i`, for which some letters outside of ASCII are letters of it.
const plainUrl = /^https?:\/\/(?<host>\[[\dA-Fa-f:.]+\]|[\w.-]+)(?::\d{1,5})?(?=[/?#]|$)/u;
// What readers of URLs leave out, or take for a slash.
// eslint-disable-next-line no-control-regex -- finding control characters is what it is for
const misread = /[\u0000-\u0020\u007F\\]/u;

/**
 * Reads a URL that a model wrote. Its host has to stand there as it is connected to: a person who is asked, rules, and
 * whoever connects then read the same, and neither `127.1`, `https:/host`, `a@b` nor letters that look like others pass
 * for something else.
 *
 * @throws `ADDRESS_REFUSED`.
 */
export function parseRequestUrl(text: string): URL {
  const host = plainUrl.exec(text)?.groups?.['host'];
  if (host === undefined || misread.test(text) || !URL.canParse(text)) {
    const shown = quoted(withoutCredentials(text));
    throw new SkillsError('ADDRESS_REFUSED', `${shown} is no https URL with a host in plain letters.`, {
      hint: 'Write https://host/path, encoded, without a user name, and a host of other letters in its xn-- form.',
    });
  }
  const url = new URL(text);
  if (url.hostname !== host.toLowerCase()) {
    throw new SkillsError('ADDRESS_REFUSED', `The host ${quoted(host)} stands for ${quoted(url.hostname)}.`, {
      hint: 'Write the host as it is meant.',
      data: { host: url.hostname },
    });
  }
  url.hash = '';
  return url;
}
