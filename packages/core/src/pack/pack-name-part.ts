// Windows opens the device, not a file, for these names in any folder.
const device = '(?:con|prn|aux|nul|com[0-9]|lpt[0-9])';

/** The pattern of an organisation, or of the second half of a pack name, up to a slash or the end. */
export const packNamePart: string = `(?!${device}(?:/|$))(?=[^/]{1,64}(?:/|$))[a-z0-9]+(?:-[a-z0-9]+)*`;

const pattern = new RegExp(`^${packNamePart}$`, 'u');

/**
 * Whether `text` can be an organisation or the second half of a pack name: 1 to 64 of `a-z0-9-`, hyphens only inside
 * and single, and no device of Windows (`aux`, `com1`).
 */
export function isPackNamePart(text: string): boolean {
  return pattern.test(text);
}
