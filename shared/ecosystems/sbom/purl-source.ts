import type { PackageName } from '../../domain/packages/package-id.ts';
import { type PurlPackage, readQualifiers } from '../../domain/packages/purl.ts';
import { type Elsewhere, judgeOrigin } from '../npm/lockfiles/specs.ts';

/** Download source of a package, according to its package URL. */
export interface PurlSource {
  /** Reason why the package does not come from a registry; undefined if it does. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Known URLs of the registry and of the file. */
  readonly addresses: readonly string[];
}

const judge = (
  { ecosystem, name, version }: PackageName & Pick<PurlPackage, 'version'>,
  repository: string | undefined,
  file: string | undefined,
): Elsewhere | undefined => {
  if (ecosystem === 'npm') return judgeOrigin({ name, version, address: repository ?? file });
  if (repository !== undefined) return { reason: 'git', detail: repository };
  return file === undefined ? undefined : { reason: 'url', detail: file };
};

/**
 * Returns the download source from the qualifiers `vcs_url`, `download_url` and `repository_url` of a package URL. An
 * image has no source of its own: its name includes its repository.
 * @param address download location in the SBOM, used if the package URL has no `download_url`
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
