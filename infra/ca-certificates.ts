import { X509Certificate } from 'node:crypto';
import type { Settings } from './config.ts';
import { readTextFile } from './read-project-file.ts';
import { SettingsError } from './settings-error.ts';

/** Returns why a certificate cannot be a trusted authority; undefined if it can. */
const findFault = (pem: string): string | undefined => {
  try {
    const { ca, subject } = new X509Certificate(pem);
    return ca ? undefined : `${subject.replaceAll('\n', ', ')} is no certificate authority`;
  } catch {
    return 'a certificate cannot be read';
  }
};

/**
 * Returns the certificates of the file that the settings name, without other text; undefined without the setting.
 * @throws {SettingsError} if the file has none, or anything else than certificate authorities
 */
export const readCaCertificates = ({ caCertificates: path }: Settings): string | undefined => {
  if (path === undefined) return undefined;
  const text = readTextFile('caCertificates', path);
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const faults = found.flatMap((pem) => findFault(pem) ?? []);
  if (/PRIVATE KEY-----/.test(text))
    faults.push('it has a private key, which must not be deployed');
  else if (found.length === 0) faults.push('it has no certificate in PEM format');
  if (faults.length === 0) return `${found.join('\n')}\n`;
  throw new SettingsError(faults.map((fault) => `caCertificates: ${path}: ${fault}`).join('\n'));
};
