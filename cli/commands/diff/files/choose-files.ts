import type { VersionEvidence } from '../../../../shared/api/schemas/evidence.ts';
import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import type { Ecosystem } from '../../../../shared/ecosystems/ecosystem.ts';
import { NegativeResultError } from '../../../failure/negative-result-error.ts';
import {
  dropTopFolder,
  dropWheelVersion,
  keepPath,
  type ToPackagePath,
} from '../archives/entry-path.ts';

type EvidenceFile = NonNullable<VersionEvidence['files']>['files'][number];

/** A kind of archive, by the end of its name without the version. */
interface ArchiveKind {
  /** Equal for files that can be compared. */
  readonly id: string;
  readonly format: 'tar.gz' | 'zip';
  readonly toPackagePath: ToPackagePath;
}

/** The archives of two versions that are compared. */
export interface ChosenFiles {
  readonly before: EvidenceFile;
  readonly after: EvidenceFile;
  readonly kind: ArchiveKind;
}

const tarball: ArchiveKind = { id: 'tar.gz', format: 'tar.gz', toPackagePath: dropTopFolder };
const sourceZip: ArchiveKind = { id: 'zip', format: 'zip', toPackagePath: dropTopFolder };

const findPythonKind = (file: string): ArchiveKind | undefined => {
  if (/\.(?:tar\.gz|tgz)$/i.test(file)) return tarball;
  if (/\.zip$/i.test(file)) return sourceZip;
  const [, tags] = /-([^-]+-[^-]+-[^-]+)\.whl$/i.exec(file) ?? [];
  return tags === undefined
    ? undefined
    : { id: tags, format: 'zip', toPackagePath: dropWheelVersion };
};

const findJarKind = (file: string, version: string): ArchiveKind | undefined => {
  const [, classifier] = file.split(`-${version}`);
  const isCode = classifier === '.jar' || classifier === '-sources.jar';
  return isCode ? { id: classifier, format: 'zip', toPackagePath: keepPath } : undefined;
};

const findKind = (ecosystem: Ecosystem, file: string, version: string): ArchiveKind | undefined => {
  if (ecosystem === 'npm') return tarball;
  if (ecosystem === 'pypi') return findPythonKind(file);
  return ecosystem === 'maven' ? findJarKind(file, version) : undefined;
};

/** The kinds of archives by preference: sources first, then wheels for every platform, then the other files. */
const preferred = [/^tar\.gz$/, /^zip$/, /^-sources\.jar$/, /-none-any$/];

const rank = ({ id }: ArchiveKind): number => {
  const at = preferred.findIndex((pattern) => pattern.test(id));
  return at < 0 ? preferred.length : at;
};

const listArchives = ({ package: { ecosystem, version }, files }: VersionEvidence) =>
  (files?.files ?? []).flatMap((file) => {
    const kind = findKind(ecosystem, file.file, version);
    return kind ? [{ file, kind }] : [];
  });

/**
 * Chooses the archives that are compared: of the same kind, sources if both versions have them.
 * @throws {NegativeResultError} if the files of a version are unknown, or the versions have no archives of the same kind
 */
export const chooseFiles = (before: VersionEvidence, after: VersionEvidence): ChosenFiles => {
  const unknown = [before, after].find(({ files }) => files === null);
  if (unknown) {
    const { ecosystem, name, version } = unknown.package;
    throw new NegativeResultError(
      `The files of ${formatPackage({ ecosystem, name, version })} are not known: upstream has not listed them yet.`,
    );
  }
  const old = listArchives(before);
  const pairs = listArchives(after).flatMap(({ file, kind }) => {
    const match = old.find((one) => one.kind.id === kind.id);
    return match ? [{ before: match.file, after: file, kind }] : [];
  });
  const [chosen] = pairs.toSorted((one, other) => rank(one.kind) - rank(other.kind));
  if (chosen) return chosen;
  throw new NegativeResultError('The two versions have no archives of the same kind to compare.');
};
