import { discoverIssuer } from '../shared/platform/auth/issuer-keys.ts';
import { type Settings, SettingsError } from './config.ts';

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
    const urls = [oidcIssuer, ...requested.map((name) => description[name])];
    const origins = urls.flatMap((url) => URL.parse(String(url))?.origin ?? []);
    return { ...settings, oidcOrigins: [...new Set(origins)].join(',') };
  } catch (error) {
    throw new SettingsError(
      `oidcIssuer: ${(error as Error).message}. Check the URL; where the issuer cannot be reached from here, set oidcOrigins`,
    );
  }
};
