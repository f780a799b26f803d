import { ImageRegistries } from '../shared/api/settings/image-registries.ts';
import type { Settings } from './config.ts';
import { readJsonFile } from './read-project-file.ts';
import { SettingsError } from './settings-error.ts';

const listFaults = ({ registries }: ImageRegistries, { environment }: Settings): string[] =>
  registries
    .filter(({ url }) => environment === 'production' && /^http:/i.test(url))
    .map(({ host }) => `the url of ${host} must be an https URL in production`);

/**
 * Returns the image registries of the file that the settings name.
 * @throws {SettingsError} with one line for each error in the file
 */
export const readImageRegistries = (settings: Settings): ImageRegistries => {
  const path = settings.imageRegistries;
  const parsed = ImageRegistries.safeParse(readJsonFile('imageRegistries', path));
  const faults = parsed.success
    ? listFaults(parsed.data, settings)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  if (parsed.success && faults.length === 0) return parsed.data;
  throw new SettingsError(faults.map((fault) => `imageRegistries: ${path}: ${fault}`).join('\n'));
};
