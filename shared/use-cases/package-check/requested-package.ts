import type { CheckReason } from '../../api/schemas/check.ts';
import type { CheckRequest } from '../../api/schemas/check-request.ts';
import { type FileHash, parseFileHash } from '../../domain/packages/file-hash.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { explainPackageName, isPackageName } from '../../domain/packages/package-name.ts';
import { explainPackageVersion, isPackageVersion } from '../../domain/packages/package-version.ts';
import { purlTypes, readPurl } from '../../domain/packages/purl.ts';
import { unpinnedReasons } from '../../ecosystems/lockfiles/dependency-file.ts';
import { readPurlSource } from '../../ecosystems/sbom/purl-source.ts';

const maxShown = 200;

/** A requested version, with the hashes and addresses of its expected content. */
export interface AskedVersion {
  readonly id: PackageId;
  readonly hashes: readonly FileHash[];
  /** Download addresses from the package URL. */
  readonly addresses: readonly string[];
}

/** The requested version; or the reason why the request names no version of a package. */
export type AskedPackage = AskedVersion | { readonly fault: CheckReason };

const refuse = (message: string): AskedPackage => ({ fault: { code: 'not_a_version', message } });

const readPackageUrl = (text: string): AskedPackage => {
  const purl = readPurl(text);
  const shown = text.slice(0, maxShown);
  if (!purl) return refuse(`${shown} is no package URL of the types ${purlTypes.join(', ')}.`);
  const { ecosystem, name, digest } = purl;
  // A tag that is none does not matter: clients pull the digest.
  const version = purl.version ?? digest;
  if (digest !== undefined && !isPackageVersion(ecosystem, digest)) {
    return refuse(`${shown} names no version that can be.`);
  }
  if (version === undefined || !isPackageVersion(ecosystem, version)) {
    return refuse(`${shown} names no version that can be.`);
  }
  const { elsewhere, addresses } = readPurlSource(text, purl);
  if (elsewhere) {
    const why = `${shown} ${unpinnedReasons[elsewhere.reason]}. Ask about a package of a registry.`;
    return { fault: { code: 'unpinned', message: why } };
  }
  const hash = digest === undefined || digest === version ? undefined : parseFileHash(digest);
  return { id: { ecosystem, name, version }, hashes: hash ? [hash] : [], addresses };
};

/** Returns the version that a request names, as a package URL or in its parts. */
export const readAskedPackage = (sent: CheckRequest['packages'][number]): AskedPackage => {
  if (typeof sent === 'string') return readPackageUrl(sent);
  const { ecosystem, name, version, hashes = [] } = sent;
  if (!isPackageName(ecosystem, name)) {
    return refuse(`The name must be ${explainPackageName(ecosystem)}.`);
  }
  if (!isPackageVersion(ecosystem, version)) {
    return refuse(`The version must be ${explainPackageVersion(ecosystem)}.`);
  }
  const read = hashes.flatMap((hash) => parseFileHash(hash) ?? []);
  return { id: { ecosystem, name, version }, hashes: read, addresses: [] };
};
