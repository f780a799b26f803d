import { discoverIssuer } from '../shared/platform/auth/issuer-keys.ts';
import type { Settings } from './config.ts';
import { isPlainOrigin } from './setting-kinds.ts';
import { SettingsError } from './settings-error.ts';

/** The endpoints to which the console sends requests. For others, the browser leaves the page. */
const requested = ['token_endpoint', 'revocation_endpoint'];

/**
 * Returns the settings with the origins to which the console sends requests for a sign-in. Without the setting, they come from
 * the discovery document of the issuer.
 * @throws {SettingsError} if the issuer does not answer
 */
export const findOrigins = async (settings: Settings): Promise<Settings> => {
  const { oidcIssuer, oidcOrigins } = settings;
  if (oidcIssuer === undefined || oidcOrigins !== 'none') return settings;
  try {
    const description = await discoverIssuer(oidcIssuer);
    const named = requested.flatMap((name) => description[name] ?? []);
    const found = [oidcIssuer, ...named].map((url) => URL.parse(String(url))?.origin ?? '');
    const isSafe = ({ protocol }: URL): boolean =>
      protocol === 'https:' || settings.environment === 'development';
    if (!found.every((one) => isPlainOrigin(one) && isSafe(new URL(one)))) {
      throw new Error('The discovery document names an endpoint without a plain https origin');
    }
    return { ...settings, oidcOrigins: [...new Set(found)].join(',') };
  } catch (error) {
    throw new SettingsError(
      `oidcIssuer: ${(error as Error).message}. Check the URL; where the issuer cannot be reached from here, set oidcOrigins`,
    );
  }
};
