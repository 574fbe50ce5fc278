import type { RootPaths } from '../root/root-paths.js';
import { knownRevoked } from '../trust/revoked-packs.js';
import type { Symptom } from './symptom.js';

/** Looks for packs that are known to be revoked. */
export function examineTrust(paths: RootPaths): readonly Symptom[] {
  return knownRevoked(paths).map(({ name, version, reason }) => ({
    kind: 'revoked-pack',
    subject: name,
    message: `${name}@${version} was revoked: ${reason}.`,
    advice: `Run \`skills uninstall ${name}\`, or \`skills update ${name}\` if a later version is not revoked.`,
  }));
}
