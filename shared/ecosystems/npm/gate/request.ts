import { isPackageName } from '../../../domain/packages/package-name.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import { decodeUri } from '../../../util/decode-uri.ts';
import { keysPath } from '../registry-paths.ts';

/** A request of an npm client to the gate. */
export type NpmRequest =
  | { readonly kind: 'ping' }
  /** The public keys with which the origin signs its versions. */
  | { readonly kind: 'keys' }
  | { readonly kind: 'packument'; readonly name: string }
  | {
      readonly kind: 'tarball' | 'attestations';
      readonly name: string;
      readonly version: string;
    };

/** Returns the package name without its scope. */
export const dropScope = (name: string): string => name.slice(name.indexOf('/') + 1);

const tarballPath = /^(?<name>(?:@[^/]+\/)?[^/]+)\/-\/(?:@[^/]+\/)?(?<file>[^/]+)\.tgz$/;

const readTarball = (path: string): NpmRequest | undefined => {
  const { name = '', file = '' } = tarballPath.exec(path)?.groups ?? {};
  const prefix = `${dropScope(name)}-`;
  const version = file.slice(prefix.length);
  const isOne =
    isPackageName('npm', name) && file.startsWith(prefix) && isPackageVersion('npm', version);
  return isOne ? { kind: 'tarball', name, version } : undefined;
};

const attestationsPath = /^-\/npm\/v1\/attestations\/(?<name>@?[^@]+)@(?<version>[^@/]+)$/;

const readAttestations = (path: string): NpmRequest | undefined => {
  const { name = '', version = '' } = attestationsPath.exec(path)?.groups ?? {};
  const isOne = isPackageName('npm', name) && isPackageVersion('npm', version);
  return isOne ? { kind: 'attestations', name, version } : undefined;
};

const readPlain = (path: string): NpmRequest | undefined => {
  if (path === '-/ping') return { kind: 'ping' };
  if (path === keysPath) return { kind: 'keys' };
  if (isPackageName('npm', path)) return { kind: 'packument', name: path };
  return readAttestations(path) ?? readTarball(path);
};

/**
 * Returns the request for a path below the gate; undefined if the gate does not serve the path. The slash of a scope
 * may be percent-encoded.
 * @param base URL of the gate; some releases of npm send the path of this URL twice
 */
export const readNpmRequest = (path: string, base: string): NpmRequest | undefined => {
  const doubled = `${new URL(base).pathname.slice(1)}/`;
  const plain = decodeUri(path).replace(/\/$/, '');
  const asked = readPlain(plain);
  return asked || !plain.startsWith(doubled) ? asked : readPlain(plain.slice(doubled.length));
};
