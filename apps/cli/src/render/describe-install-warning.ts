import type { InstallWarning } from '@skillpack/cli-dist';

/** A warning of an install as a sentence. */
export function describeInstallWarning(warning: InstallWarning): string {
  switch (warning.kind) {
    case 'yanked':
      return `${warning.name}@${warning.version} was withdrawn (${warning.reason}); it is installed because it is locked.`;
    case 'deprecated':
      return `${warning.name} is deprecated: ${warning.reason}`;
    case 'requires':
      return `${warning.name} needs ${requirement[warning.what]} ${warning.missing}, which is not here.`;
    case 'revoked':
      return `${warning.name}@${warning.version} was revoked (${warning.reason}); uninstall or update it.`;
    case 'revocations-unchecked':
      return `What ${warning.registry} has revoked could not be checked: ${warning.reason}`;
    case 'link-blocked':
      return `No link for ${warning.target} at ${warning.path}: ${warning.reason}`;
    case 'unlocked':
      return `${warning.name}@${warning.version} is installed, but neither skillpack.json nor the lock file knows it.`;
    case 'edited':
      return `${warning.name}@${warning.version} is not as it was installed (${warning.files[0]}${
        warning.files.length > 1 ? ` and ${warning.files.length - 1} more` : ''
      }); ${cureOf(warning.files)}`;
    case 'shadowed':
      return `${warning.path} is of no pack, and stands in for the skill ${warning.skill} of ${warning.name}: move it away.`;
    case 'lock-changed':
      return `${warning.path} was changed by somebody else meanwhile and was left as they made it; run \`skills install\` again.`;
  }
}

/** What stands in the place of a whole skill is a person's: no install touches it. */
function cureOf(files: readonly string[]): string {
  const skills = files.filter((path) => !path.includes('/'));
  return skills.length === 0
    ? '`skills verify` tells what differs, `skills install --replace` restores it.'
    : `move ${skills.join(' and ')} away, then \`skills install\` restores it.`;
}

const requirement = {
  program: 'the program',
  environment: 'the environment variable',
  platform: 'the platform',
} as const;
