import { isPackageName } from '../../../domain/packages/package-name.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import { decodeUri } from '../../../util/decode-uri.ts';

/** What a client of npm asks for. */
export type NpmRequest =
  | { readonly kind: 'ping' }
  | { readonly kind: 'packument'; readonly name: string }
  | { readonly kind: 'tarball'; readonly name: string; readonly version: string };

/** The part of a name behind its scope. */
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

const readPlain = (path: string): NpmRequest | undefined => {
  if (path === '-/ping') return { kind: 'ping' };
  return isPackageName('npm', path) ? { kind: 'packument', name: path } : readTarball(path);
};

/**
 * What a path below the gate's own asks for; undefined for what the gate does not serve. The slash of a scope comes encoded
 * or not.
 * @param base the address of the gate, whose own path some releases of npm say twice
 */
export const readNpmRequest = (path: string, base: string): NpmRequest | undefined => {
  const doubled = `${new URL(base).pathname.slice(1)}/`;
  const plain = decodeUri(path).replace(/\/$/, '');
  const asked = readPlain(plain);
  return asked || !plain.startsWith(doubled) ? asked : readPlain(plain.slice(doubled.length));
};
