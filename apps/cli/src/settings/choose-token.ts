import { join } from 'node:path';
import type { Reporter } from '../frame/reporter.js';
import type { RegistrySetting, Settings } from './settings.js';

/** The token that a registry is sent; whoever has one that it does not get is told. @throws what reading credentials does. */
export async function chooseToken(
  setting: RegistrySetting,
  settings: Settings,
  reporter: Reporter,
): Promise<string | undefined> {
  const { readCredentials } = await import('./read-credentials.js');
  const { tokenFor } = await import('./token-for.js');
  const file = readCredentials(join(settings.skillsHome, 'credentials.json'));
  const choice = tokenFor(setting, { environment: settings.token, file }, { isDefault: setting === settings.registry });
  if (choice.kind === 'token') return choice.token;
  if (choice.kind === 'withheld') {
    reporter.warn(
      `SKILLS_TOKEN is not sent to ${setting.location}, because a file of the project chose that registry. ` +
        'Set SKILLS_REGISTRY too, or put the token into credentials.json.',
    );
  }
  return undefined;
}
