import { findProxiedFetch } from '../../../../shared/api/client/node-transport.ts';
import type { VersionEvidence } from '../../../../shared/api/schemas/evidence.ts';
import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import { escapeWorkflowCommands } from '../../../failure/escape-workflow-commands.ts';
import { NegativeResultError } from '../../../failure/negative-result-error.ts';
import { withInterruption } from '../../../input/interruption.ts';
import { UsageError } from '../../../input/usage-error.ts';
import type { TypedPackage } from '../../../many/package-text.ts';
import { type View, writeResult } from '../../../output/result.ts';
import type { Session } from '../../../session/session.ts';
import { type Archive, ArchiveError } from '../archives/archive.ts';
import { unpackArchive } from '../archives/unpack-archive.ts';
import { type ChosenFiles, chooseFiles } from './choose-files.ts';
import { compareArchives } from './compare-archives.ts';
import { type FetchOptions, fetchArchive, type ListedFile } from './fetch-archive.ts';
import {
  type ComparedArchive,
  type FilesComparison,
  formatComparison,
} from './format-comparison.ts';

const readEvidence = (
  { client }: Session,
  { ecosystem, name, version }: TypedPackage,
): Promise<VersionEvidence> =>
  client.showEvidence({ path: { name }, query: { ecosystem, version } });

/**
 * Downloads and unpacks an archive.
 * @throws {NegativeResultError} if the digest is another one, or the archive is damaged, above a limit or ambiguous
 */
const readArchive = async (
  listed: ListedFile,
  { format, toPackagePath }: ChosenFiles['kind'],
  options: FetchOptions,
): Promise<Archive> => {
  const packed = await fetchArchive(listed, options);
  try {
    return await unpackArchive(packed, { format, toPackagePath, signal: options.signal });
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new NegativeResultError(`${listed.file} ${error.message}. It is not compared.`);
  }
};

const describeArchive = (
  { package: { ecosystem, name, version }, files }: VersionEvidence,
  { file, digest, url }: ListedFile,
): ComparedArchive => ({
  package: { ecosystem, name, version },
  ...{ file, digest, url },
  other_files: Math.max(0, (files?.total ?? 0) - 1),
});

/** @throws {UsageError} for versions of two ecosystems, and for images */
const checkComparable = (before: VersionEvidence, after: VersionEvidence): void => {
  const [old, fresh] = [before.package.ecosystem, after.package.ecosystem];
  if (old !== fresh) {
    const named = [before, after].map(({ package: { ecosystem, name, version } }) =>
      formatPackage({ ecosystem, name, version }),
    );
    throw new UsageError(`${named.join(' and ')} are not of one ecosystem.`);
  }
  if (old === 'docker') throw new UsageError('--files compares archives. Images have none.');
};

const view: View<FilesComparison> = { formatAnswer: formatComparison };

/** Writes a comparison. Its texts come from archives, and may contain commands of GitHub Actions. */
const writeComparison = (comparison: FilesComparison, { terminal, format }: Session): void => {
  const disarm = escapeWorkflowCommands[format === 'people' ? 'text' : 'json'];
  const out = { ...terminal.out, write: (text: string) => terminal.out.write(disarm(text)) };
  writeResult(comparison, { ...terminal, out }, { ...view, format });
};

/**
 * Compares the files of two versions, and writes the differences. Both archives are downloaded from their origin, checked
 * against the digests in the evidence, and unpacked in memory. Nothing in them is run.
 * @throws {UsageError} for versions of two ecosystems, and for images
 * @throws {NegativeResultError} if an archive cannot be compared, such as one with another digest
 * @throws {InterruptedError} after Ctrl-C
 */
export const diffFiles = async (
  session: Session,
  [before, after]: readonly [before: TypedPackage, after: TypedPackage],
): Promise<void> => {
  const [old, fresh] = await Promise.all([
    readEvidence(session, before),
    readEvidence(session, after),
  ]);
  checkComparable(old, fresh);
  const chosen = chooseFiles(old, fresh);
  const proxied = await findProxiedFetch();
  const { progress, settings } = session;
  progress.show('Downloading the archives');
  try {
    const archives = await withInterruption(async (signal) => {
      const options = { registry: settings.url.value, signal, ...(proxied && { fetch: proxied }) };
      const read = (file: ListedFile) => readArchive(file, chosen.kind, options);
      // One after the other: the memory for one is given back before the next.
      return { before: await read(chosen.before), after: await read(chosen.after) };
    });
    progress.end();
    writeComparison(
      {
        before: describeArchive(old, chosen.before),
        after: describeArchive(fresh, chosen.after),
        ...compareArchives(archives.before, archives.after),
      },
      session,
    );
  } finally {
    progress.end();
  }
};
