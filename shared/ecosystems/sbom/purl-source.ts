import type { PackageId } from '../../domain/packages/package-id.ts';
import { type PurlPackage, readQualifiers } from '../../domain/packages/purl.ts';
import { type Elsewhere, judgeOrigin } from '../npm/lockfiles/specs.ts';

/** What a package URL says of where a package was got, beside its name. */
export interface PurlSource {
  /** Why it is no package of a registry; undefined if it is one. */
  readonly elsewhere?: Elsewhere | undefined;
  /** The addresses of the registry, and of the file. */
  readonly addresses: readonly string[];
}

const judge = (
  {
    ecosystem,
    name,
    version,
  }: Pick<PackageId, 'ecosystem' | 'name'> & Pick<PurlPackage, 'version'>,
  repository: string | undefined,
  file: string | undefined,
): Elsewhere | undefined => {
  if (ecosystem === 'npm') return judgeOrigin({ name, version, address: repository ?? file });
  if (repository !== undefined) return { reason: 'git', detail: repository };
  return file === undefined ? undefined : { reason: 'url', detail: file };
};

/**
 * Reads the qualifiers `vcs_url`, `download_url` and `repository_url` of a package URL. Of an image they are a part of the
 * name.
 * @param address where a bill of materials says besides that the file was got
 */
export const readPurlSource = (
  purl: string,
  named: Pick<PurlPackage, 'ecosystem' | 'name' | 'version'>,
  address?: string,
): PurlSource => {
  if (named.ecosystem === 'docker') return { addresses: [] };
  const qualifiers = readQualifiers(purl);
  const [repository, download, registry] = ['vcs_url', 'download_url', 'repository_url'].map(
    (name) => qualifiers.get(name),
  );
  const file = download ?? address;
  return {
    elsewhere: judge(named, repository, file),
    addresses: [registry, file].filter((one) => one !== undefined),
  };
};
